#!/usr/bin/env python3
"""What the fork-join commands say: shapes of translations, errors with their places, races, and bad input.

SHOWS: MF-01 MF-02 MF-03 MF-04 MF-05 MF-06 MF-07 MF-08 MF-09 MF-10 MF-11 MF-12 MF-13 MF-14 MF-15 MF-16 MF-17 MF-19 MF-20 MF-21
SHOWS: MF-24 MF-25 MF-26 MF-27 MF-28 MF-29 MF-30 MF-31 MF-32 MF-34 MF-35 MF-36 MF-37 MF-39 MF-40 MF-41
"""

import argparse
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = None


class Fork(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, text, name="program.mf"):
        path = Path(self.folder.name) / name
        path.write_bytes(text.encode())
        return path

    def tool(self, *words):
        done = subprocess.run([TOOL, *map(str, words)], capture_output=True, timeout=100)
        self.assertGreaterEqual(done.returncode, 0, f"ended by a signal: {words} {done.stderr}")
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def translate(self, text, to, name="program.mf", *more):
        status, out, err = self.tool("translate", self.file(text, name), "--to", to, *more)
        self.assertEqual(status, 0, err)
        return out

    def refused(self, text, message, line, name="program.mf", to="c"):
        status, out, err = self.tool("translate", self.file(text, name), "--to", to)
        self.assertEqual(status, 1, out + err)
        self.assertIn(message, err)
        self.assertIn(f"{name}:{line}:", err)
        self.assertIn("^", err)
        self.assertEqual(out, "")

    def run_program(self, text, *more):
        return self.tool("run", *more, self.file(text))

    def prints(self, text, expected):
        """On threads, serially, and under the race detector, which finds nothing."""
        for way in [[], ["--serial"], ["--sanitize"]]:
            status, out, err = self.run_program(text, *way)
            self.assertEqual((status, out, err), (0, expected, ""), way)

    def race(self, text, *places):
        status, _, err = self.run_program(text, "--sanitize")
        self.assertEqual(status, 1, err)
        line = next((line for line in err.splitlines() if "race:" in line), "")
        for place in places:
            self.assertIn(f"program.mf:{place}", line, err)

    # The language

    def test_calls_are_forked_and_their_results_kept(self):
        self.prints('#include <stdio.h>\nstatic int twice(int v) { return 2 * v; }\nstatic int seen;\n'
                    'static void note(int v) { seen = v; }\nint main(void) { int y; y = meta_fork twice(21); meta_fork note(7);\n'
                    'meta_join; printf("%d %d\\n", y, seen); return 0; }\n', "42 7\n")

    def test_arguments_are_evaluated_before_the_fork(self):
        text = ('#include <stdio.h>\nstatic int order[3], n;\nstatic int mark(int v) { order[n++] = v; return v; }\n'
                'static int got;\nstatic void child(int v) { got = v; }\n'
                'int main(void) { int i = 1; meta_fork child(mark(i++) * 10); mark(i); i = 50; meta_join;\n'
                'printf("%d %d %d\\n", order[0], order[1], got); return 0; }\n')
        self.prints(text, "1 2 10\n")
        out = self.translate(text, "openmp")
        self.assertIn("fork_argument0 = mark(i++) * 10;", out)

    def test_blocks_have_copies_of_scalars_and_share_the_rest(self):
        self.prints('#include <stdio.h>\nint g = 1;\nint main(void) { int v = 5, w = 5, a[2] = {1, 2}, *p = a + 1; const int c = 3; static int s = 4;\n'
                    'meta_fork { v = v + 1; a[0] = v + c; *p = 9; g = 10; s = 11; }\nmeta_fork shared(w) { w = 8; }\nmeta_join;\n'
                    'printf("%d %d %d %d %d %d\\n", v, w, a[0], a[1], g, s); return 0; }\n', "5 8 9 9 10 11\n")

    def test_a_join_waits_for_direct_children_only(self):
        grandchild = ('#include <stdio.h>\nstatic int deep;\nstatic void low(void) {\n  deep = 1;\n}\n'
                      'static void child(void) { meta_fork low(); %s }\n'
                      'int main(void) { meta_fork child(); meta_join;\n  printf("%%d\\n", deep);\n  return 0; }\n')
        self.race(grandchild % "", "4", "8")
        self.prints(grandchild % "meta_join;", "1\n")

    def test_nothing_joins_at_the_end_of_a_function_or_block(self):
        # A child forked by a function that was called is the caller's child, and still runs when that returns.
        text = ('#include <stdio.h>\nstatic int x;\nstatic void set(void) {\n  x = 1;\n}\nstatic void forks(void) { { meta_fork set(); } }\n'
                'int main(void) { forks();\n%s  x++;\n  meta_join; printf("%%d\\n", x); return 0; }\n')
        self.race(text % "", "4", "8")
        self.prints(text % "meta_join;\n", "2\n")

    def test_loops_join_at_their_end_and_have_variables_of_their_own(self):
        self.prints('#include <stdio.h>\nint main(void) { int a[40], i = 3;\nmeta_for (i = 0; i < 40; i++) { int t = i; t *= 2; a[i] = t; }\n'
                    'int sum = 0; for (int k = 0; k < 40; ++k) sum += a[k];\nprintf("%d %d\\n", sum, i); return 0; }\n', "1560 3\n")
        self.race('#include <stdio.h>\nint main(void) { int a[9]; meta_for (int i = 0; i < 9; ++i) {\n    static int t;\n'
                  '    t = i;\n    a[i] = t;\n  }\n  printf("%d\\n", a[3]); return 0; }\n', "4")

    def test_all_forms_of_headers(self):
        headers = ["int i = 0; i < 9; i++", "int i = 0; i <= 8; ++i", "int i = 8; i >= 0; i--", "int i = 8; i > -1; --i", "int i = 0; i != 9; i += 1", "int i = 8; i >= 0; i -= 1",
                   "int i = 0; i < 9; i = i + 1", "int i = 8; -1 < i; i = i - 1", "int i = 0; i < 9; i += 2", "int i = 8; i >= 0; i = i - 4"]
        text = "#include <stdio.h>\nstatic int a[9];\nint main(void) {\n" + "".join(
            "  meta_for (%s) a[i] += i + 1;\n  for (int k = 0; k < 9; k++) printf(\"%%d\", a[k]), a[k] = 0;\n  puts(\"\");\n" % header for header in headers) + "  return 0;\n}\n"
        self.prints(text, 8 * "123456789\n" + "103050709\n" + "100050009\n")
        for header in headers:
            self.assertIn(f"for ({header})", self.translate(text, "c"))
        loop = "int a[9];\nvoid f(void) { int n = 9;\n  meta_for (%s) a[0] = 1; }\n"
        self.refused(loop % "int i = 0; i < n; i *= 2", "its step adds to", 3)
        self.refused(loop % "int i = 0; n; i++", "its condition compares", 3)
        self.refused(loop % "; n < 3; n++", "its header begins with", 3)
        self.refused(loop % "int i = 0, j = 0; i < n; i++", "its header declares one counter", 3)
        self.refused(loop % "double i = 0; i < n; i++", "its counter is a whole number or a pointer", 3)
        self.refused(loop % "int i = 0; i < n; i--", "its step goes towards the bound", 3)

    def test_races_are_named_by_both_accesses(self):
        self.race('#include <stdio.h>\nint main(void) { int sum = 0;\n  meta_for (int i = 0; i < 50; ++i)\n    sum += i;\n'
                  '  printf("%d\\n", sum); return 0; }\n', "4")
        self.race('#include <stdio.h>\nstatic int f(int n) {\n  return n;\n}\nint main(void) { int x = 0;\n  x = meta_fork f(1);\n'
                  '  int y = x;\n  meta_join; printf("%d %d\\n", x, y); return 0; }\n', "6", "7")

        # Cilk's programs, too.
        cilk = "#include <stdio.h>\n#include <cilk/cilk.h>\nint total;\nstatic void add(int n) {\n  total += n;\n}\nint main(void) {\n" \
               "  cilk_spawn add(1);\n%s  add(2);\n  cilk_sync;\n  printf(\"%%d\\n\", total);\n  return 0;\n}\n"
        status, _, err = self.tool("run", "--sanitize", self.file(cilk % "", "race.c"))
        self.assertEqual(status, 1, err)
        self.assertEqual(err.count("race.c:5:"), 2, err)
        for way in [["--sanitize"], ["--serial"], []]:
            self.assertEqual(self.tool("run", *way, self.file(cilk % "  cilk_sync;\n", "race.c")), (0, "3\n", ""), way)

    def test_remarks_name_the_lines_of_the_program(self):
        text = ("#include <stdio.h>\nstatic int a[9];\nstatic void put(int i) { a[i] = i; }\nint main(void) {\n  unsigned s = 1;\n"
                "  for (int i = 0; i < 9; i++)\n    meta_fork put(i);\n  meta_join;\n  for (int i = 0; i < 9; i++) a[i] += (s = s * 5u);\n"
                "  meta_for (int i = 0; i < 9; i++)\n    a[i] += 2;\n  for (int i = 0; i < 9; i++) printf(\"%d \", a[i]);\n  return 0;\n}\n")
        for name, source in {"lines.mf": text, "lines.c": "#include <cilk/cilk.h>" + text[len("#include <stdio.h>"):].replace("meta_fork", "cilk_spawn")
                             .replace("meta_join", "cilk_sync").replace("meta_for", "cilk_for").replace('printf("%d ", a[i])', "a[0] ^= a[i]")}.items():
            status, out, err = self.tool("compile", self.file(source, name), "-o", self.file("", "lines.cu"))
            self.assertEqual(status, 0, err)
            said = [line.rpartition("/")[2] for line in err.splitlines()]
            self.assertEqual(said[0].partition(": remark: ")[::2], (f"{name}:7:7", "the region main:6 stays as it was: it forks"), err)
            self.assertEqual([line.partition(" stays")[0] for line in said[1:]],
                             ["lines.mf:12:31: remark: the region main:12"] if name == "lines.mf" else [], err)

    def test_jumps_are_diagnosed(self):
        body = "int f(int n) {\n  int a[4]; for (int k = 0; k < n; ++k) {\n    %s\n  }\n  out: return a[0];\n}\n"
        self.refused(body % "meta_fork { if (n) return 1; a[0] = 1; }", "a jump out of the body of meta_fork", 3)
        self.refused(body % "meta_fork { if (n) break; a[0] = 1; }", "a jump out of the body of meta_fork", 3)
        self.refused(body % "meta_fork { if (n) continue; a[0] = 1; }", "a jump out of the body of meta_fork", 3)
        self.refused(body % "meta_fork { if (n) goto out; a[0] = 1; }", "a jump out of the body of meta_fork", 3)
        self.refused(body % "meta_for (int i = 0; i < 4; ++i) { if (n) break; a[i] = 1; }", "a jump out of the body of meta_for", 3)
        self.refused(body % "goto in; meta_fork { in: a[0] = 1; }", "a jump into the body of meta_fork", 3)
        self.refused(body % "switch (n) meta_fork { case 1: a[0] = 1; }", "a jump into the body of meta_fork", 3)
        self.translate(body % "meta_fork { while (n) { if (n > 3) break; n--; } a[0] = 1; }", "c")
        self.translate(body % "meta_for (int i = 0; i < 4; ++i) { if (i == n) continue; a[i] = 1; }", "c")

    def test_grain_sizes_reach_every_target(self):
        text = "int a[99];\nvoid f(int g) {\n#pragma meta grainsize = g + 1\n  meta_for (int i = 0; i < 99; ++i) a[i] = i;\n}\n"
        self.assertIn("#pragma omp parallel for schedule(dynamic, g + 1)", self.translate(text, "openmp"))
        self.assertIn("#pragma cilk grainsize g + 1", self.translate(text, "cilk"))
        self.assertNotIn("grainsize", self.translate(text, "c"))
        self.refused(text.replace("g + 1", "nowhere"), "use of undeclared identifier 'nowhere'", 3)
        self.refused("void f(void) {\n#pragma meta grainsize = 4\n  int x = 0;\n}\n", "directly before a parallel loop", 2)

    def test_elision_outlines_blocks(self):
        text = ("int g(int);\nvoid f(int n) {\n  int x = 1, y = 2;\n  meta_fork shared(x) { int y = n; x = y; g(x); }\n"
                "  meta_fork y = g(n);\n  meta_fork shared(y) y = g(n);\n  meta_fork { g(n); }\n  meta_join;\n}\n")
        out = self.translate(text, "c")
        self.assertIn("static void fork_func0(int n, int *x) { int y = n; (*x) = y; g((*x)); }", out)
        self.assertIn("fork_func0(n, &x);", out)
        self.assertIn("static void fork_func1(int y, int n) { y = g(n); }", out)
        self.assertIn("  y = g(n);\n  g(n);\n", out)
        self.assertNotIn("meta_", out)

    def test_device_statements_have_a_shape(self):
        head = "int a[64];\nvoid f(int n, int B) {\n  meta_schedule %s{\n%s\n  }\n}\n"
        nest = "meta_for (int v = 0; v < n; v++) meta_for (int u = 0; u < B; u++) a[v * B + u] = 1;"
        self.assertIn("for (int v = 0; v < n; v++) for (int u = 0; u < B; u++) a[v * B + u] = 1;", self.translate(head % ("cache(a) ", nest), "c"))
        self.refused(head % ("", "a[0] = 1;"), "only loop nests may stand directly in meta_schedule", 4)
        for others, count in ((0, 1), (2, 3), (4, 5), (6, 7)):
            loops = "".join(f"meta_for (int w{k} = 0; w{k} < n; w{k}++) " for k in range(others))
            self.refused(head % ("", loops + "meta_for (int v = 0; v < n; v++) a[v] = 1;"), f"this one has {count}", 4)
        self.refused(head % ("", nest.replace("v = 0", "v = 1")), "a device meta_for begins at 0", 4)
        self.refused(head % ("", nest.replace("v++", "v += 2")), "a device meta_for steps by 1", 4)
        self.refused(head % ("", nest.replace("v < n", "v < n / 2")), "a device meta_for ends before a variable", 4)
        self.refused(head % ("cache(n) ", nest), "'n' is no array", 3)
        self.refused(head % ("cache(b) ", nest), "'b' is no variable here", 3)

    def test_pipelines_are_reserved(self):
        for word in ("meta_pipe { }", "meta_wait;", "meta_continue;"):
            self.refused("void f(void) {\n  %s\n}\n" % word, f"{word.split()[0].strip(';')} is reserved; pipelines are unsupported", 2)

    # Translators

    def test_fibonacci_from_cilk_to_openmp(self):
        cilk = ("#include <cilk/cilk.h>\nint fib(int n) {\n  if (n < 2) return n;\n  int x, y;\n  x = cilk_spawn fib(n - 1);\n"
                "  y = fib(n - 2);\n  cilk_sync;\n  return x + y;\n}\n")
        self.assertEqual(self.translate(cilk, "metafork", "fib.c"),
                         cilk.replace("#include <cilk/cilk.h>\n", "").replace("cilk_spawn", "meta_fork").replace("cilk_sync", "meta_join"))
        self.assertIn("#pragma omp task shared(x)\n  x = fib(n - 1);\n  y = fib(n - 2);\n  #pragma omp taskwait\n",
                      self.translate(cilk, "openmp", "fib.c"))

    def test_cilks_implied_joins_become_visible(self):
        out = self.translate("void g(int);\nint f(int n) {\n  if (n == 0) return 0;\n  cilk_spawn g(n);\n  if (n > 5) return 1;\n  g(2);\n  return 2;\n}\n"
                             "void h(void) { cilk_spawn g(1); }\n", "metafork", "f.c")
        self.assertIn("if (n == 0) return 0;", out)
        self.assertIn("if (n > 5) { meta_join; return 1; }", out)
        self.assertIn("meta_join; return 2;", out)
        self.assertIn("void h(void) { meta_fork g(1); meta_join; }", out)

    def test_cilks_loops_and_grain_sizes_go_both_ways(self):
        cilk = "int a[9];\nvoid f(void) {\n#pragma cilk grainsize = 4\n  cilk_for (int i = 0; i < 9; ++i) a[i] = i;\n}\n"
        meta = self.translate(cilk, "metafork", "f.c")
        self.assertEqual(meta, cilk.replace("cilk", "meta"))
        self.assertIn("#pragma cilk grainsize 4\n  cilk_for (int i = 0; i < 9; ++i) a[i] = i;", self.translate(meta, "cilk"))

    def test_openmps_loops(self):
        out = self.translate("int a[9], n;\nvoid f(void) {\n  int i, b;\n#pragma omp parallel\n#pragma omp for private(b) schedule(dynamic, 2)\n"
                             "  for (i = 0; i < n; i = i + 3) {\n    b = i;\n    a[i] = b;\n  }\n}\n", "metafork", "f.c")
        self.assertIn("#pragma meta grainsize = 2\n", out)
        self.assertRegex(out, r"meta_for \(int i = 0; i < n; i \+= 3\) \{ int b;\s*b = i;")
        out = self.translate("int a[9][9];\nint f(int t) {\n  int last = 0, i, j;\n#pragma omp parallel for collapse(2)\n  for (i = 0; i < 9; ++i)\n"
                             "    for (j = 0; j < 9; ++j) a[i][j] = t;\n#pragma omp parallel for firstprivate(t) lastprivate(last)\n"
                             "  for (i = 0; i < 9; i++) { t += i; last = t; }\n  return last;\n}\n", "metafork", "f.c")
        self.assertIn("meta_for (int i = 0; i < 9; ++i) meta_for (int j = 0; j < 9; ++j)", out)
        self.assertIn("int t_first0 = t;", out)
        self.assertIn("int t = t_first0;", out)
        self.assertIn("*last_last0 = last;", out)

    def test_openmps_sections(self):
        text = ("int x[5], y[5];\nvoid f(int *to) {\n  int s = 0, t = 0;\n#pragma omp parallel\n  {\n#pragma omp sections%s\n  {\n#pragma omp section\n"
                "    s = x[0];\n#pragma omp section\n    t = y[0];\n  }\n  }\n  *to = s + t;\n}\n")
        out = self.translate(text % "", "metafork", "f.c")
        self.assertIn("meta_fork shared(s) { s = x[0]; }", out)
        self.assertIn("meta_fork shared(t) { t = y[0]; }\n  meta_join;", out)
        out = self.translate(text % " nowait", "metafork", "f.c")
        self.assertRegex(out, r"t = y\[0\]; \}\s*\}\s*\} meta_join; \}")

    def test_openmps_tasks(self):
        head = "int F(int *, int);\nint g, out[4];\nvoid f(int n) {\n  int a[4] = {0}, y = 0; static int s;\n"
        tail = "\n#pragma omp taskwait\n}\n"
        task = lambda text: self.translate(head + "#pragma omp task" + text + tail, "metafork", "f.c")
        self.assertIn("meta_fork F(out, n);", task("\n  F(out, n);"))
        out = task("\n  F(a, n);")
        self.assertIn("struct temp_a0 temp_a0; __builtin_memcpy(temp_a0.copy, a, sizeof temp_a0.copy); meta_fork { F(temp_a0.copy, n); }", out)
        self.assertIn("g = meta_fork F(out, n);", task("\n  g = F(out, n);"))
        self.assertIn("s = meta_fork F(out, n);", task("\n  s = F(out, n);"))
        self.assertIn("meta_fork { y = F(out, n); }", task("\n  y = F(out, n);"))
        self.assertIn("y = meta_fork F(out, n);", task(" shared(y)\n  y = F(out, n);"))
        self.assertIn("meta_fork shared(y) { y++; g = y; }", task(" shared(y)\n  { y++; g = y; }"))
        self.assertIn("meta_join;", task("\n  F(out, n);"))
        out = self.translate("int a;\nvoid f(void) {\n#pragma omp parallel\n  {\n#pragma omp single\n    a = 1;\n#pragma omp barrier\n#pragma omp master\n    { a++; }\n  }\n}\n",
                             "metafork", "f.c")
        self.assertRegex(out, r"\{\s*a = 1;\s*meta_join;\s*\{ a\+\+; \}\s*\}")

    def test_arrays_are_shared_by_openmps_tasks(self):
        out = self.translate("void g(int *);\nvoid f(int n) {\n  int a[4];\n  meta_fork { a[0] = n; }\n  meta_fork g(a);\n  meta_join;\n}\n", "openmp")
        self.assertIn("#pragma omp task shared(a)\n  { a[0] = n; }", out)
        self.assertIn("#pragma omp task shared(a)\n  g(a);", out)

    def test_blocks_are_outlined_for_cilk(self):
        out = self.translate("int x[5];\nint f(void) {\n  int sum = 0, *p = x;\n  meta_fork shared(sum) { sum = p[0] + p[1]; }\n  meta_join;\n  return sum;\n}\n", "cilk")
        self.assertIn("static void fork_func0(int *sum, int *p) { (*sum) = p[0] + p[1]; }", out)
        self.assertIn("cilk_spawn fork_func0(&sum, p);\n  cilk_sync;", out)

    def test_reductions_go_everywhere(self):
        text = "int a[9];\nint f(void) {\n  int s = 0;\n#pragma omp parallel for reduction(+: s)\n  for (int i = 0; i < 9; i++) s += a[i];\n  return s;\n}\n"
        meta = self.translate(text, "metafork", "f.c")
        self.assertIn("meta_for reduction(+: s) (int i = 0; i < 9; i++) s += a[i];", meta)
        self.assertIn("#pragma omp parallel for reduction(+: s)\n", self.translate(meta, "openmp"))
        cilk = self.translate(meta, "cilk")
        self.assertIn("int cilk_reducer(reduce_identity0, reduce_combine0) s;", cilk)
        self.assertIn("meta_for reduction(reduce_identity0, reduce_combine0: s) (int i = 0; i < 9; i++) s += a[i];",
                      self.translate(cilk, "metafork", "g.c"))

    def test_what_has_no_translation_is_named(self):
        head = "int a[9], s;\nvoid f(int n) {\n  int i = 0;\n"
        for directive, name in [("critical", "omp critical"), ("atomic", "omp atomic"), ("taskgroup", "omp taskgroup"), ("simd\n  for (i = 0; i < 9; ++i)", "omp simd"),
                                ("target", "omp target")]:
            self.refused(head + f"#pragma omp {directive}\n  s += n;\n}}\n", f"'{name}' has no translation", 4, "f.c", "metafork")
        self.refused("int s;\n#pragma omp threadprivate(s)\nvoid f(void) {\n#pragma omp taskwait\n}\n", "'omp threadprivate' has no translation", 2, "f.c", "metafork")
        self.refused(head + "#pragma omp task depend(out: a)\n  s = n;\n}\n", "depend of 'omp task' has no translation", 4, "f.c", "metafork")
        self.refused(head + "#pragma omp parallel for ordered\n  for (i = 0; i < 9; ++i) a[i] = 1;\n}\n", "ordered of 'omp parallel for' has no translation", 4, "f.c", "metafork")
        self.refused(head + "#pragma omp parallel\n  {\n    s = n;\n  }\n}\n", "every thread runs this statement", 6, "f.c", "metafork")
        self.refused("#include <omp.h>\n" + head + "  s = omp_get_thread_num();\n#pragma omp taskwait\n}\n", "omp_get_thread_num has no translation", 5, "f.c", "metafork")

    def test_other_text_stays_byte_for_byte(self):
        text = ("/* meta_fork; cilk_spawn */\r\n#define TWICE(x) \\\r\n  ((x) + (x)) // odd\t\r\nchar *s = \"meta_join; #pragma omp\";\r\n\r\n"
                "void g(int);\r\nvoid f(void) {\r\n\tmeta_fork g(TWICE(1));\r\n\tmeta_join;   \r\n}\r\n// no newline at the end")
        self.assertEqual(self.translate(text, "c"), text.replace("meta_fork g", "g", 1).replace("\tmeta_join;", "\t;", 1))
        out = self.translate(text, "cilk")
        self.assertEqual(out, "#include <cilk/cilk.h>\r\n" + text.replace("meta_fork g", "cilk_spawn g", 1).replace("\tmeta_join;", "\tcilk_sync;", 1))
        plain = "int f(void)\t{ return 1; }\n\n\n"
        for to in ["metafork", "openmp", "cilk", "c"]:
            self.assertEqual(self.translate(plain, to, "plain.c"), plain)

    # Bad input

    def test_keywords_are_names_in_plain_c(self):
        text = "int meta_for = 1;\nint meta_fork(int meta_join) { return meta_join + meta_for; }\nint cilk_spawn, shared, cache;\n"
        for to in ["metafork", "c"]:
            self.assertEqual(self.translate(text, to, "names.c"), text)

    def test_malformed_constructs(self):
        for text, message in [("meta_fork;", "is expected before a call"), ("meta_join 3;", "meta_join is a statement"), ("meta_for (;;", "is expected to head a loop"),
                              ("meta_for x;", "is expected to head a loop"), ("meta_fork shared() { }", "a name is expected"), ("meta_fork shared(x { }", "a list of names"),
                              ("meta_fork shared(nobody) { }", "'nobody' is no variable here"), ("int y = 1 + meta_fork g(1);", "is expected before"), ("meta_schedule x;", "is expected before a block"),
                              ("meta_for reduction(?: x) (int i = 0; i < 3; ++i) ;", "no reduction"), ("x = meta_fork 1 + g(2);", "is expected before"), ("meta_fork g(", "expected"),
                              ("x = meta_fork g(1) + 1;", "gives a result only as")]:
            status, out, err = self.tool("translate", self.file(f"int g(int);\nvoid f(int x) {{\n  {text}\n}}\n"), "--to", "openmp")
            self.assertEqual(status, 1, text)
            self.assertIn(message, err, text)
            self.assertNotIn("internal error", err)
        self.refused("#define FORK meta_fork\nvoid g(void);\nvoid f(void) { FORK g(); }\n", "in the definition of a macro", 1)
        self.refused("void g(int);\nvoid f(void) {\n  meta_fork g(undefined);\n}\n", "use of undeclared identifier 'undefined'", 3)
        status, _, err = self.tool("translate", self.file("#pragma omp taskwait\nvoid f(void) { meta_join; }\n", "both.c"), "--to", "c")
        self.assertEqual(status, 1)
        self.assertIn("more than one language", err)
        status, _, err = self.tool("translate", Path(self.folder.name) / "missing.mf", "--to", "c")
        self.assertEqual(status, 1)
        self.assertIn("cannot read", err)

    def test_ten_thousand_forks(self):
        text = "static int a[10000];\nstatic void put(int i) { a[i] = i; }\n#include <stdio.h>\nint main(void) {\n" + "".join(
            f"  meta_fork put({i});\n" for i in range(10000)) + '  meta_join;\n  int wrong = 0;\n  for (int i = 0; i < 10000; ++i) wrong += a[i] != i;\n  printf("%d\\n", wrong);\n  return 0;\n}\n'
        self.assertEqual(len(re.findall("cilk_spawn", self.translate(text, "cilk"))), 10000)
        loop = '#include <stdio.h>\nstatic int a[10000];\nstatic void put(int i) { a[i] = i; }\nint main(void) {\n  for (int i = 0; i < 10000; ++i) meta_fork put(i);\n  meta_join;\n  printf("%d\\n", a[9999]);\n  return 0;\n}\n'
        self.assertEqual(self.run_program(loop), (0, "9999\n", ""))
        self.assertEqual(self.run_program(loop, "--sanitize"), (0, "9999\n", ""))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    options, rest = parser.parse_known_args()
    TOOL = options.tool
    unittest.main(argv=[sys.argv[0], *rest])
