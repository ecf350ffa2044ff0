// Writes systems as generated programs, with inputs and the interpreter's traces, for traces_test.py to
// compile and run:
//   sync_cases random|checkedrandom FIRST COUNT DIR | sync_cases file|checked|violating|large FILE... DIR
// `large` is `file` without the in-place form, a text that nvcc takes minutes for where there are ten
// thousand instances. DIR/cases.cpp holds all programs, DIR/NAME.in the inputs and DIR/NAME.expected the
// traces.
#include "RandomSystem.h"
#include "Traces.h"
#include "sync/command/ReadSystem.h"
#include "sync/emit/CodeText.h"
#include "sync/emit/Emit.h"
#include "sync/passes/Passes.h"
#include "sync/reader/Aif.h"

#include <fstream>
#include <iostream>
#include <sstream>

using namespace warploom::sync;

namespace {

constexpr int instances = 3;

std::string number(const ScalarType& type, const Value& value) {
  return type.base == ScalarType::Base::Real ? fmt::format("{:.17g}", value.real)
                                             : fmt::format("{}", value.integer);
}

std::string cells(const System& system, const std::vector<Value>& values, bool inputs) {
  std::string line;
  std::size_t at = 0;
  for (const Variable& variable : system.variables) {
    if (inputs ? !variable.isInput() : !variable.isOutput()) continue;
    for (std::int64_t i = 0; i < variable.type.cellCount(); ++i)
      line += number(variable.type.scalar, values[at++]) + " ";
  }
  return line + "\n";
}

struct Case {
  std::string name, inPlace; ///< as the programs call the system
  std::string program;
};

/// The programs of one system, and its files in `folder`.
Case write(const System& system, const std::string& folder, int steps, unsigned seed, bool checked,
           bool withInPlace = true) {
  const Inputs inputs =
      checked ? randomInputs(system, steps, seed) : untilError(system, randomInputs(system, steps, seed));
  PlanOptions options, inPlace;
  inPlace.twoPhase = false;
  // Every fourth system is cut into levels, so that this is tested on small systems too.
  if (seed % 4 == 0) options.largeComponent = 2, options.levelWidth = 1;
  const System normal = normalised(system, {checked, checked, checked});
  const Folding folding = fold(planStep(normal, options));
  EmitOptions emit;
  emit.instances = true;
  Case result{CodeText(folding, Language::C).name, "", ""};
  result.program = emitC(folding, emit) + emitDriver(folding, false, emit) + emitCuda(folding, emit) +
                   emitDriver(folding, true, emit);
  // The in-place form under another name, as C.
  result.inPlace = result.name;
  if (withInPlace) {
    System renamed = normal;
    renamed.name += "_inplace";
    const Folding second = fold(planStep(renamed, inPlace));
    result.inPlace = CodeText(second, Language::C).name;
    result.program += emitC(second, emit) + emitDriver(second, false, emit);
  }

  Interpreter interpreter(system, {checked, checked});
  std::ofstream in(folder + "/" + result.name + ".in"), expected(folder + "/" + result.name + ".expected");
  try {
    for (const std::vector<Value>& step : inputs) {
      in << cells(system, step, true);
      interpreter.step(step);
      expected << cells(system, interpreter.outputs(), false);
    }
  } catch (const RunError& error) {
    expected << "error " << error.step;
    if (error.kind == RunError::Kind::Assertion) expected << " " << error.actions[0];
    expected << "\n";
  }
  return result;
}

const char* const mainText = R"(
#include <string>

namespace {
struct Entry {
  const char* name;
  int (*c)(FILE*, FILE*, long);
  int (*inPlace)(FILE*, FILE*, long);
  int (*cuda)(FILE*, FILE*, int, long, long);
};
)";

} // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 3) return 2;
  const std::string folder = arguments.back();
  std::vector<Case> cases;
  if (const bool checked = arguments[0] == "checkedrandom"; checked || arguments[0] == "random") {
    const unsigned first = unsigned(std::stoul(arguments[1])), count = unsigned(std::stoul(arguments[2]));
    for (unsigned seed = first; seed < first + count; ++seed)
      cases.push_back(
          write(readAif(RandomSystem(seed).text(fmt::format("R{}", seed))), folder, 10, seed, checked));
  } else {
    for (std::size_t i = 1; i + 1 < arguments.size(); ++i) {
      std::ifstream file(arguments[i]);
      std::ostringstream text;
      text << file.rdbuf();
      Sources sources;
      sources.files.push_back({arguments[i], text.str()});
      try {
        cases.push_back(write(readSystem(sources), folder, 60, unsigned(i),
                              arguments[0] == "checked" || arguments[0] == "violating",
                              arguments[0] != "large"));
      } catch (const Error& error) {
        std::cerr << located(error, sources);
        return 1;
      }
    }
  }
  std::ofstream program(folder + "/cases.cpp");
  for (const Case& one : cases)
    program << one.program;
  program << mainText << "const Entry entries[] = {\n";
  for (const Case& one : cases)
    program << fmt::format("    {{\"{0}\", {0}_drive, {1}_drive, {0}_drive}},\n", one.name, one.inPlace);
  program << fmt::format(R"(}};
}} // namespace

// Runs every system in every way; NAME.c, NAME.inplace, NAME.steps, NAME.batch and NAME.many are the traces. The
// {0} instances of `many` all get the inputs of one step, so their lines come in runs of equal ones.
int main(int, char** arguments) {{
  const std::string folder = arguments[1];
  for (const Entry& entry : entries) {{
    const std::string base = folder + "/" + entry.name;
    const char* const endings[] = {{".steps", ".batch", ".many", ".c", ".inplace"}};
    for (int way = 0; way < 5; ++way) {{
      FILE* in = fopen((base + (way == 2 ? ".in{0}" : ".in")).c_str(), "r");
      FILE* out = fopen((base + endings[way]).c_str(), "w");
      if (in == nullptr || out == nullptr) return 2;
      if (way < 3) entry.cuda(in, out, way, -1, {0});
      else (way == 3 ? entry.c : entry.inPlace)(in, out, -1);
      fclose(in);
      fclose(out);
    }}
  }}
}}
)",
                         instances);
  program.close();
  return program ? 0 : 1;
}
