#include "sync/command/Command.h"

#include "sync/command/ReadSystem.h"
#include "sync/emit/Dot.h"
#include "sync/emit/Emit.h"
#include "sync/fold/CostModel.h"
#include "sync/fold/Profile.h"
#include "sync/passes/Passes.h"
#include "sync/prove/Prove.h"
#include "sync/reader/Aif.h"
#include "sync/run/Interpreter.h"
#include "sync/run/Traces.h"
#include "sync/run/Vcd.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <limits>
#include <set>
#include <sstream>

namespace warploom::sync {

namespace {

/// The text of `file`, as the first of the sources.
std::optional<Sources> contents(const std::string& file, std::ostream& err) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  const bool isFile = std::filesystem::is_regular_file(file);
  if (!stream || (!(text << stream.rdbuf()) && !isFile)) { // nothing is written of an empty file
    err << fmt::format("warploom: error: cannot read `{}`\n", file);
    return std::nullopt;
  }
  Sources sources;
  sources.files.push_back({file, text.str()});
  return sources;
}

/// A schedule for `system`: its larger arrays stay arrays; where their cells would have to wait for each
/// other, they become cases.
StepPlan scheduled(const System& system, Checks checks, const PlanOptions& planning) {
  try {
    return planStep(normalised(system, checks), planning);
  } catch (const Error& error) {
    if (std::ranges::none_of(markMemories(system).variables, [](const Variable& v) { return v.isMemory; }))
      throw;
    try {
      return planStep(normalised(system, checks, std::numeric_limits<std::int64_t>::max()), planning);
    } catch (const Error&) {
      throw error; // the one about the system as it is written
    }
  }
}

void report(const Folding& folding, std::ostream& out) {
  const StepPlan& plan = *folding.plan;
  int immediate = 0, delayed = 0, reports = 0;
  for (const CellAction& action : plan.system.actions) {
    immediate += action.kind == CellAction::Kind::Immediate;
    delayed += action.kind == CellAction::Kind::Delayed || action.kind == CellAction::Kind::Store;
    reports += action.kind == CellAction::Kind::Report;
  }
  std::size_t units = 0, pieces = folding.delayed.size() + folding.stores.size(),
              groups = plan.delayed.groups.size() + plan.stores.groups.size();
  for (const std::vector<Piece>* phase : {&folding.delayed, &folding.stores})
    for (const Piece& piece : *phase)
      units += piece.units.size();
  for (std::size_t p = 0; p < plan.immediate.size(); ++p) {
    groups += plan.immediate[p].groups.size();
    pieces += folding.immediate[p].size();
    for (const Piece& piece : folding.immediate[p])
      units += piece.units.size();
  }
  out << fmt::format("{}: {} immediate and {} delayed actions, {} checks\n", plan.system.system->name,
                     immediate, delayed, reports);
  out << fmt::format("  {} components, {} levels; {} units in {} groups, {} loop nests, {} tables\n",
                     plan.components, plan.levels, units, groups, pieces, folding.tables());
  if (plan.copies > 0) out << fmt::format("  {} copies break anti dependences\n", plan.copies);
  for (const std::string& remark : plan.remarks)
    out << "  note: " << remark << "\n";
}

/// Whether `text` is now in `file`; else the error is reported.
bool write(const std::string& file, const std::string& text, std::ostream& err) {
  std::ofstream written(file, std::ios::binary);
  written << text;
  written.close();
  if (!written) err << fmt::format("warploom: error: cannot write `{}`\n", file);
  return bool(written);
}

/// How a proof ended, in words.
std::string described(const Finding& finding) {
  switch (finding.verdict) {
  case Finding::Verdict::Proved:
    return fmt::format("proved by k-induction (k={})", finding.steps);
  case Finding::Verdict::Empty:
    return fmt::format("holds, for no run without violations gets beyond step {}", finding.steps);
  case Finding::Verdict::Violated:
    return fmt::format("violated: {}", finding.message);
  case Finding::Verdict::Open:
    return fmt::format("no violation within {} steps, not proved", finding.steps);
  default:
    return fmt::format("no violation within {} steps, not proved: beyond the solver's limits", finding.steps);
  }
}

/// The name of an assertion as a part of a file's.
std::string fileName(const std::string& assertion) {
  std::string result;
  for (char c : assertion)
    result += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return result;
}

Outcome proveAll(const SyncOptions& options, const System& system, std::ostream& out, std::ostream& err) {
  const StepPlan plan = scheduled(system, {true, true, true}, {});
  ProofLimits limits;
  limits.depth = options.depth;
  limits.questionSteps = options.effort * 1'000'000u;
  const std::vector<Finding> findings = prove(system, plan, limits);
  const auto holds = [](const Finding& finding) {
    return finding.verdict == Finding::Verdict::Proved || finding.verdict == Finding::Verdict::Empty;
  };
  long own = 0, proved = 0, violated = 0;
  for (const Finding& finding : findings)
    own += finding.own, proved += holds(finding), violated += finding.verdict == Finding::Verdict::Violated;
  out << fmt::format("{}: {} assertions, {} run-time checks\n", system.name, own,
                     long(findings.size()) - own);
  std::filesystem::path base = options.output.empty() ? options.file : options.output;
  base.replace_extension();
  std::set<std::string> written;
  for (const Finding& finding : findings) {
    if (!finding.own && holds(finding)) continue; // they are counted below
    out << fmt::format("  {}: {}\n", finding.name, described(finding));
    if (finding.verdict != Finding::Verdict::Violated) continue;
    std::string file = fmt::format("{}.{}.jsonl", base.string(), fileName(finding.name));
    for (int number = 2; !written.insert(file).second; ++number)
      file = fmt::format("{}.{}_{}.jsonl", base.string(), fileName(finding.name), number);
    std::string trace;
    for (const std::vector<Value>& inputs : finding.inputs)
      trace += inputLine(system, inputs) + "\n";
    if (!write(file, trace, err)) return Outcome::InputAtFault;
    out << fmt::format("    warploom run {} --check --steps {} < {}\n", options.file, finding.steps, file);
  }
  out << fmt::format("  {} proved, {} violated, {} not decided{}\n", proved, violated,
                     long(findings.size()) - proved - violated,
                     proved > 0 && proved < long(findings.size())
                         ? "; what is proved holds in every run up to its first violation of another"
                         : "");
  if (violated > 0) return Outcome::InputAtFault;
  return proved == long(findings.size()) ? Outcome::Done : Outcome::Undecided;
}

Outcome generate(const SyncOptions& options, const System& system, std::ostream& out, std::ostream& err) {
  PlanOptions planning = options.baseline ? PlanOptions::baseline() : PlanOptions();
  planning.twoPhase = !options.inPlace;
  StepPlan plan = scheduled(system, {options.check, options.check, options.check}, planning);
  if (!options.dot.empty())
    return write(options.dot, dependenceGraph(plan), err) ? Outcome::Done : Outcome::InputAtFault;
  const Folding folding = fold(std::move(plan));
  report(folding, out);
  const Cost cost = estimate(folding, options.instances);
  std::string target = options.target;
  if (target.empty()) {
    target = cost.gpu ? "cuda" : "c";
    out << fmt::format("  {}: {}\n", cost.gpu ? "chosen for the GPU" : "kept on the CPU", cost.reason);
  } else {
    out << fmt::format("  note: target {} as asked for; {}\n", target, cost.reason);
  }
  const bool cuda = target != "c";
  EmitOptions emit;
  emit.source = std::filesystem::path(options.file).filename().string();
  emit.instances = options.instances > 1;
  std::string text = cuda ? emitCuda(folding, emit) : emitC(folding, emit);
  if (options.steps != 0)
    text += emitDriver(folding, cuda, emit) + emitMain(folding, cuda, options.steps, options.instances);
  const std::string file =
      !options.output.empty()
          ? options.output
          : std::filesystem::path(options.file).replace_extension(cuda ? ".cu" : ".c").string();
  if (!write(file, text, err)) return Outcome::InputAtFault;
  out << fmt::format("  wrote {}\n", file);
  return Outcome::Done;
}

} // namespace

Outcome compile(const SyncOptions& options, std::ostream& out, std::ostream& err) {
  std::optional<Sources> sources = contents(options.file, err);
  if (!sources) return Outcome::InputAtFault;
  try {
    const System system = readSystem(*sources);
    if (options.normalise) {
      const System normal = normalised(system);
      if (options.output.empty()) {
        out << writeAif(normal);
        return Outcome::Done;
      }
      const bool xml = std::filesystem::path(options.output).extension() == ".xml";
      if (!write(options.output, xml ? writeAifXml(normal) : writeAif(normal), err))
        return Outcome::InputAtFault;
      return Outcome::Done;
    }
    if (options.prove) return proveAll(options, system, out, err);
    return generate(options, system, out, err);
  } catch (const Error& error) {
    err << located(error, *sources);
    return Outcome::InputAtFault;
  }
}

Outcome run(const RunOptions& options, std::istream& in, std::ostream& out, std::ostream& err) {
  std::optional<Sources> sources = contents(options.file, err);
  if (!sources) return Outcome::InputAtFault;
  System system;
  try {
    system = readSystem(*sources);
  } catch (const Error& error) {
    err << located(error, *sources);
    return Outcome::InputAtFault;
  }
  const bool needsInput = !inputCells(system).empty();
  if (!needsInput && options.steps < 0) {
    err << fmt::format(
        "warploom: error: {} has no inputs, so that its run has no end; say how long with --steps\n",
        system.name);
    return Outcome::Usage;
  }
  std::optional<Folding> folding;
  try {
    if (options.profile) folding = fold(scheduled(system, {options.check, options.check}, {}));
  } catch (const Error& error) {
    err << located(error, *sources);
    return Outcome::InputAtFault;
  }
  // What is profiled is the normalised system, whose cells the kernels work on; its traces are the same.
  const System& interpreted = folding ? *folding->plan->system.system : system;
  Interpreter interpreter(interpreted, {options.check, options.check});
  std::ofstream vcdFile;
  std::optional<VcdWriter> vcd;
  if (!options.vcd.empty()) {
    vcdFile.open(options.vcd, std::ios::binary);
    if (!vcdFile) {
      err << fmt::format("warploom: error: cannot write `{}`\n", options.vcd);
      return Outcome::InputAtFault;
    }
    vcd.emplace(interpreted, vcdFile, options.vcdLocals);
  }
  std::optional<Profile> profile;
  if (folding) profile.emplace(*folding);
  InputReader reader(system, in, options.csv);
  OutputWriter writer(system, out, options.csv);
  Outcome outcome = Outcome::Done;
  try {
    for (long step = 0; step != options.steps; ++step) {
      std::vector<Value> inputs;
      if (needsInput) {
        std::optional<std::vector<Value>> given = reader.next();
        if (!given) break;
        inputs = std::move(*given);
      }
      interpreter.step(inputs);
      if (vcd) vcd->step(interpreter);
      writer.write(interpreter.outputs());
      if (profile)
        profile->count(
            [&](int variable, std::int64_t offset) { return interpreter.value(variable, offset); });
    }
    if (profile) err << profile->text();
  } catch (const Error& error) {
    err << fmt::format("<stdin>:{}: error: {}\n", error.place.line, error.what());
    outcome = Outcome::InputAtFault;
  } catch (const RunError& error) {
    err << fmt::format("{}: error: {}\n", options.file, error.what());
    // All values of a step that violates an assertion are there to be looked at.
    if (vcd && error.kind == RunError::Kind::Assertion) vcd->step(interpreter);
    outcome = Outcome::InputAtFault;
  }
  if (vcd) {
    vcd->finish();
    if (!vcdFile) {
      err << fmt::format("warploom: error: cannot write `{}`\n", options.vcd);
      outcome = Outcome::InputAtFault;
    }
  }
  return outcome;
}

} // namespace warploom::sync
