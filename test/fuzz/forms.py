"""Random loops in forms of C that are rewritten before they are read: `switch` and forward `goto`, macros, `while` with pointers that
walk, structs and complex numbers by value. Each shape returns the lines of a nest; what stands before its function goes to
`nest.before`, under names that begin with the nest's own."""


def number(nest):
    return nest.random.randint(1, 5)


def switched(nest):
    """A `switch` with groups of labels, some of which fall through."""
    chosen = nest.random.choice(["X[i % 60] % 4", "i % 5", "(int)A[i] & 3"])
    lines = []
    for label in nest.random.sample(range(5), 3):
        into = nest.random.choice("BC")
        lines += [f"  case {label}:", f"    {into}[i] {nest.random.choice(['=', '+='])} A[i] - {number(nest)};"]
        if nest.chance(0.7):
            lines.append("    break;")
    if nest.chance(0.7):
        lines += ["  default:", f"    B[i] = {number(nest)};"]
    return [nest.head("i", "0", "n") + " {", f"  switch ({chosen}) {{", *lines, "  }", f"  R[i][2] = B[i] - C[i];", "}"]


def jumping(nest):
    """Forward jumps, `continue`, and a loop that is left at its top."""
    begin, end = nest.random.choice([("for (int i = 0;; i++) {\n    if (i >= n) break;", "}"), ("for (int i = 0; i < n; ++i) {", "}"),
                                     ("int i = 0;\n  while (i < n) {", "  i++;\n  }")])
    rest = nest.random.choice([[f"  if (A[i] > {number(nest)}) goto over;", "  B[i] = A[i] * 2;", "  if (B[i] < 0) goto over;",
                                "  C[i] -= B[i];", "over:", "  R[i][1] = C[i] + i;"]])
    return [begin, *rest, end]


def walking(nest):
    """A function with pointers to where it begins and ends."""
    name = f"{nest.name}_walk"
    test = nest.random.choice(["p < end", "p != end", "end > p"])
    body = nest.random.choice([f"while ({test}) *o++ = *p++ - {number(nest)};",
                               f"for (; {test}; p++, o++) *o = *p * {number(nest)} - i++;",
                               f"for (const double *at = p; {test.replace('p', 'at', 1) if test[0] == 'p' else 'end > at'}; at++) t += *at;",
                               f"while ({test}) {{ double v = *p++; if (v > 0) v -= {number(nest)}; *o++ = v; }}",
                               f"while ({test}) {{ o[0] = p[0]; o[1] = i; p += 1; o += 2; }}",
                               f"while ({test}) t += *p++ * o[i++];"])
    nest.before = [f"static double {name}(double *o, const double *p, const double *end) {{", "  double t = 0;", "  int i = 0;", "  " + body,
                   "  return t + i;", "}"]
    first, last = nest.random.choice([("A", "A + n"), ("A + 2", "A + n + 2"), ("M[1]", "M[1] + n"), ("&G[7]", "&G[n + 7]")])
    return [f"s += {name}({nest.random.choice(['H', 'B + 1', 'R[2]', 'Q[0] + n'])}, {first}, {last});"]


def expanded(nest):
    """Macros around subscripts, values and whole loops."""
    name = nest.name.upper()
    nest.before = [f"#define {name}_AT(m, i, j) ((m)[(i) * 80 + (j)])", f"#define {name}_LEAST(a, b) ((a) < (b) ? (a) : (b))",
                   f"#define {name}_EACH(k, end) for (int k = 0; k < (end); k++)"]
    into = nest.random.choice([f"{name}_AT(H, i, j)", f"{name}_AT(H, j, i)"])
    value = nest.random.choice([f"{name}_AT(G, i, j) - {name}_AT(G, i + 1, j + 1)",
                                f"{name}_LEAST(M[i][j], {name}_AT(G, i, j))", f"{name}_LEAST(A[i], i - j)"])
    return [f"{name}_EACH(i, {name}_LEAST(n, 30))", f"  {name}_EACH(j, n)", f"    {into} = {value};"]


def by_value(nest):
    """Structs that functions take and return by value, and sums of them."""
    name = f"{nest.name}_plus"
    parts = nest.random.choice(["a.x + b.x, a.y - b.y", "a.x - b.y, a.y + b.x", "a.x + b.x, a.x + a.y"])
    body = nest.random.choice([f"return (struct pair){{{parts}}};", f"struct pair r = {{{parts}}};\n  return r;",
                               "struct pair r = b;\n  r.x += a.x;\n  return r;"])
    nest.before = [f"static struct pair {name}(struct pair a, struct pair b) {{", "  " + body, "}"]
    if nest.chance(0.5):
        return ["struct pair c = {0, 1};", nest.head("i", "0", "n"), f"  c = {name}(c, P[i]);", "s += fmod(c.x, 512);", "t += fmod(c.y, 512);"]
    return [nest.head("i", "0", "n"), f"  P[i] = {name}(P[i{nest.random.choice(['', ' + 40'])}], P[i + 60]);"]


def complex_values(nest):
    """Complex numbers: products, conversions, parts, and sums."""
    value = nest.random.choice(["z * z - 2", "z * (3 - 1.0i)", "~z + A[i]", "-z", "z * C[i]"])
    taken = nest.random.choice(["__real__ z", "__imag__ z", "(double)z", "z == 3", "z ? 1 : 2"])
    lines = ["  double _Complex z = A[i] + B[i] * 1.0i;", f"  z = {value};"]
    if nest.chance(0.5):
        lines.append(f"  if ({nest.random.choice(['__real__ z > 2', 'A[i] > 0', 'z != 1'])}) z += {number(nest)};")
    if nest.chance(0.5):
        return ["double _Complex c = 0;", nest.head("i", "0", "n") + " {", *lines, f"  c {nest.random.choice(['+=', '-='])} z;", "}",
                "s += __real__ c;", "t += __imag__ c;"]
    return [nest.head("i", "0", "n") + " {", *lines, f"  H[i] = {taken};", "}"]


SHAPES = [switched, jumping, walking, walking, expanded, by_value, complex_values, complex_values]
