"""`generate.py SHAPE N`: a C program of a given shape and size on standard output, for inputs too large to keep."""

import sys


def functions(count):
    """`count` functions of eight lines: 20,000 lines are 2,500 of them. Odd ones are parallel, even ones recurrences."""
    for k in range(count):
        offset = "" if k % 2 else " - 1"
        yield f"""/* function {k} */
void f{k}(int n, double x[n], const double y[restrict n])
{{
  for (int i = 1; i < n; i++) {{
    x[i] = x[i{offset}] + y[i];
  }}
}}

"""


def nest(depth):
    """A nest of `depth` loops that sets every element of an array of that rank."""
    extents = "".join("[2]" for _ in range(depth))
    yield f"double a{extents};\nvoid f(void) {{\n"
    for k in range(depth):
        yield f"{'  ' * (k + 1)}for (int i{k} = 0; i{k} < 2; i{k}++)\n"
    yield f"{'  ' * (depth + 1)}a{''.join(f'[i{k}]' for k in range(depth))} = 1;\n}}\n"


def coupled_nest(depth):
    """A nest of `depth` triangular loops whose statement reads the sum of all indices: hard, but to be answered."""
    yield "double a[10000];\nvoid f(int n) {\n"
    for k in range(depth):
        lower = f"i{k - 1}" if k else "0"
        yield f"{'  ' * (k + 1)}for (int i{k} = {lower}; i{k} < n; i{k}++)\n"
    yield f"{'  ' * (depth + 1)}a[{' + '.join(f'i{k}' for k in range(depth))}] += a[i0] + a[2 * i{depth - 1} + 1];\n}}\n"


def statements(count):
    """One loop with `count` statements, each using the arrays of three others at different distances."""
    yield "".join(f"double a{k}[1000];\n" for k in range(count))
    yield "void f(int n) {\n  for (int i = 8; i < n; i++) {\n"
    for k in range(count):
        one, two, three = (k * 7 + 1) % count, (k * 5 + 3) % count, (k * 3 + 2) % count
        yield f"    a{k}[i] = a{one}[i - {k % 8}] + a{two}[i - {(k + 3) % 8}] * a{three}[i];\n"
    yield "  }\n}\n"


def straight_line(count):
    """One function of `count` lines without a loop, and one loop at its end."""
    yield "double a[100];\nvoid f(double x) {\n"
    yield "".join(f"  a[{k % 100}] = a[{(k * 7) % 100}] * x + {k};\n" for k in range(count))
    yield "  for (int i = 0; i < 100; i++)\n    a[i] = x;\n}\n"


def sequence(count):
    """One function with `count` loops in a row, each using what another wrote."""
    yield "double a[50][1000];\nvoid f(int n) {\n"
    for k in range(count):
        yield f"  for (int i = 1; i < n; i++)\n    a[{k % 50}][i] = a[{(k * 3 + 1) % 50}][i - 1] + 1;\n"
    yield "}\n"


def expression(terms):
    """One statement with a sum of `terms` elements."""
    yield "double a[100000], b[100000];\nvoid f(int n) {\n  for (int i = 0; i < n; i++)\n    a[i] = 0"
    yield "".join(f"\n      + b[i + {k}] * {k}" for k in range(terms))
    yield ";\n}\n"


def parentheses(depth):
    """A statement inside `depth` pairs of parentheses, beyond what Clang takes by default."""
    yield "double a[10];\nvoid f(void) {\n  for (int i = 0; i < 10; i++)\n    a[i] = "
    yield "(" * depth + "i" + ")" * depth + ";\n}\n"


def shifted_writes(count):
    """One loop with `count` statements that write one array, each one element further."""
    yield "double a[10000];\nvoid f(int n) {\n  for (int i = 0; i < n; i++) {\n"
    yield "".join(f"    a[i + {k}] = a[i] + {k};\n" for k in range(count))
    yield "  }\n}\n"


def else_if(count):
    """A chain of `count` data-dependent conditions."""
    yield "double a[100], b[100];\nvoid f(int n) {\n  for (int i = 0; i < n; i++) {\n    "
    yield "\n    else ".join(f"if (b[i] == {k}) a[i] = {k};" for k in range(count))
    yield "\n  }\n}\n"


def chained_assignment(count):
    """One assignment to `count` elements."""
    yield "double a[10000];\nvoid f(int n) {\n  for (int i = 0; i < n; i++)\n    "
    yield " = ".join(f"a[i + {k}]" for k in range(count)) + " = 0;\n}\n"


SHAPES = {shape.__name__.replace("_", "-"): shape
          for shape in (functions, nest, coupled_nest, statements, straight_line, sequence, expression, parentheses,
                        shifted_writes, else_if, chained_assignment)}

if __name__ == "__main__":
    sys.stdout.write("".join(SHAPES[sys.argv[1]](int(sys.argv[2]))))
