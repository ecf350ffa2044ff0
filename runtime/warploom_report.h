// What a program says of its regions when it ends: WARPLOOM_TIMING=1, times and bytes as text;
// WARPLOOM_TRACE=file.json, a time line in the format that Chrome and Perfetto show. Included by
// warploom_region.h.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace warploom {

/// What one or several passages through a region cost: milliseconds, launches, bytes.
struct Passage {
  double kernels = 0, in = 0, out = 0;
  long launches = 0;
  std::size_t bytesIn = 0, bytesOut = 0;
  double instances = 0, bytes = 0; ///< of statements, and of arrays that they use, each once
  std::string sizes; ///< of the problem, of the passage that has most to do: `n=1000 m=7`; empty: not told
};

/// What WARPLOOM_TIMING=1 prints when the program ends: one line per region and path, in order of first
/// entry, then a table of the same, and the sum.
class RegionTimes {
public:
  static bool wanted() {
    static const bool answer = [] {
      const char* text = std::getenv("WARPLOOM_TIMING");
      return text && std::strcmp(text, "1") == 0;
    }();
    return answer;
  }
  /// It stays, for regions in handlers of `atexit` that run after it has printed.
  static RegionTimes& instance() {
    static RegionTimes& times = *[] {
      std::atexit([] { instance().print(); });
      return new RegionTimes;
    }();
    return times;
  }

  void add(const char* region, const std::string& path, const Passage& passage) {
    std::lock_guard<std::mutex> lock(mutex);
    Line& line = lineOf(region, path);
    ++line.calls;
    line.all.kernels += passage.kernels;
    line.all.in += passage.in;
    line.all.out += passage.out;
    line.all.launches += passage.launches;
    line.all.bytesIn += passage.bytesIn;
    line.all.bytesOut += passage.bytesOut;
    line.all.instances += passage.instances;
    if (passage.instances >= line.most) {
      line.most = passage.instances;
      line.all.sizes = passage.sizes;
    }
    line.all.bytes += passage.bytes;
    if (path != "gpu") onHost[region] = path;
  }
  /// The kept loops of a region, whose latest passage stayed on the host, took so many seconds.
  void addHost(const char* region, double seconds) {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto path = onHost.find(region); path != onHost.end())
      lineOf(region, path->second).host += 1e3 * seconds;
  }

  /// Prints what was so far and begins anew, for programs that want the times of every round.
  void print() {
    std::lock_guard<std::mutex> lock(mutex);
    for (const Line& line : order)
      std::fprintf(stderr, "warploom: region %s kernels %.3f transfers %.3f launches %ld path %s\n",
                   line.region.c_str(), line.all.kernels, line.all.in + line.all.out, line.all.launches,
                   line.path.c_str());
    // For those who compare times with what a device can do.
    if (std::getenv("WARPLOOM_WORK"))
      for (const Line& line : order) {
        std::fprintf(stderr, "warploom: region %s work %.6g instances %.6g bytes\n", line.region.c_str(),
                     line.all.instances, line.all.bytes);
        if (!line.all.sizes.empty())
          std::fprintf(stderr, "warploom: region %s sizes %s\n", line.region.c_str(), line.all.sizes.c_str());
      }
    if (!order.empty()) printTable();
    lines.clear();
    order.clear();
  }

private:
  struct Line {
    std::string region, path;
    Passage all;
    long calls = 0;
    double host = 0, most = 0; ///< milliseconds; instances of a passage
  };
  Line& lineOf(const char* region, const std::string& path) {
    auto [position, fresh] = lines.emplace(std::string(region) + '\n' + path, order.size());
    if (fresh) order.push_back({region, path, {}, 0, 0, 0});
    return order[position->second];
  }

  void printTable() const {
    std::fprintf(stderr, "warploom: %-24s %9s %10s %14s %10s %14s %10s %10s  %s\n", "all of it", "calls",
                 "kernels ms", "bytes in", "ms", "bytes out", "ms", "host ms", "path");
    long calls = 0, device = 0;
    std::size_t in = 0, out = 0;
    for (const Line& line : order) {
      std::fprintf(stderr, "warploom: %-24s %9ld %10.3f %14zu %10.3f %14zu %10.3f %10.3f  %s\n",
                   line.region.c_str(), line.calls, line.all.kernels, line.all.bytesIn, line.all.in,
                   line.all.bytesOut, line.all.out, line.host, line.path.c_str());
      calls += line.calls;
      device += line.path == "gpu" ? line.calls : 0;
      in += line.all.bytesIn;
      out += line.all.bytesOut;
    }
    std::fprintf(stderr, "warploom: total regions %ld on device %ld bytes in %zu out %zu\n", calls, device,
                 in, out);
  }

  std::mutex mutex;
  std::map<std::string, std::size_t> lines;
  std::map<std::string, std::string> onHost; ///< by region: the path that did not lead to the device
  std::vector<Line> order;
};

/// What WARPLOOM_TRACE names: a file of events with times in microseconds, written when the program ends.
class Trace {
public:
  static bool wanted() {
    static const bool answer = fileName() && *fileName();
    return answer;
  }
  static Trace& instance() {
    static Trace& trace = *[] {
      std::atexit([] { instance().write(); });
      return new Trace;
    }();
    return trace;
  }

  /// Something called `name`, of the kind `kind`, that began and lasted so many seconds. `note` says more.
  void add(const char* name, const char* kind, double began, double lasted, const char* note) {
    std::lock_guard<std::mutex> lock(mutex);
    constexpr std::size_t most = 1000000;
    if (events.size() < most) events.push_back({name, kind, note, 1e6 * began, 1e6 * lasted});
  }

  void write() {
    std::lock_guard<std::mutex> lock(mutex);
    std::FILE* file = std::fopen(fileName(), "w");
    if (!file) {
      std::fprintf(stderr, "warploom: cannot write '%s', which WARPLOOM_TRACE names\n", fileName());
      return;
    }
    std::fprintf(file, "{\"traceEvents\":[");
    const char* between = "\n";
    double first = events.empty() ? 0 : events.front().began;
    for (const Event& event : events)
      first = event.began < first ? event.began : first;
    for (const Event& event : events) {
      const int line = event.kind == "device" ? 2 : 1;
      std::fprintf(
          file,
          "%s{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"X\",\"ts\":%.3f,\"dur\":%.3f,\"pid\":1,\"tid\":%d,"
          "\"args\":{\"%s\":\"%s\"}}",
          between, event.name.c_str(), event.kind.c_str(), event.began - first, event.lasted, line,
          event.kind == "device" ? "region" : "path", event.note.c_str());
      between = ",\n";
    }
    std::fprintf(file, "\n],\"displayTimeUnit\":\"ms\"}\n");
    std::fclose(file);
  }

private:
  struct Event {
    std::string name, kind, note;
    double began, lasted;
  };
  static const char* fileName() { return std::getenv("WARPLOOM_TRACE"); }
  std::mutex mutex;
  std::vector<Event> events;
};

} // namespace warploom
