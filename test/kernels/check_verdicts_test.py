#!/usr/bin/env python3
"""Shows that check_verdicts.py sees what it must: wrong verdicts, missing and surplus loops, missing comments."""

import unittest

from check_verdicts import Kernel, carriers, differences

SOURCE = """static void kernel_k(int n, double a[n]) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 4; j < n; j++) /* EXPECT: carried(4) */
      a[j] = a[j - 4];
}
int main(void) {
  for (int i = 0; i < 3; i++) ;
}
"""


def loop(line, verdict, **more):
    return {"line": line, "index": "i", "verdict": verdict, "min_distance": None, "private": [], "reductions": [], **more}


def report(*loops, function="kernel_k"):
    return {"regions": [{"function": function, "loops": list(loops), "dependences": []}]}


class CheckVerdicts(unittest.TestCase):
    kernel = Kernel("k", SOURCE)

    def test_agreement(self):
        self.assertEqual(self.kernel.errors, [])
        good = report(loop(2, "parallel"), loop(3, "carried", min_distance=4))
        self.assertEqual(differences(self.kernel, good), [])

    def test_wrong_verdict_and_distance(self):
        bad = report(loop(2, "sequential", reason="why"), loop(3, "carried", min_distance=2))
        self.assertEqual(differences(self.kernel, bad), ["2: expected parallel, got sequential (why)",
                                                         "3: expected carried(4), got carried(2)"])

    def test_missing_surplus_and_double_loops(self):
        self.assertEqual(len(differences(self.kernel, report())), 2)
        self.assertEqual(len(differences(self.kernel, report(loop(2, "parallel"), loop(2, "parallel"),
                                                             loop(3, "carried", min_distance=4)))), 1)
        self.assertEqual(len(differences(self.kernel, report(loop(2, "parallel"), loop(4, "parallel"),
                                                             loop(3, "carried", min_distance=4)))), 1)

    def test_another_function_does_not_count(self):
        other = report(loop(2, "parallel"), loop(3, "carried", min_distance=4), function="main")
        self.assertEqual(len(differences(self.kernel, other)), 2)

    def test_operations_of_a_reduction(self):
        kernel = Kernel("k", SOURCE.replace("parallel", "reduction(+,max)"))
        self.assertEqual(kernel.errors, [])
        ops = [{"op": "max", "target": "m"}, {"op": "+", "target": "s"}, {"op": "+", "target": "t"}]
        found = report(loop(2, "reduction", reductions=ops), loop(3, "carried", min_distance=4))
        self.assertEqual(differences(kernel, found), [])
        found = report(loop(2, "reduction", reductions=ops[1:]), loop(3, "carried", min_distance=4))
        self.assertEqual(len(differences(kernel, found)), 1)

    def test_comments(self):
        self.assertTrue(Kernel("k", SOURCE.replace("/* EXPECT: parallel */", "")).errors)
        self.assertTrue(Kernel("k", SOURCE.replace("parallel", "paralel")).errors)
        self.assertTrue(Kernel("k", SOURCE.replace("i < 3; i++) ;", "i < 3; i++) ; /* EXPECT: parallel */")).errors)
        self.assertTrue(Kernel("k", "int main(void) {}\n").errors)

    def test_carriers(self):
        found = report(loop(2, "parallel", private=["t"]))
        found["regions"][0]["dependences"] = [{"array": "t", "carried_by_line": 2}, {"array": "a", "carried_by_line": 3},
                                              {"array": "a", "carried_by_line": None}]
        self.assertEqual(carriers(found, "kernel_k"), {3})
        self.assertEqual(carriers(found, "main"), set())


if __name__ == "__main__":
    unittest.main()
