// What must stay and happen in its turn although it is neither an assignment nor a call: volatile and atomic
// accesses, `va_arg`, and what C++ does by itself.
#include "Reading.h"

#include <gtest/gtest.h>

namespace warploom {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string types = "#include <stdarg.h>\nstruct device { volatile int status; int data; };\n"
                          "struct inside { struct device part[2]; };\n"
                          "static int look(volatile int *p) { return *p; }\n"
                          "static int ask(struct device *d) { return d->status; }\n";

/// Why the outermost loop over `i` with this body keeps its order.
std::string orderOf(const std::string& body, const std::vector<std::string>& flags = {}) {
  Region region = regionOf(types +
                               "void f(int n, int *a, volatile int *v, struct device *d, struct inside *s,"
                               " int *volatile *p, _Atomic int *t) {\n  for (int i = 0; i < n; i++) { " +
                               body + " }\n}\n",
                           flags);
  for (const Statement& statement : region.statements)
    if (!statement.hostOnly.empty()) return region.loops.at(0).mustStaySequential;
  return "all of it may leave the host";
}

TEST(Ordered, VolatileThroughPointersFieldsElementsAndCasts) {
  EXPECT_EQ(orderOf("v[i] = i;"), "`v[i]` is volatile (line 7)");
  EXPECT_EQ(orderOf("a[i] = v[i];"), "`v[i]` is volatile (line 7)");
  EXPECT_EQ(orderOf("*v += i;"), "`*v` is volatile (line 7)");
  EXPECT_EQ(orderOf("d[i].status = i;"), "`d[i].status` is volatile (line 7)");
  EXPECT_EQ(orderOf("a[i] = d->status;"), "`d->status` is volatile (line 7)");
  EXPECT_EQ(orderOf("s[i].part[1].status++;"), "`s[i].part[1].status` is volatile (line 7)");
  EXPECT_EQ(orderOf("*(volatile int *)(a + i) = 1;"), "`*(volatile int *)(a + i)` is volatile (line 7)");
  EXPECT_EQ(orderOf("(*p)[i] = 1;"), "`*p` is volatile (line 7)");
  EXPECT_EQ(orderOf("a[i + v[0]] = 1;"), "`v[0]` is volatile (line 7)");
}

TEST(Ordered, VolatileWhereNothingIsAssigned) {
  EXPECT_EQ(orderOf("v[i];"), "`v[i]` is volatile (line 7)");
  EXPECT_EQ(orderOf("(void)*v; a[i] = 0;"), "`*v` is volatile (line 7)");
  EXPECT_EQ(orderOf("if (*v) a[i] = 1;"), "`*v` is volatile (line 7)");
  EXPECT_EQ(orderOf("if (i > 3) { if (a[i]) v[i] = 1; }"), "`v[i]` is volatile (line 7)");
  EXPECT_EQ(orderOf("a[i] = i > 3 && *v ? 1 : 2;"), "`*v` is volatile (line 7)");
  EXPECT_EQ(orderOf("for (int j = 0; j < *v; j++) a[i] = j;"), "`*v` is volatile (line 7)");
  EXPECT_THAT(orderOf("volatile int x = i; a[i] = x;"), HasSubstr("(line 7)"));
}

TEST(Ordered, AStructWithVolatilePartsReadAsAWhole) {
  EXPECT_EQ(orderOf("d[i] = d[i + n];"), "`d[i + n]` has volatile or atomic parts (line 7)");
  EXPECT_EQ(orderOf("s[i] = s[i + n];"), "`s[i + n]` has volatile or atomic parts (line 7)");
  EXPECT_EQ(orderOf("a[i] = d[i].data;"), "all of it may leave the host");
}

TEST(Ordered, FunctionsThatTouchVolatileObjects) {
  EXPECT_EQ(orderOf("a[i] = look(v + i);"), "`look` is called, whose effects are not known (line 7)");
  EXPECT_EQ(orderOf("a[i] = ask(d + i);"), "`ask` is called, whose effects are not known (line 7)");
}

TEST(Ordered, AtomicsAndTheNextArgument) {
  EXPECT_EQ(orderOf("t[i] += 1;"), "`t[i]` is atomic (line 7)");
  EXPECT_THAT(orderOf("__atomic_fetch_add(&a[i % 4], 1, 0);"), HasSubstr("is atomic (line 7)"));
  EXPECT_THAT(orderOf("extern va_list list; a[i] = va_arg(list, int);"),
              HasSubstr("takes the next argument (line 7)"));
}

TEST(Ordered, ASizeThatIsVolatileIsNoSize) {
  // Its value when the region begins is not the one that is used.
  FileRegions file = readSource(types + "void f(int n, int *a, volatile int *v) {\n  int m = *v;\n"
                                        "  for (int i = 0; i < n; i++) a[i + m] = 1;\n}\n");
  ASSERT_EQ(file.regions.size(), 1u);
  for (const Parameter& parameter : file.regions[0].parameters)
    EXPECT_THAT(parameter.text, Not(HasSubstr("v")));
}

TEST(Ordered, ObjectsOfCPlusPlusThatDoSomethingByThemselves) {
  auto order = [](const std::string& body) {
    FileRegions file = readSource("struct loud { loud(int); ~loud(); int k; };\n"
                                  "void f(int n, int *a, int **p) {\n  for (int i = 0; i < n; i++) { " +
                                      body + " }\n}\n",
                                  {}, "input.cpp");
    return file.regions.at(0).loops.at(0).mustStaySequential;
  };
  EXPECT_THAT(order("delete p[i];"), HasSubstr("manages memory (line 3)"));
  EXPECT_THAT(order("p[i] = new int(i);"), HasSubstr("manages memory (line 3)"));
  EXPECT_THAT(order("loud one(i); a[i] = 0;"), HasSubstr("(line 3)"));
  EXPECT_THAT(order("if (a[i]) throw 1;"), HasSubstr("throws (line 3)"));
  EXPECT_EQ(order("a[i] = 0;"), "");
}

} // namespace
} // namespace warploom
