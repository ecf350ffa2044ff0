// `warploom model`: the many-core machine model of device nests, and the occupancy of a device.
#include "cases/Model.h"

#include "driver/Commands.h"
#include "driver/Schedules.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace warploom {

namespace {

struct ModelOptions {
  std::string file, device, sizes;
  unsigned registers = 0; ///< 0: estimated
};

class ModelCommand {
public:
  ModelCommand(const ModelOptions& o, ForkJoinSource s) : options(o), source(std::move(s)) {
    if (!o.device.empty()) device = deviceNamed(o.device);
    if (!o.sizes.empty()) sizes = sizesOf(o.sizes);
  }

  ExitStatus run() {
    bool failed = false, found = false;
    for (const ForkJoinConstruct& construct : source.constructs) {
      std::vector<cases::NestModel> all;
      for (const DeviceNest& nest : construct.nests) {
        found = true;
        try {
          all.push_back(print(construct, nest));
        } catch (const cases::NestRefused& refused) {
          reportAt(source, refused.at.end ? refused.at : nest.loop.at, refused.what());
          failed = true;
        }
      }
      if (all.size() > 1 && !failed) together(construct, all);
    }
    if (!found) reportAt(source, {}, "the program has no meta_schedule");
    if (failed || !found) return ExitStatus::InputAtFault;
    fmt::print("{}", printed);
    return ExitStatus::Done;
  }

private:
  template <typename... Parts> void line(fmt::format_string<Parts...> text, Parts&&... parts) {
    printed += fmt::format(text, std::forward<Parts>(parts)...) + "\n";
  }

  std::string place(unsigned number) const {
    return fmt::format("{}:{}", std::filesystem::path(options.file).filename().string(), number);
  }

  cases::NestModel print(const ForkJoinConstruct& construct, const DeviceNest& from) {
    const cases::Nest nest = cases::readNest(from, construct.cached);
    for (const auto& names : {nest.dataParameters, nest.programParameters})
      if (names.count("U"))
        throw cases::NestRefused(nest.at, "it has a parameter 'U', which is a word's time in the model");
    const cases::NestModel model = cases::modelOf(from, nest);
    const cases::Measures& m = model.measures;
    if (!printed.empty()) line("");
    line("{}: {}", place(from.loop.at.line), source.functions[construct.function].name);
    line("  threads of a block: {}; its words: {}", nest.threads().text(), nest.words().text());
    line("  W = {}\n  S = {}\n  O = {}", m.work.text(), m.span.text(), m.overhead.text());
    line("  N = {}\n  L = {}\n  C = {}\n  K = {}", m.blocks.text(), m.path.text(), m.cost.text(),
         m.widest.text());
    line("  time <= (N/K + L)*C = {}", m.bound().text());
    for (const cases::AccessCost& access : model.accesses)
      line("  {} in line {}: {}, {}; words of a thread: {}; a block pays {}", access.array, access.at.line,
           access.isCoalesced ? "coalesced" : "not coalesced", access.reason, access.words.text(),
           access.overhead.text());
    if (nest.granularity && nest.granularity->size.asSymbol()) advice(nest, m);
    if (device && !sizes.empty()) occupancy(nest);
    return model;
  }

  void advice(const cases::Nest& nest, const cases::Measures& m) {
    const std::string s = *nest.granularity->size.asSymbol();
    auto one = [&](const cases::Quotient& of) { return of.substitute(s, cases::Polynomial(1)); };
    line("  {0} = 1 against {0}: W {1}, S {2}, O {3}", s, (one(m.work) / m.work).text(),
         (one(m.span) / m.span).text(), (one(m.overhead) / m.overhead).text());
    switch (cases::advise(one(m.bound()), m.bound(), s, nest.dataParameters).what) {
    case cases::Advice::What::One:
      line("  advice: {} = 1, since the bound grows with it", s);
      break;
    case cases::Advice::What::Large:
      line("  advice: {} as large as shared memory allows, {} <= Z, since the bound falls with it", s,
           nest.words().text());
      break;
    case cases::Advice::What::Open:
      line("  advice: none, the bounds for 1 and for {} are not always in the same order", s);
      break;
    }
  }

  /// How much of a multiprocessor the blocks of these sizes keep busy.
  void occupancy(const cases::Nest& nest) {
    const mpq_class threads = nest.threads().evaluate(sizes), words = nest.words().evaluate(sizes);
    for (const std::string& name : (nest.threads() + nest.words()).symbols())
      if (!sizes.count(name))
        throw cases::NestRefused(nest.at, fmt::format("--sizes does not say what '{}' is", name));
    const unsigned registers = options.registers ? options.registers : nest.registers();
    const mpz_class bytes = mpz_class(words.get_num() * 4 + words.get_den() - 1) / words.get_den();
    if (threads > device->maxBlockSize || bytes > sharedPerBlock(*device) || threads < 1) {
      line("  occupancy on {}: none, a block needs {} threads and {} bytes", device->name, threads.get_str(),
           bytes.get_str());
      return;
    }
    const int block = static_cast<int>(mpz_class(threads.get_num()).get_si());
    const ActiveBlocks active = activeBlocks(block, {static_cast<int>(registers), bytes.get_si()}, *device);
    const int warps = (block + 31) / 32;
    line("  occupancy on {}: {}% ({} blocks of {} {}; at most {} by warps, {} by {} registers a thread{}, {} "
         "by {} "
         "bytes, {} by the device)",
         device->name, 100 * active.all() * warps / device->warpsPerSm, active.all(), warps,
         warps == 1 ? "warp" : "warps", active.byWarps, active.byRegisters, registers,
         options.registers ? "" : " (estimated)", active.byShared, bytes.get_str(), active.byBlocks);
  }

  void together(const ForkJoinConstruct& construct, const std::vector<cases::NestModel>& all) {
    cases::Quotient work, span, overhead, blocks, launches;
    std::vector<std::string> costs;
    for (const cases::NestModel& one : all) {
      work = work + one.measures.work;
      span = span + one.measures.span;
      overhead = overhead + one.measures.overhead;
      blocks = blocks + one.measures.blocks;
      launches = launches + one.measures.path + cases::Quotient(cases::Polynomial(1));
      costs.push_back(one.measures.cost.text());
    }
    line("\n{}: all nests", place(construct.keyword.line));
    line("  W = {}\n  S = {}\n  O = {}\n  N = {}\n  L = {}\n  C = max({})", work.text(), span.text(),
         overhead.text(), blocks.text(), (launches + cases::Quotient(cases::Polynomial(-1))).text(),
         fmt::join(costs, ", "));
  }

  const ModelOptions& options;
  const ForkJoinSource source;
  std::optional<DeviceLimits> device;
  cases::Values sizes;
  std::string printed;
};

} // namespace

void addModel(CLI::App& app, const std::vector<std::string>& compilerFlags,
              std::optional<ExitStatus>& status) {
  auto options = std::make_shared<ModelOptions>();
  CLI::App* command = app.add_subcommand(
      "model", "Work, span, overhead and a bound on the time of device nests, as expressions");
  command->add_option("file", options->file, "A MetaFork program with meta_schedule")
      ->required()
      ->type_name("FILE");
  command->add_option("--device", options->device, "A compute capability, or query: for the occupancy")
      ->type_name("NAME|query");
  command->add_option("--sizes", options->sizes, "Sizes of blocks, for the occupancy")->type_name("B=32,s=2");
  command->add_option("--registers", options->registers, "Registers of a thread, for the occupancy")
      ->check(CLI::Range(1, 255))
      ->type_name("N");
  command->callback([options, &compilerFlags, &status] {
    auto source = readSchedules(options->file, compilerFlags);
    status = source ? ModelCommand(*options, std::move(*source)).run() : ExitStatus::InputAtFault;
  });
}

} // namespace warploom
