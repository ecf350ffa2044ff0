#!/usr/bin/env python3
"""Shows that check_includes.py finds each kind of breach, and nothing in a tree that follows the road."""

import tempfile
import unittest
from pathlib import Path

import check_includes


def faults(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return check_includes.faults(Path(folder))


class CheckIncludes(unittest.TestCase):
    def test_accepts_the_road(self):
        self.assertEqual(faults({
            "src/support/Isl.h": "#include <isl/cpp.h>\n",
            "src/model/Region.h": '#include "support/Isl.h"\n#include "model/Expr.h"\n',
            "src/frontend/Reader.cpp": "#include <clang/AST/Expr.h>\n#include \"llvm/ADT/Twine.h\"\n",
            "src/driver/Main.cpp": '#include "frontend/Frontend.h"\n#include "analysis/Facts.h"\n',
            "runtime/warploom.h": '#include "detail/block.h"\n#include <cstdio>\n',
            "runtime/detail/block.h": "",
        }), [])

    def assert_one(self, files, text):
        found = faults(files)
        self.assertEqual(len(found), 1, found)
        self.assertIn(text, found[0])

    def test_refuses_a_lower_stage(self):
        self.assert_one({"src/model/Region.h": '\n#include "analysis/Facts.h"\n'}, "src/model/Region.h:2")

    def test_knows_the_rooms_of_a_stage(self):
        self.assertEqual(faults({"src/sync/order/Order.cpp": '#include "sync/model/Expr.h"\n',
                                 "src/driver/Sync.cpp": '#include "sync/command/Command.h"\n'}), [])
        self.assert_one({"src/sync/model/Expr.h": '#include "sync/order/Order.h"\n'}, "sync/model is not below sync/order")
        self.assert_one({"src/sync/Stray.cpp": ""}, "no room of sync")
        self.assert_one({"src/driver/Sync.cpp": '#include "sync/run/Interpreter.h"\n'}, "only sync/command")

    def test_refuses_siblings(self):
        self.assert_one({"src/analysis/Facts.cpp": '#include "frontend/Frontend.h"\n'}, "not below frontend")

    def test_refuses_angle_brackets_too(self):
        self.assert_one({"src/support/Isl.h": "#  include <model/Region.h>\n"}, "not below model")

    def test_refuses_the_inside_of_the_front_end(self):
        self.assert_one({"src/driver/Main.cpp": '#include "frontend/Reader.h"\n'}, "only frontend/Frontend.h")

    def test_refuses_clang_outside_the_front_end(self):
        self.assert_one({"src/analysis/Facts.cpp": "#include <clang/AST/Expr.h>\n"}, "only src/frontend")
        self.assert_one({"src/model/Expr.h": '#include "llvm/ADT/StringRef.h"\n'}, "only src/frontend")

    def test_refuses_relative_includes(self):
        self.assert_one({"src/model/Expr.h": '#include "../analysis/Facts.h"\n'}, "written from src/")

    def test_refuses_an_unknown_stage(self):
        self.assert_one({"src/helpers/Misc.h": ""}, "no place on the road")

    def test_refuses_src_in_runtime(self):
        self.assert_one({"runtime/warploom.h": '#include "support/Isl.h"\n'}, "nothing of src/")
        self.assert_one({"runtime/warploom.h": '#include "../src/support/Isl.h"\n', "src/support/Isl.h": ""},
                        "nothing of src/")
        self.assert_one({"runtime/warploom.h": "#include <llvm/ADT/Twine.h>\n"}, "only src/frontend")


if __name__ == "__main__":
    unittest.main()
