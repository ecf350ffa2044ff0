"""Random loop nests to compile and run: those of test/oracle/random_nests.py with larger arrays and bounded values, and nests
built around the shapes that mapping treats specially (products, row and column sums, stencils, histograms, ...).

Values stay small whole numbers: every expression that could grow is taken modulo a small number, and accumulators only add
such values. So sums are exact in any order, and a difference is a fault, not rounding.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import random_nests  # noqa: E402
import conditions  # noqa: E402
import conversions  # noqa: E402
import forms  # noqa: E402

SIZES = [0, 1, 5, 37]  # what n is: nothing, one, and primes below and above the usual block of 32
MOST = SIZES[-1]
GRID = 4096            # elements of what pointers point to
CALLS_EVERY = 7        # one nest in so many calls functions, or sets pointers in its loops
HANDS_ON_EVERY = 11    # one nest in so many hands values from iteration to iteration
CONVERSIONS_EVERY = 5  # one nest in so many is about C's arithmetic
FORMS_EVERY = 11       # one nest in so many is in a form that is rewritten first
TABLES_EVERY = 6       # one nest in so many reaches the rows of its matrices through tables of pointers

random_nests.SMALL, random_nests.LARGE = SIZES[0], MOST
random_nests.ARRAYS = {"A": [200], "B": [200], "C": [200], "M": [80, 80], "R": [80, 80], "Q": [80, 80], "D3": [40, 40, 12],
                       "T": [160], "P.x": [120]}

DECLARATIONS = """#include <math.h>
#include <stdlib.h>
struct pair {
  double x, y;
};
struct pair P[120];
static double half(double v) { return v * 0.5; }
double A[200], B[200], C[200], M[80][80], R[80][80], Q[80][80], D3[40][40][12], K[8][8], G[4096], H[4096];
int X[64], Y[64];
double out, **M_rows, **R_rows, **Q_rows;
long seen[32];
static double step(const double *u, int i) { return u[i] - u[i + 1]; }
static double cell(int i, int j) { return M[i][j] + A[i]; }
static void put(double *p, double v) { *p = v; }
static void add(double *p, double v) {
  *p += v;
  if (*p > 40) *p -= 40;
}
static double dot(const double *u, const double *v, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += fmod(u[k] * v[k], 7);
  return sum;
}
static int wrap(int k, int n) {
  if (k < 0) return k + n;
  if (k >= n) return k - n;
  return k;
}
static double pick(const double *u, int i, int n) {
  if (i >= n) return u[n];
  if (u[i] > 0) return u[i] + 1;
  double v = u[i + 1];
  return v * -1;
}
static double *at(double *base, int stride, int i, int j) { return base + i * stride + j; }
static int place(int k) { return X[k] + 1; }
static double chosen(double v, const double *u, int i) {
  double both = v;
  if (i > 3) both += u[i];
  for (int k = 0; k < 2; k++) both -= u[i + k];
  return both / 2;
}
static void swap(struct pair *a, struct pair *b) {
  struct pair t = *a;
  *a = *b;
  *b = t;
}
static double both(struct pair one) { return one.x - one.y; }
static double maybe(const double *u, int i) { return u ? u[i] : -2.0; }
""" + conversions.DECLARATIONS + conditions.DECLARATIONS
OBJECTS = {"P": 240, "A": 200, "B": 200, "C": 200, "M": 6400, "R": 6400, "Q": 6400, "D3": 19200, "K": 64, "G": 4096,
           "H": 4096, "out": 1}


class FuzzNest(random_nests.Nest):
    """A nest whose function is `name`; the same for the same seed."""

    def __init__(self, seed, name):
        super().__init__(seed, name)
        self.nest_shape = self.random.choice(SHAPES) if self.random.random() < 0.4 else None
        if seed % CALLS_EVERY == 3:
            self.nest_shape = self.random.choice(CALLING)
        if seed % HANDS_ON_EVERY == 5:
            self.nest_shape = handed_on
        if seed % FORMS_EVERY == 0:
            self.nest_shape = self.random.choice(forms.SHAPES)
        if conditions.is_about_conditions(seed):
            self.nest_shape = self.random.choice(conditions.SHAPES)
        self.before = []  # lines that stand before the function
        if self.nest_shape:
            self.pointers = self.nest_shape is linear
        elif "P.x" in self.arrays and self.chance(0.8):
            self.arrays = [name for name in self.arrays if name != "P.x"] + ["A"]

    def operand(self):
        kind = self.random.random()
        if kind < 0.08:
            return str(self.random.randint(1, 9))
        if kind < 0.14 and self.indices:
            return self.random.choice(self.indices).text
        if kind < 0.16:
            return f"fabs({self.element()})"
        return self.element()

    def expression(self):
        text = super().expression()
        return text if not any(c in text for c in "+-*") or text.isdigit() else f"fmod({text}, {self.random.choice([7, 16, 31])})"

    def element(self):
        if self.pointers and self.chance(0.6) and len(self.indices) >= 2:
            i, j = self.random.sample(self.indices, 2)
            if i.low >= 0 and j.low >= 0 and i.high * MOST + j.high < GRID - 1:
                return f"{self.random.choice(['p', 'q'])}[{i.text} * n + {j.text}]"
        return super().element()

    def emit(self, depth, text):
        """Products grow, unless the factor is -1."""
        if " *= " in text:
            text = text[:text.index(" *= ")] + " *= -1;"
        if text.startswith("double v"):
            self.lines.append("  " * (depth + 1) + text)
            return
        head, sign, factor = text.partition(" = v")
        if sign and " * " in factor:
            value = "v" + factor.rstrip(";")
            text = f"{head} = fmod({value}, 16);"
        super().emit(depth, text)

    def head(self, index, low, high):
        """A loop's first line; one in six goes down."""
        if self.chance(0.17):
            return f"for (int {index} = {high} - 1; {index} >= {low}; {index}--)"
        return f"for (int {index} = {low}; {index} < {high}; {index}++)"

    def text(self):
        text = self.plain_text()
        # `M[i][j]` with all subscripts: some shapes walk through whole matrices, from `&M[0][0]` on.
        return re.sub(r"(?<!&)\b([MRQ])\[(?=[^][]*(?:\[[^][]*\][^][]*)*\]\[)", r"\1_rows[", text) if self.seed % TABLES_EVERY == 1 else text

    def plain_text(self):
        if not self.nest_shape:
            return super().text().replace("double T[24]", "double T[160]")
        qualifier = "restrict " if self.restrict else ""
        parameters = f", double *{qualifier}p, double *{qualifier}q" if self.pointers else ""
        body = "\n".join("  " + line for line in self.nest_shape(self))
        before = "".join(line + "\n" for line in self.before)
        return (f"// nest seed {self.seed}, {self.nest_shape.__name__}\n{before}void {self.name}(int n{parameters}) {{\n"
                f"  double s = 0, t = 0, w = 9;\n{body}\n  out = s + t + w;\n}}\n")


def offset(nest, most=3):
    """` + c` with c up to `most`, often nothing."""
    c = nest.random.choice([0, 0] + list(range(1, most + 1)))
    return f" + {c}" if c else ""


def extents(nest, count):
    """Bounds of loops: n, n less something, or a constant."""
    return [nest.random.choice(["n", "n", "n", "n - 1", "33", "7", "1"]) for _ in range(count)]


# Shapes: each gives the lines of a function's body.

def row_sums(nest):
    """A matrix times a vector, with the sum in a scalar or in place; the triangle below the diagonal at times."""
    n, m = extents(nest, 2)
    inner = nest.head("j", "0", nest.random.choice([m, m, "i + 1"]) if n != "n - 1" else m)
    element = nest.random.choice(["M[i][j{0}]", "M[i{0}][2 * j]", "M[j][i{0}]"]).format(offset(nest))
    if nest.chance(0.5):
        return [nest.head("i", "0", n) + " {", f"  double sum = {nest.random.choice(['0', 'B[i]', 'A[i] * 2'])};",
                f"  {inner}", f"    sum += {element} * A[j{offset(nest)}];", f"  B[i{offset(nest)}] = sum;",
                *(["  s += sum;"] if nest.chance(0.3) else []), "}"]
    start = nest.random.choice(["C[i] = 0;", "C[i] *= -1;", "C[i] = B[i + 1];"])
    return [nest.head("i", "0", n) + " {", f"  {start}", f"  {inner}", f"    C[i] += {element} * A[j];",
            *([f"  B[i] = C[i] - A[i{offset(nest)}];"] if nest.chance(0.3) else []), "}"]


def column_sums(nest):
    """A transposed matrix times a vector, the sum being the outer or the inner loop; maybe two results at once."""
    n, m = extents(nest, 2)
    loops = [nest.head("i", "0", n), "  " + nest.head("j", "0", m)]
    if nest.chance(0.3):
        loops = [nest.head("j", "0", m), "  " + nest.head("i", "0", n)]
    lines = [loops[0], loops[1] + " {", f"    C[j{offset(nest)}] += M[i][j] * A[i];"]
    if nest.chance(0.4):
        lines.append("    B[i] += M[i][j] * A[j + 1];")
    return lines + ["  }"]


def product(nest):
    """A matrix product in any order of its loops, or one of its relatives with triangles and two factors."""
    n, m, k = extents(nest, 3)
    target = nest.random.choice(["R[i][j]", "R[i][j]", "R[j][i]", "R[i + 1][j + 2]"])
    left = nest.random.choice(["M[i][k]", "M[k][i]", "M[i][k + 1]"])
    right = nest.random.choice(["Q[k][j]", "Q[j][k]", "Q[k + 2][j]", "M[j][k]"])
    below = nest.random.choice(["j", "k"]) if nest.chance(0.25) else None
    heads = {"i": nest.head("i", "0", n), "j": nest.head("j", "0", "i + 1" if below == "j" else m),
             "k": nest.head("k", "i" if below == "k" else "0", k)}
    term = f"{left} * {right}" + (f" + {right.replace('Q', 'M')} * Q[i][k]" if nest.chance(0.2) else "")
    if nest.chance(0.6):
        first = nest.random.choice([f"{target} = 0;", f"{target} *= -1;", f"{target} = Q[i][j];"])
        return [heads["i"], "  " + heads["j"] + " {", f"    {first}", "    " + heads["k"], f"      {target} += {term};",
                "  }"]
    order = [name for name in nest.random.sample("ijk", 3)]
    if below:
        order = ["i"] + [name for name in order if name != "i"]
    return [*("  " * depth + heads[name] for depth, name in enumerate(order)), f"      {target} += {term};"]


def stencil(nest):
    """Sweeps over time, from one array into the other and back, in one or two dimensions."""
    sweeps = nest.random.choice(["3", "2", "n / 8", "1"])
    reach = nest.random.choice([1, 1, 2])
    if nest.chance(0.4):
        around = " + ".join(f"A[i {'+' if d >= 0 else '-'} {abs(d)}]" for d in range(-reach, reach + 1))
        return [f"for (int step = 0; step < {sweeps}; step++) {{", f"  for (int i = {reach}; i < n - {reach}; i++)",
                f"    B[i] = fmod({around}, 31);", f"  for (int i = {reach}; i < n - {reach}; i++)", "    A[i] = B[i];", "}"]
    back = nest.random.choice(["M[i][j] = R[i][j];", "M[i][j] = fmod(R[i][j] + R[i - 1][j] + R[i][j + 1], 16);"])
    return [f"for (int step = 0; step < {sweeps}; step++) {{", f"  for (int i = {reach}; i < n - {reach}; i++)",
            f"    for (int j = {reach}; j < n - {reach}; j++)",
            f"      R[i][j] = fmod(M[i][j] + M[i - {reach}][j] + M[i + {reach}][j] + M[i][j - 1] + M[i][j + {reach}], 31);",
            f"  for (int i = {reach}; i < n - {reach}; i++)", f"    for (int j = {reach}; j < n - {reach}; j++)",
            f"      {back}", "}"]


def in_place(nest):
    """One sweep in place: wavefronts, or nothing to gain."""
    near = nest.random.sample(["M[i - 1][j]", "M[i][j - 1]", "M[i - 1][j - 1]", "M[i + 1][j]", "M[i][j + 1]"], 2)
    return [nest.head("i", "1", "n - 1"), "  " + nest.head("j", "1", "n - 1"),
            f"    M[i][j] = fmod(M[i][j] + {near[0]} + {near[1]}, 16);"]


def rearrange(nest):
    """Copies with transposition, strides and reversal, possibly onto itself."""
    target = nest.random.choice(["R[j][i]", "R[i][2 * j]", "R[n - i][j]", "R[i][n - j]", "M[j][i]"])
    source = nest.random.choice(["M[i][j]", "M[2 * i][j]", "M[i][n - j]"])
    bound = nest.random.choice(["n", "n", "i", "n - 1"])
    return [nest.head("i", "0", "n"), "  " + nest.head("j", "0", bound), f"    {target} = {source}{offset(nest)};"]


def bins(nest):
    """Updates of elements that data selects."""
    update = nest.random.choice(["A[X[i]] += 1;", "A[X[i]] += B[i];", "A[X[i] + Y[i]] -= B[i + 1];",
                                 "M[X[i]][Y[i]] += B[i];"])
    if nest.chance(0.4):
        update = update.replace("B[i]", "M[i][j]")
        return [nest.head("i", "0", "n"), "  " + nest.head("j", "0", nest.random.choice(["n", "9", "i"])), f"    {update}"]
    return [nest.head("i", "0", "n"), f"  {update}"]


def window(nest):
    """A convolution with a small mask."""
    h, w = nest.random.choice([(3, 3), (2, 5), (1, 3), (4, 4)])
    inside = [f"for (int k = 0; k < {h}; k++)", f"  for (int l = 0; l < {w}; l++)"]
    if nest.chance(0.5):
        return [nest.head("i", "0", "n"), "  " + nest.head("j", "0", "n") + " {", "    double sum = 0;",
                *("    " + line for line in inside), "        sum += Q[i + k][j + l] * K[k][l];", "    R[i][j] = sum;", "  }"]
    return [nest.head("i", "0", "n"), "  " + nest.head("j", "0", "n"), *("    " + line for line in inside),
            "        R[i][j] += Q[i + k][j + l] * K[k][l];"]


def linear(nest):
    """Matrices behind plain pointers."""
    body = nest.random.choice(["q[i * n + j] = p[j * n + i] + 1;", "q[i * n + j] += p[i * n + j] * A[j];",
                               "q[i] += p[i * n + j] * A[j];", "q[j] += p[i * n + j] * A[i];",
                               "q[i * n + j] = fmod(p[i * n + j] + q[i * n + j], 31);"])
    return [nest.head("i", "0", "n"), "  " + nest.head("j", "0", nest.random.choice(["n", "n", "i + 1"])), f"    {body}"]


def scalars(nest):
    """Sums, extrema and counts, several at once, over one or two dimensions, under conditions at times."""
    value = nest.random.choice(["M[i][j]", "M[j][i]", "M[i][j] * A[j]", "fabs(M[i][j])"])
    lines = nest.random.sample([f"s += {value};", f"t = {value} > t ? {value} : t;", f"if ({value} < w) w = {value};",
                                f"if ({value} > 0) s += 1;", f"t = fmax(t, {value});"], nest.random.choice([1, 2]))
    if len(lines) == 2 and lines[0][0] == lines[1][0]:
        lines.pop()
    return [nest.head("i", "0", "n"), "  " + nest.head("j", "0", nest.random.choice(["n", "i", "9"])) + " {",
            *("    " + line for line in lines), "  }"]


def symmetric(nest):
    """Half of a symmetric result, mirrored."""
    return [nest.head("i", "0", "n"), f"  for (int j = i; j < n; j++) {{", "    double sum = 0;",
            "    " + nest.head("k", "0", nest.random.choice(["n", "5"])), "      sum += M[k][i] * M[k][j];",
            "    R[i][j] = sum;", "    R[j][i] = sum;", "  }"]


def conditional(nest):
    """Two dimensions under conditions on indices or data."""
    test = nest.random.choice(["i == j", "i > j", "(i + j) % 3 == 0", "M[i][j] > 0", "M[i][j] > 0 && i < n / 2", "j % 2 == 0"])
    return [nest.head("i", "0", "n"), "  " + nest.head("j", "0", "n"), f"    if ({test})", "      R[i][j] = M[i][j] - A[i];",
            *(["    else", "      R[i][j] = A[j];"] if nest.chance(0.5) else [])]


def scan(nest):
    """A recurrence along one dimension, independent along the other."""
    if nest.chance(0.5):
        return [nest.head("i", "0", "n"), "  for (int j = 1; j < n; j++)", "    M[i][j] = fmod(M[i][j] + M[i][j - 1], 31);"]
    return ["for (int i = 1; i < n; i++)", "  " + nest.head("j", "0", "n"), "    M[i][j] = fmod(M[i][j] + M[i - 1][j], 31);"]


def handed_on(nest):
    """Values that iterations hand on, by functions that compose or by others, along one dimension, rows or a whole matrix; and
    lists that grow."""
    value, inside = nest.random.choice([("A[i]", 1), ("A[i] - C[i + 1]", 1), ("M[i][j]", 2), ("M[j][i] + A[j]", 2)])
    j = "i" if inside == 1 else "j"
    choices = [[f"s += {value};"], [f"s = {value} - s;"], [f"if ({value} > 0) s = {value};"], [f"if ({value} > 5) s = 0;", "s += 2;"],
               [f"if ({value} > t) {{ t = {value}; s = {j}; }}"], [f"if ({value} <= w) {{ s = {j} + 1; w = {value}; }}"],
               [f"if ({value} > 0) k++;"], [f"h = h * 5 + X[{j}];"], [f"m = X[{j}] < m ? X[{j}] : m;"],
               [f"s = fmod(s * s + {value}, 31);"], [f"if (s < 20) s += {value};"]]
    changes = nest.random.sample(choices, nest.random.choice([1, 1, 2]))
    if nest.chance(0.3):
        changes.append([f"if ({value} > 1) {nest.random.choice(['G[l++]', 'G[l + 2]', 'G[l]'])} = {value};",
                        *nest.random.choice([["l++;"], []])])
    lines = [line for change in changes for line in change]
    if nest.chance(0.8):
        lines.insert(nest.random.choice([0, len(lines)]), f"{'B[i]' if inside == 1 else 'R[i][j]'} = s + k + h - m;")
    begin, end = ["int k = 0, l = 3, m = 9;", "unsigned h = 1;"], "C[0] = k + l + h - m;"
    around = nest.head("i", "0", "n")
    if inside == 1:
        return [*begin, around + " {", *("  " + line for line in lines), "}", end]
    row = ["  " + nest.head("j", "0", "n") + " {", *("    " + line for line in lines), "  }"]
    if nest.chance(0.5):
        return [around + " {", *("  " + line for line in [*begin, "s = i;"]), *row, f"  C[i] = s + k;", "}"]
    return [*begin, around, *row, end]


def phases(nest):
    """Several nests one after another that hand data on."""
    parts = nest.random.sample([row_sums, column_sums, rearrange, conditional, scan, product], 2)
    return [line for part in parts for line in part(nest)]


def calling(nest):
    """One loop that calls functions which read and write through pointers and globals."""
    n = nest.random.choice(["n", "n", "n - 1", "33"])
    into, source = nest.random.sample(["A", "B", "C"], 2)
    value = nest.random.choice([f"step({source}, i)", f"pick({source}, i, 30)", "cell(i, 2)", f"chosen({source}[i], A, i)",
                                f"dot({source} + i, M[i], 4)", "dot(M[i], R[3], n)", f"both(P[i]) + step({source}, i + 1)",
                                f"(i % 2 ? pick({source}, i, 20) : maybe({source}, i))", f"{source}[wrap(i - 1, 37)]",
                                f"maybe({source}, i) + maybe(0, i)"])
    write = nest.random.choice([f"{into}[i{offset(nest)}] = {value};", f"put(&{into}[i], {value});", f"add({into} + i, {value});",
                                f"if ({value} > 1) {into}[i] = 3;", f"{into}[place(i)] = {value};", f"s += {value};",
                                f"put(at({into}, 1, i, 0), {value});", "swap(&P[i], &P[i + 60]);"])
    return [nest.head("i", "0", n), f"  {write}"]


def rows(nest):
    """Two loops with pointers to rows that are set in the outer one, by its index or by an array of indices."""
    n, m = extents(nest, 2)
    start = nest.random.choice(["G + i * 40", "G + X[i] * 40", "&G[X[i] * 37 + 2]", "M[X[i]]", "M[i]", "G + place(i) * 40", "&M[i][1]"])
    target = nest.random.choice(["H + i * 40", "R[i]", "Q[i] + 1"])
    use = nest.random.choice(["row[j]", "*(row + j)", "row[j] - row[j + 1]", "step(row, j)", "maybe(row, j)"])
    write = nest.random.choice([f"to[j] = {use};", f"put(to + j, {use});", f"add(&to[j], {use});", f"sum += {use};", f"*(to + j) = {use};"])
    return [nest.head("i", "0", n) + " {", f"  const double *row = {start};", f"  double *to = {target}, sum = 0;",
            "  " + nest.head("j", "0", m), f"    {write}", "  to[0] += sum;", "}"]


def wrapped(nest):
    """A stencil that wraps around, by a function."""
    reads = nest.random.choice(["M[wrap(i - 1, 37)][j]", "M[wrap(i + 1, 37)][wrap(j - 1, 37)]", "cell(wrap(i - 1, 37), j)"])
    return [nest.head("i", "0", "n"), "  " + nest.head("j", "0", "n"), f"    R[i][j] = {reads} - *at(&M[0][0], 80, i, j);"]


CALLING = [calling, calling, calling, rows, rows, wrapped]
SHAPES = [row_sums, row_sums, column_sums, product, product, stencil, stencil, in_place, rearrange, bins, window, linear,
          linear, scalars, scalars, symmetric, conditional, scan, phases, phases]


def nest_of(seed, name):
    """The nest of `seed`, whose function is `name`."""
    if seed % CONVERSIONS_EVERY == 0 and not conditions.is_about_conditions(seed):
        return conversions.ConversionNest(seed, name)
    return FuzzNest(seed, name)


def nests_text(seeds):
    """One C file with the nests of all `seeds` as nest0, nest1, ..., and the calls that run them."""
    parts, calls = [DECLARATIONS], []
    for number, seed in enumerate(seeds):
        nest = nest_of(seed, f"nest{number}")
        parts.append(nest.text())
        calls.append((nest.runs(), "double*, double*" if nest.pointers else ""))
    return "\n".join(parts), calls


def harness_text(calls):
    """The program around the nests: fresh input for every call, and afterwards one line with a hash of every object.
    SCALE makes the inputs fractions, and hashes of their bits; at 1 zeros have no sign and NaNs are alike."""
    declarations = "\n".join(f"extern double {name}[{count}];" for name, count in OBJECTS.items())
    declarations += "\n" + "".join("extern " + line + "\n" for line in (conversions.DECLARATIONS + conditions.DECLARATIONS).splitlines())
    lines = []
    for number, (runs, more) in enumerate(calls):
        lines.append(f"  extern void nest{number}(int{', ' + more if more else ''});")
        for run in runs:
            for n in SIZES:
                lines.append(f'  reset(); {run.replace("(n", f"({n}")}; report("{run.replace("(n", f"({n}")}");')
    # Those of conditions.py come last, so that what is in the others stays as it was before there were any.
    last = "\n".join(f"  for (unsigned i = 0; i < {conditions.COUNT}; i++) {name}[i] = {first};"
                     for name, (_, first) in conditions.ARRAYS.items())
    fills = "\n".join(f"  fill({name}, {count}, {seed});" for seed, (name, count) in enumerate(OBJECTS.items()))
    for name, (kind, _) in conversions.ARRAYS.items():
        value = "(int)(next() % 17) - 8" if kind.floating else "next() % 2" if kind is conversions.TRUTH else "bits()"
        elements = f"(({kind.name}*){name})"
        fills += f"\n  for (unsigned i = 0; i < sizeof {name} / sizeof *{elements}; i++) {elements}[i] = {value};"
    shows = "\n".join(f'  show("{name}", {name}, {count});' for name, count in OBJECTS.items())
    shows += "".join(f'\n  bytes("{name}", {name}, sizeof {name});' for name in [*conversions.ARRAYS, "seen", "queue", "region"])
    return HARNESS % {"declarations": declarations, "fills": fills, "last": last, "shows": shows, "calls": "\n".join(lines)}


HARNESS = """#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef SCALE
#define SCALE 1
#endif
%(declarations)s
extern int X[64], Y[64];
extern long seen[32];
extern double **M_rows, **R_rows, **Q_rows;
static double* tables[3][80];

static unsigned state;
static unsigned next(void) { return (state = state * 1664525u + 1013904223u) >> 16; }
static unsigned long bits(void) {  // small as often as large
  unsigned long all = (unsigned long)next() << 48 ^ (unsigned long)next() << 32 ^ next() << 16 ^ next();
  return next() %% 2 ? all : all %% 32 - 8;
}
static void fill(double* x, int count, unsigned seed) {
  state = seed;
  for (int i = 0; i < count; i++) x[i] = (int)(next() %% 17) - 8;
  if (SCALE != 1)
    for (int i = 0; i < count; i++) x[i] *= SCALE;
}
// The rows of the matrices in order, the other way round, or some of one among those of another.
static void place_rows(void) {
  double* from[3] = {M, R, Q};
  unsigned way = next() %% 5;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 80; i++)
      tables[k][i] = from[way == 3 && i %% 7 == 6 ? (k + 1) %% 3 : k] + 80 * (way == 1 ? 79 - i : way == 2 ? (i * 3 + k) %% 80 : i);
  M_rows = tables[0], R_rows = way == 4 ? tables[0] : tables[1], Q_rows = tables[2];
}
static void reset(void) {
%(fills)s
  memset(seen, 0, sizeof seen);
  place_rows();
  for (int i = 0; i < 64; i++) X[i] = next() %% 16, Y[i] = next() %% 16;
%(last)s
}
static void show(const char* name, const double* x, int count) {
  unsigned long long hash = 14695981039346656037ull, bits;
  for (int i = 0; i < count; i++) {
    double value = SCALE == 1 ? x[i] + 0.0 : x[i];
    if (isnan(value)) value = NAN;
    memcpy(&bits, &value, 8);
    bits *= 0x9e3779b97f4a7c15ull;
    bits ^= bits >> 32;
    hash = (hash ^ bits) * 1099511628211ull;
    if (getenv("FUZZ_DUMP")) printf("%%s[%%d] %%.17g\\n", name, i, value);
  }
  printf(" %%s %%llx", name, hash);
}
static void bytes(const char* name, const void* x, int count) {
  unsigned long long hash = 14695981039346656037ull;
  for (int i = 0; i < count; i++) hash = (hash ^ ((const unsigned char*)x)[i]) * 1099511628211ull;
  printf(" %%s %%llx", name, hash);
}
static void report(const char* call) {
  printf("%%s", call);
%(shows)s
  printf("\\n");
  fflush(stdout);
}

int main(void) {
%(calls)s
  return 0;
}
"""
