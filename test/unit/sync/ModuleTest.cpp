// Modules: instances with parameters, arrays of them, and what is wrong with them.
#include "Folder.h"
#include "Traces.h"
#include "sync/emit/Emit.h"
#include "sync/passes/Passes.h"
#include "sync/reader/Aif.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

namespace warploom::sync {
namespace {

using testing::HasSubstr;

const std::string counter = R"(module Counter(most, by):
interface:
  go: input bool
  n: output memorized nat{most}
main:
  data flow:
    go & n + by < most => next(n) = n + by
    go & n + by >= most => next(n) = 0
)";

std::string errorOf(const std::string& text) {
  try {
    readAif(text);
  } catch (const Error& error) {
    return fmt::format("{}:{}: {}", error.place.line, error.place.column, error.what());
  }
  return "none";
}

TEST(Modules, InstancesHaveParametersAndNamesOfTheirOwn) {
  const System system =
      readAif(counter + "system S:\ninterface:\n  go: input bool\n  a: output memorized nat{5}\n"
                        "  b: output memorized nat{9}\ninstances:\n  one: Counter(5, 1) { go = go, n = a }\n"
                        "  two: Counter(9, 2) { go = go & a == 0, n = b }\n");
  std::vector<std::string> expected;
  int a = 0, b = 0;
  const Inputs inputs(30, {Value{1, 0}});
  for (int step = 0; step < 30; ++step) {
    expected.push_back(fmt::format("{} {}", a, b));
    if (step == 0) continue; // the first step is init
    if (a == 0) b = b + 2 < 9 ? b + 2 : 0;
    a = a + 1 < 5 ? a + 1 : 0;
  }
  EXPECT_EQ(traceOf(system, inputs), expected);
  EXPECT_EQ(traceOf(normalised(system), inputs), expected);
}

TEST(Modules, AnArrayOfInstancesIsOneLoop) {
  const System system =
      readAif("module Cell:\ninterface:\n  left: input bool\n  x: output memorized bool\nlocals:\n"
              "  old: local memorized bool\nmain:\n  data flow:\n    true => next(x) = left xor old\n"
              "    true => next(old) = x\nsystem Line:\ninterface:\n  first: input bool\n"
              "  x: output memorized bool[100]\ninstances:\n"
              "  head: Cell { left = first, x = x[0] }\n"
              "  c[i: 99]: Cell { left = x[i], x = x[i + 1] }\n");
  const std::string text = emitC(fold(planStep(normalised(system))));
  EXPECT_THAT(text, HasSubstr("next->x[i + 1] = "));
  EXPECT_LT(text.size(), 4000u);
}

TEST(Modules, MistakesAreLocated) {
  const std::string head =
      counter + "system S:\ninterface:\n  g: input bool\n  a: output memorized nat{5}\ninstances:\n";
  EXPECT_EQ(errorOf(head + "  one: Clock { }\n"), "14:8: there is no module `Clock`");
  EXPECT_EQ(errorOf(head + "  one: Counter(5) { go = g, n = a }\n"),
            "14:8: Counter has 2 parameters and is given 1");
  EXPECT_EQ(errorOf(head + "  one: Counter(5, 1) { n = a }\n"), "14:3: input `go` of Counter is not given");
  EXPECT_EQ(errorOf(head + "  one: Counter(5, 1) { go = g, n = a, z = g }\n"),
            "14:39: `z` is not in the interface of Counter");
  EXPECT_EQ(errorOf(head + "  one: Counter(6, 1) { go = g, n = a }\n"),
            "14:32: `n` is nat{6} and is given nat{5}");
  EXPECT_EQ(errorOf(head + "  one: Counter(5, 1) { go = g, n = g }\n"),
            "14:32: `n` is nat{5} and is given bool");
  EXPECT_EQ(
      errorOf(head + "  one: Counter(5, 1) { go = g, n = a }\n  one: Counter(5, 1) { go = g, n = a }\n"),
      "15:3: `one` is already declared");
  EXPECT_EQ(errorOf(counter + counter + "system S:\n"), "9:8: there is another module `Counter`");
  EXPECT_EQ(errorOf("module A:\ninstances:\n  b: B { }\nmodule B:\ninstances:\n  a: A { }\nsystem "
                    "S:\ninstances:\n  a: A { }\n"),
            "6:6: recursive instantiation: A -> B -> A");
  EXPECT_EQ(errorOf(counter), "9:1: there is no `system` here, only modules");
}

TEST(Modules, StandInFilesOfTheirOwn) {
  Folder folder;
  folder.write("counter.aif", counter);
  const auto sources = [&](const std::string& text) {
    Sources result;
    result.files.push_back({(folder.path / "main.aif").string(), text});
    return result;
  };
  const std::string rest =
      "system S:\ninterface:\n  g: input bool\n  a: output memorized nat{5}\ninstances:\n";
  Sources good = sources("import counter\n" + rest + "  one: Counter(5, 1) { go = g, n = a }\n");
  EXPECT_EQ(readAif(good).main.dataFlow.size(), 2u);
  Sources bad = sources("import counter\n" + rest +
                        "  one: Counter(5, 1) { go = 3 > 2, n = a }\n  two: Counter(0, 1) { go = g }\n");
  try {
    readAif(bad);
    FAIL();
  } catch (const Error& error) { // located in the file that is at fault
    EXPECT_THAT(located(error, bad),
                HasSubstr("counter.aif:4:27: error: the bound of a type must be between"));
  }
}

} // namespace
} // namespace warploom::sync
