#include "device/Device.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

namespace warploom {

extern const char* const deviceTableText;

namespace {

using Row = std::map<std::string, std::string>;

double number(const Row& row, const std::string& column) {
  const std::string& text = row.at(column);
  std::size_t end = 0;
  double value = -1;
  try {
    value = std::stod(text, &end);
  } catch (const std::logic_error&) {
  }
  if (value < 0 || end != text.size())
    throw std::runtime_error("the device " + row.at("name") + ": '" + text + "' is no " + column);
  return value;
}

DeviceLimits deviceOf(const Row& row) {
  auto whole = [&](const char* column) { return static_cast<int>(number(row, column)); };
  DeviceLimits device{row.at("name"),       row.at("architecture"), whole("warps"),      whole("threads"),
                      whole("blocks"),      whole("shared"),        whole("registers"),  whole("unit"),
                      whole("byWarp") != 0, whole("perThread"),     whole("sharedUnit"), whole("warpUnit"),
                      whole("block")};
  device.rates = {whole("multiprocessors"),       number(row, "clock") * 1e9,  number(row, "memory") * 1e9,
                  number(row, "cacheRate") * 1e9, number(row, "cache") * 1024, number(row, "singles"),
                  number(row, "doubles"),         number(row, "launch") * 1e-6};
  return device;
}

} // namespace

std::vector<DeviceLimits> readDevices(const std::string& text) {
  std::vector<DeviceLimits> devices;
  std::vector<std::string> columns;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<std::string> cells;
    for (std::string word; words >> word;)
      cells.push_back(word);
    if (cells.empty() || cells.front().starts_with('#')) continue;
    if (columns.empty()) {
      columns = cells;
      continue;
    }
    if (cells.size() != columns.size())
      throw std::runtime_error("the device " + cells.front() + ": " + std::to_string(cells.size()) +
                               " cells for " + std::to_string(columns.size()) + " columns");
    Row row;
    for (std::size_t k = 0; k < cells.size(); ++k)
      row[columns[k]] = cells[k];
    try {
      devices.push_back(deviceOf(row));
    } catch (const std::out_of_range&) {
      throw std::runtime_error("a table of devices has the columns of devices.txt");
    }
  }
  return devices;
}

const std::vector<DeviceLimits>& deviceTable() {
  static const std::vector<DeviceLimits> table = readDevices(deviceTableText);
  return table;
}

std::optional<DeviceLimits> deviceLimits(const std::string& computeCapability) {
  for (const DeviceLimits& device : deviceTable())
    if (device.name == computeCapability) return device;
  return std::nullopt;
}

int reservedShared(const DeviceLimits& device) {
  return std::stod(device.name) >= 8 ? 1024 : 0;
}

int sharedPerBlock(const DeviceLimits& device) {
  return device.sharedPerSm - reservedShared(device);
}

int ActiveBlocks::all() const {
  return std::min({byWarps, byShared, byRegisters, byBlocks});
}

namespace {

long roundedUp(long value, long unit) {
  return (value + unit - 1) / unit * unit;
}

} // namespace

ActiveBlocks activeBlocks(int threads, const CompiledUse& use, const DeviceLimits& device) {
  ActiveBlocks result{};
  const long warps = (threads + 31) / 32, warpsGiven = roundedUp(warps, device.warpUnit);
  const long reserved = reservedShared(device);
  result.byBlocks = device.blocksPerSm;
  result.byWarps = static_cast<int>(device.warpsPerSm / warps);
  const long shared = roundedUp(use.sharedBytes + reserved, device.sharedUnit);
  result.byShared = shared ? static_cast<int>(device.sharedPerSm / shared) : device.blocksPerSm;
  result.byRegisters = device.blocksPerSm;
  if (use.registersPerThread > device.maxRegistersPerThread || threads > device.maxBlockSize) {
    result.byRegisters = 0;
  } else if (use.registersPerThread > 0 && device.registersByWarp) {
    const long perWarp = roundedUp(use.registersPerThread * 32L, device.registerUnit);
    // Warps come in units; those of a block must all find their registers.
    const long warpsHeld = device.registersPerSm / perWarp / device.warpUnit * device.warpUnit;
    result.byRegisters = static_cast<int>(warpsHeld / warps);
  } else if (use.registersPerThread > 0) {
    result.byRegisters = static_cast<int>(
        device.registersPerSm / roundedUp(use.registersPerThread * 32L * warpsGiven, device.registerUnit));
  }
  return result;
}

} // namespace warploom
