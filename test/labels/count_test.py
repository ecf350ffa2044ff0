#!/usr/bin/env python3
"""Shows what count.py counts, and above all what it does not."""

import io
import json
import tempfile
import unittest
from pathlib import Path

import count

SHOWS = "SHOWS" + ":"  # in two pieces, so that this file bears no labels itself


def case(name, outcome="passed", classname=None):
    status = {"passed": "run", "failed": "fail", "skipped": "notrun", "disabled": "disabled"}[outcome]
    inner = {"failed": "<failure message=''/>", "skipped": "<skipped message=''/>"}.get(outcome, "")
    return f"<testcase name='{name}' classname='{classname or name}' status='{status}'>{inner}</testcase>"


class Count(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.tests = []

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def count(self, *ctest, lit=None, options=()):
        """Exit status and printed lines of a run with these reports."""
        arguments = ["--root", str(self.root)]
        arguments += ["--ctest", str(self.write("ctest.xml", f"<testsuite>{''.join(ctest)}</testsuite>"))]
        arguments += ["--listing", str(self.write("listing.json", json.dumps({"tests": self.tests})))]
        if lit is not None:
            arguments += ["--lit", str(self.write("lit.xml", f"<testsuites>{''.join(lit)}</testsuites>"))]
        out = io.StringIO()
        status = count.main(arguments + list(options), out)
        return status, out.getvalue().splitlines()

    def gtest(self, text):
        self.write("test/unit/model/RegionTest.cpp", text)

    def test_counts_a_passed_test(self):
        self.gtest(f"// {SHOWS} CR-15 CR-018, CH-7\n// why\nTEST(Order, Agrees) {{}}\n")
        status, lines = self.count(case("model.Order.Agrees"))
        self.assertEqual(status, 0, lines)
        self.assertEqual(lines, ["CH 1 of 95 items shown", "RT 0 of 112 items shown", "MF 0 of 120 items shown",
                                 "CR 2 of 68 items shown", "GA 0 of 70 items shown", "1 passed, 0 failed"])

    def test_does_not_count_a_failed_test(self):
        self.gtest(f"// {SHOWS} CR-15\nTEST(Order, Agrees) {{}}\n")
        status, lines = self.count(case("model.Order.Agrees", "failed"))
        self.assertEqual(status, 1)
        self.assertIn("CR 0 of 68 items shown", lines)
        self.assertEqual(lines[-1], "0 passed, 1 failed")

    def test_does_not_count_skipped_or_disabled_tests(self):
        self.gtest(f"// {SHOWS} CR-15\nTEST(Order, Agrees) {{}}\n// {SHOWS} CR-16\nTEST(Order, Off) {{}}\n")
        status, lines = self.count(case("model.Order.Agrees", "skipped"), case("model.Order.Off", "disabled"))
        self.assertEqual(status, 0)
        self.assertIn("CR 0 of 68 items shown", lines)
        self.assertEqual(lines[:2], ["skipped: model.Order.Agrees", "skipped: model.Order.Off"])
        self.assertEqual(lines[-1], "0 passed, 0 failed, 2 skipped")

    def test_another_test_that_passed_does_count(self):
        self.gtest(f"// {SHOWS} CR-15\nTEST(Order, One) {{}}\n// {SHOWS} CR-15\nTEST(Order, Two) {{}}\n")
        _, lines = self.count(case("model.Order.One", "failed"), case("model.Order.Two"), options=["--list"])
        self.assertIn("CR-15: Order.Two", lines)

    def test_a_parameterised_test_counts_when_all_instances_passed(self):
        self.gtest(f"// {SHOWS} MF-1\nTEST_P(Order, Agrees) {{}}\n// {SHOWS} MF-2\nTYPED_TEST(Typed, Works) {{}}\n")
        typed = case("model.Typed/0.Works")
        _, lines = self.count(case("model.All/Order.Agrees/0"), case("model.All/Order.Agrees/1"), typed)
        self.assertIn("MF 2 of 120 items shown", lines)
        _, lines = self.count(case("model.All/Order.Agrees/0"), case("model.All/Order.Agrees/1", "failed"), typed)
        self.assertIn("MF 1 of 120 items shown", lines)

    def test_unknown_labels_are_errors(self):
        for label in ("CR-69", "CR-0", "XX-1", "CR-1..4", ""):
            self.gtest(f"// {SHOWS} {label}\nTEST(Order, Agrees) {{}}\n")
            status, lines = self.count(case("model.Order.Agrees"))
            self.assertEqual(status, 1, label)
            self.assertTrue(lines[0].startswith("label error: test/unit/model/RegionTest.cpp:1"), lines)

    def test_the_record_names_the_labels_that_tests_bear(self):
        self.gtest(f"// {SHOWS} CR-15\nTEST(Order, Agrees) {{}}\n// {SHOWS} GA-1\nTEST(Order, Other) {{}}\n")
        head = "# Labels\n\n## CR\n\n1 shown, 0 mended, 1 taken away.\n\n| label | tests | found | done |\n|---|---|---|---|\n"
        right = "| CR-15 | Order.Agrees | shown | |\n", "| CR-16 |  | not | taken away: nothing of it is there |\n"

        def errors(text):
            self.write("test/labels.md", text)
            status, lines = self.count(case("model.Order.Agrees"), case("model.Order.Other"))
            found = [line for line in lines if line.startswith("label error: test/labels.md: ")]
            self.assertEqual(status, 1 if found else 0)
            return [line.rpartition("labels.md: ")[2] for line in found]

        self.assertEqual(errors(head + "".join(right)), [])
        self.assertEqual(errors(head + right[1]), ["CR-15 has 0 rows", "of CR there are 0 shown, 0 mended, 1 taken away"])
        self.assertEqual(errors(head + right[0] + right[0] + right[1]), ["CR-15 has 2 rows", "of CR there are 2 shown, 0 mended, 1 taken away"])
        self.assertEqual(errors(head + right[0].replace("Agrees", "Else") + right[1]), ["CR-15 is borne by Order.Agrees"])
        self.assertEqual(errors(head + right[0] + right[1].replace("|  |", "| Order.Agrees |")), ["CR-16 is borne by no test"])
        self.assertEqual(errors(head.replace("1 taken", "0 taken") + "".join(right)), ["of CR there are 1 shown, 0 mended, 1 taken away"])
        self.assertEqual(len(errors(head + right[0].replace("shown", "seen") + right[1])), 2)
        self.assertEqual(errors(head + "".join(right) + "| CH-1 | Order.Agrees | shown | |\n"), ["no row of CR: CH-1, shown, "])

    def test_a_label_above_no_test_is_an_error(self):
        self.gtest(f"// {SHOWS} CR-15\n\nTEST(Order, Agrees) {{}}\n")
        status, lines = self.count(case("model.Order.Agrees"))
        self.assertEqual(status, 1)
        self.assertIn("not directly above", lines[0])

    def test_a_label_behind_other_words_is_an_error(self):
        self.gtest(f"// why. {SHOWS} CR-15\nTEST(Order, Agrees) {{}}\n")
        status, lines = self.count(case("model.Order.Agrees"))
        self.assertEqual(status, 1)
        self.assertIn("not at the beginning of its line", lines[0])

    def test_a_labelled_test_that_ctest_does_not_know_is_an_error(self):
        self.gtest(f"// {SHOWS} CR-15\nTEST(Order, Agrees) {{}}\n")
        status, lines = self.count(case("model.Order.Other"))
        self.assertEqual(status, 1)
        self.assertIn("ctest does not run it", lines[0])

    def test_counts_lit_tests_one_by_one(self):
        self.write("test/lit/analyze/a.c", f"// RUN: x\n// {SHOWS} RT-2\n")
        self.write("test/lit/analyze/b.c", f"/* {SHOWS} RT-3 */\n")
        self.write("test/lit/top.c", f"// {SHOWS} RT-4\n")
        lit = [case("a.c", classname="warploom.analyze"), case("b.c", "failed", classname="warploom.analyze"),
               case("top.c", classname="warploom.warploom")]
        status, lines = self.count(case("lit", "failed"), lit=lit, options=["--list"])
        self.assertEqual(status, 1)
        self.assertEqual(lines[0], "RT-2: lit/analyze/a.c")
        self.assertIn("RT 2 of 112 items shown", lines)
        self.assertEqual(lines[-1], "2 passed, 1 failed")

    def test_counts_scripts_named_by_a_ctest_command(self):
        script = self.write("test/kernels/run.py", f"# {SHOWS} CH-10\n")
        self.tests = [{"name": "kernels", "command": ["python3", str(script)], "properties": []},
                      {"name": "other", "command": ["true"],
                       "properties": [{"name": "LABELS", "value": ["slow", "GA-70"]}]}]
        _, lines = self.count(case("kernels"), case("other"))
        self.assertIn("CH 1 of 95 items shown", lines)
        self.assertIn("GA 1 of 70 items shown", lines)
        _, lines = self.count(case("kernels", "failed"), case("other", "failed"))
        self.assertIn("CH 0 of 95 items shown", lines)
        self.assertIn("GA 0 of 70 items shown", lines)

    def test_a_script_of_several_tests_counts_when_all_passed(self):
        script = self.write("test/oracle/oracle.py", f"# {SHOWS} CR-15\n")
        corpus = self.write("test/corpus/a.c", f"// {SHOWS} CR-16\n")
        self.tests = [{"name": "selftest", "command": [str(script), "selftest"], "properties": []},
                      {"name": "corpus", "command": [str(script), "corpus"],
                       "properties": [{"name": "REQUIRED_FILES", "value": [str(corpus)]}]}]
        _, lines = self.count(case("selftest"), case("corpus"))
        self.assertIn("CR 2 of 68 items shown", lines)
        _, lines = self.count(case("selftest"), case("corpus", "failed"))
        self.assertIn("CR 0 of 68 items shown", lines)
        _, lines = self.count(case("selftest", "failed"), case("corpus"), options=["--list"])
        self.assertEqual(lines[0], "CR-16: corpus")

    def test_a_labelled_file_that_no_test_uses_is_an_error(self):
        self.write("test/kernels/run.py", f"# {SHOWS} CH-10\n")
        status, lines = self.count(case("kernels"))
        self.assertEqual(status, 1)
        self.assertIn("no test of this run uses the file", lines[0])
        status, lines = self.count(case("kernels"), options=["--partial"])
        self.assertEqual(status, 0, lines)

    def test_a_failure_of_lit_itself_counts(self):
        self.write("test/lit/a.c", "")
        status, lines = self.count(case("lit", "failed"), lit=[case("a.c", classname="warploom.warploom")])
        self.assertEqual(status, 1)
        self.assertEqual(lines[-1], "1 passed, 1 failed")
        status, lines = self.count(case("lit", "failed"))
        self.assertEqual((status, lines[-1]), (1, "0 passed, 1 failed"))


if __name__ == "__main__":
    unittest.main()
