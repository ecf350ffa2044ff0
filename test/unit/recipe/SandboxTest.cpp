// Whatever a recipe is, it ends soon, with its line where it is at fault, and reaches nothing outside.
#include "Kitchen.h"
#include "support/Budget.h"

#include <random>

namespace warploom {
namespace {

using testing::HasSubstr;

void fails(const std::string& recipe, int line, const std::string& part) {
  Cooked cooked(product(), recipe);
  EXPECT_THAT(cooked.error, HasSubstr(part)) << recipe.substr(0, 200);
  EXPECT_EQ(cooked.line, line) << recipe.substr(0, 200) << "\n" << cooked.error;
}

TEST(Sandbox, MalformedLuaNamesItsLine) {
  fails("reverse(\"i\")\nreverse(\"j\"\n", 3, "')' expected");
  fails("\n\nthis is no Lua", 3, "syntax error");
  fails(std::string("\x1bLua binary", 11), 0, "attempt to load a binary chunk");
  fails(std::string("reverse(\"i\")\n\0\xff", 15), 2, "");
}

TEST(Sandbox, EndlessLoopsEnd) {
  fails("local x = 0\nwhile true do x = x + 1 end", 2, "runs too long");
  fails("while true do\n pcall(function() while true do end end)\nend", 2, "runs too long");
  fails("local function f() return f() end\nf()", 1, "runs too long");
  fails("repeat until false", 1, "runs too long");
  fails("string.rep(\"\", 1 << 40)", 1, "more than a million");
}

TEST(Sandbox, LoopsThroughFunctionsEnd) {
  // Functions of Lua's own work on a million elements or letters between two instructions.
  const std::string million = "local t = {}\nfor k = 1, 1000000 do t[k] = k end\n",
                    text = "local s = (\"x\"):rep(1000000)\n\n";
  for (const char* loop :
       {"while true do table.insert(t, 1, 0) table.remove(t, 1) end", "while true do table.sort(t) end",
        "while true do pcall(table.concat, t) end", "while true do pcall(table.unpack, t) end",
        "while true do table.sort(t, function() return false end) end"})
    fails(million + loop, 3, "runs too long");
  for (const char* function : {"upper", "lower", "reverse"})
    fails(text + "while true do string." + function + "(s) end", 3, "runs too long");
  fails(text + "while true do string.format(\"%s\", s) end", 3, "runs too long");
  fails(text + "while true do s:sub(2) end", 3, "runs too long");
  fails("while true do string.rep(\"\", 1000000) end", 1, "runs too long");
  // They do what they did.
  EXPECT_EQ(Cooked(product(),
                   "local t = {3, 1, 2}\ntable.insert(t, 1, 5) table.sort(t)\n"
                   "print(table.concat(t, \" \"), table.remove(t), #t, table.unpack(t, 2))\n"
                   "print((\"aB\"):upper(), (\"aB\"):rep(2, \"-\"), string.format(\"%d %s\", 7, \"x\"))")
                .printed,
            "1 2 3 5\t5\t3\t2\t3\nAB\taB-aB\t7 x\n");
  fails("\ntable.insert(nil, 1)", 2, "bad argument #1 to 'insert'");
}

TEST(Sandbox, LoopsThroughCommandsEnd) {
  RecipeLimits few;
  few.commands = 500;
  auto ends = [&](const std::string& recipe) {
    Cooked cooked(product(), recipe, few);
    EXPECT_THAT(cooked.error, HasSubstr("runs too long: more than 500 commands")) << recipe;
    EXPECT_EQ(cooked.line, 2) << recipe;
  };
  ends("\nwhile true do pcall(reverse, \"k\") end");
  ends("\nwhile true do is_parallel(\"k\") print_dep() end");
  fails("local function f() f() end\nwhile true do pcall(num_statements) pcall(f) end", 2, "runs too long");
  Cooked enough(product(), "for k = 1, 499 do pcall(reverse, \"k\") end", few);
  EXPECT_EQ(enough.error, "");
  // The same in time, of which all that a recipe does gets so much together.
  setEffort(0);
  for (const char* recipe : {"\nreverse(\"i\")", "\npcall(reverse, \"i\")", "\nwhile true do end"}) {
    Cooked late(product(), recipe);
    EXPECT_THAT(late.error, HasSubstr("runs too long: it did not fit into the ")) << recipe;
    EXPECT_EQ(late.line, 2) << recipe;
  }
  setEffort(1);
}

TEST(Sandbox, WhatIsPrintedIsLimited) {
  RecipeLimits few;
  few.memory = 1 << 17;
  few.instructions = 2'000'000;
  few.commands = 2'000;
  for (const char* command : {"print_dep()", "print_code()", "print_space()", "print((\"x\"):rep(1000))"}) {
    Cooked cooked(product(), fmt::format("\nwhile true do {} end", command), few);
    EXPECT_THAT(cooked.error, HasSubstr("prints too much")) << command;
    EXPECT_EQ(cooked.line, 2) << command;
    EXPECT_LE(cooked.printed.size(), few.memory);
    Cooked caught(product(), fmt::format("\nwhile true do pcall(function() {} end) end", command), few);
    EXPECT_THAT(caught.error, HasSubstr("runs too long")) << command;
    EXPECT_LE(caught.printed.size(), few.memory);
  }
}

TEST(Sandbox, FilesThatAreReadCount) {
  Folder folder;
  folder.write("long.lua", "--" + std::string(2'000'000, 'x') + "\n");
  folder.write("bad.lua", "--" + std::string(2'000'000, 'x') + "\n(");
  Region region = product();
  Facts facts = analyse(region);
  const std::vector<RecipeTarget> targets = {
      {"input.c", &region,
       [&] { return std::variant<ScheduleState, std::string>(ScheduleState(region, facts)); }}};
  for (const char* recipe :
       {"while true do dofile(\"long.lua\") end", "while true do pcall(dofile, \"bad.lua\") end"})
    try {
      runRecipe(folder.write("r.lua", recipe), targets, [](const std::string&) {});
      FAIL() << recipe;
    } catch (const RecipeError& error) {
      EXPECT_THAT(error.message, HasSubstr("runs too long")) << recipe;
      EXPECT_EQ(error.line, 1) << recipe;
    }
}

TEST(Sandbox, MemoryIsLimited) {
  fails("local t = {}\nfor k = 1, 1e9 do\n t[k] = k\nend", 3, "MiB of memory");
  fails("local s = \"x\"\nwhile true do s = s .. s end", 2, "memory");
  fails("local s = (\"x\"):rep(1000000)\nlocal t = s:rep(1000000)", 2, "");
  fails("while true do print(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\") end", 1,
        "");
}

TEST(Sandbox, DeepRecursionEnds) {
  fails("local function f(n)\n return 1 + f(n + 1)\nend\nf(0)", 2, "");
  fails("x = " + std::string(5000, '(') + "1" + std::string(5000, ')'), 0, "nested too deeply");
  fails("local t = {}\n" + std::string("x = ") + std::string(3000, '{') + std::string(3000, '}'), 0,
        "nested too deeply");
}

TEST(Sandbox, NothingOutsideIsReached) {
  for (const char* name : {"os", "io", "package", "require", "load", "loadstring", "loadfile", "debug",
                           "coroutine", "collectgarbage", "setmetatable", "getmetatable", "utf8"})
    EXPECT_EQ(Cooked(product(), fmt::format("assert({} == nil)", name)).error, "") << name;
  for (const char* name : {"string.dump", "string.find", "string.gsub", "table.move"})
    EXPECT_EQ(Cooked(product(), fmt::format("assert({} == nil)", name)).error, "") << name;
  fails("dofile(\"/etc/passwd\")", 1, "only what is in the folder");
  fails("dofile(\"../../etc/passwd\")", 1, "only what is in the folder");
  fails("dofile(\"missing.lua\")", 1, "there is no such recipe");
  fails("dofile(7)", 1, "name of a file");
}

TEST(Sandbox, FilesBesideTheRecipeAreRead) {
  Folder folder;
  folder.write("sizes.lua", "TI = 8\nreturn 5");
  folder.write("bad.lua", "\n\nreverse()");
  Region region = product();
  Facts facts = analyse(region);
  std::vector<RecipeTarget> targets = {
      {"input.c", &region,
       [&] { return std::variant<ScheduleState, std::string>(ScheduleState(region, facts)); }}};
  std::string printed;
  auto show = [&](const std::string& text) { printed += text; };
  runRecipe(folder.write("r.lua", "print(dofile(\"sizes.lua\"), TI)"), targets, show);
  EXPECT_EQ(printed, "5\t8\n");
  try {
    runRecipe(folder.write("r.lua", "dofile(\"bad.lua\")"), targets, show);
    FAIL();
  } catch (const RecipeError& error) {
    EXPECT_THAT(error.file, testing::EndsWith("bad.lua"));
    EXPECT_EQ(error.line, 3);
  }
}

TEST(Sandbox, WrongTypesAreSaid) {
  for (const Command& command : commands())
    for (const char* arguments :
         {"", "nil", "{}", "{{}}", "{1}", "function() end", "-1", "1e300", "0/0", "\"\", \"\"", "{}, {}, {}",
          "{}, {}, {}, {}", "0, 0, 0", "0, 1, {}", "\"i\", \"i\", \"i\"", "{\"i\", \"i\"}", "\"a\\0b\"",
          "1, 2, 3, 4, 5, 6, 7, 8, 9"}) {
      const std::string recipe = fmt::format("\n{}({})", command.name, arguments);
      Cooked cooked(product(), recipe);
      if (!cooked.error.empty()) EXPECT_EQ(cooked.line, 2) << recipe << ": " << cooked.error;
    }
  fails("permute(7)", 1, "permute: argument 1 must be a list");
  fails("reverse({})", 1, "reverse");
  fails("\nerror({})", 2, "an error that is a table");
}

TEST(Sandbox, TenThousandCommands) {
  Cooked cooked(product(), "for k = 1, 5000 do unroll(\"k\", 1 + k % 4) unroll(\"i\", 2) end");
  EXPECT_EQ(cooked.error, "");
  EXPECT_EQ(cooked.steps.size(), 10000U);
  RecipeLimits few;
  few.steps = 10;
  Cooked limited(product(), "for k = 1, 11 do\nunroll(\"k\", 2)\nend", few);
  EXPECT_THAT(limited.error, HasSubstr("at most 10 steps"));
  EXPECT_EQ(limited.line, 2);
}

/// Mutants of good recipes end: they are taken, or are at fault, with a line unless nothing of them runs.
TEST(Sandbox, MutantsOfGoodRecipesEnd) {
  const std::vector<std::string> good = {
      "TI, TJ = 64, 16\ntile_by_index({\"i\",\"j\"}, {TI,TJ}, {l1_control=\"ii\", l2_control=\"jj\"}, "
      "{\"ii\",\"jj\",\"i\",\"j\"})\ntile_by_index({\"k\"}, {16}, {l1_control=\"kk\"}, "
      "{\"ii\",\"jj\",\"kk\",\"i\",\"j\",\"k\"}, strided)\ntile_by_index({\"i\"}, {TJ}, {l1_control=\"tt\", "
      "l1_tile=\"t\"}, {\"ii\",\"jj\",\"kk\",\"t\",\"tt\",\"j\",\"k\"})\ncudaize(\"gemm\", {}, "
      "{block={\"ii\",\"jj\"}, thread={\"t\",\"tt\"}})\ncopy_to_shared(\"tx\", \"b\", -16)\n"
      "copy_to_texture(\"b\")\ncopy_to_registers(\"kk\", \"c\")\nunroll_to_depth(2)\n",
      "init(\"input.c\", \"f\", 0)\npermute(0, {\"j\",\"i\"})\ntile(0, 2, 8)\nunroll(0, 4, 2)\n"
      "split(0, 1, \"L1 < 17\")\npeel(0, 1, 1)\nprint_code()\nprint(hard_loop_bounds(\"k\"))\n",
      "known(\"n > 3\")\nreduce(\"c\", \"k\")\nstrip(\"j\", 4, \"jj\")\nnormalize_index(\"j\")\nscale(\"i\", "
      "2)\n"
      "reverse(\"i\")\nunroll(0, 4, 2)\nrename_index(\"i\", \"r\")\nshift({0}, 1, \"n - 1\")\n"};
  const std::vector<std::string> words = {"0",
                                          "-1",
                                          "nil",
                                          "{}",
                                          "\"i\"",
                                          "\"k\"",
                                          "\"\"",
                                          "1e9",
                                          "(",
                                          ")",
                                          ",",
                                          "\"kk\"",
                                          "strided",
                                          "while true do end ",
                                          "99999999999999999999",
                                          "\"a\""};
  for (const std::string& recipe : good)
    EXPECT_EQ(Cooked(product(), recipe).error, "");
  std::mt19937 random(17);
  auto pick = [&](std::size_t below) { return random() % below; };
  int taken = 0;
  for (int k = 0; k < 500; ++k) {
    std::string text = good[pick(good.size())];
    for (std::size_t changes = 1 + pick(3); changes-- > 0;) {
      const std::size_t at = pick(text.size()), length = std::min<std::size_t>(pick(8), text.size() - at);
      switch (pick(4)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, words[pick(words.size())]);
        break;
      case 2:
        text.replace(at, length, words[pick(words.size())]);
        break;
      default:
        text.insert(at, text.substr(pick(text.size()), length));
        break;
      }
      if (text.empty()) text = "x";
    }
    RecipeLimits limits;
    limits.instructions = 200'000;
    Cooked cooked(product(), text, limits);
    taken += cooked.error.empty();
    EXPECT_TRUE(cooked.error.empty() || cooked.line > 0) << text << "\n" << cooked.error;
  }
  EXPECT_GE(taken, 5);
}

} // namespace
} // namespace warploom
