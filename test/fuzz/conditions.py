"""Random loops about conditions and what they decide: values that no int holds as conditions, wide constants in conditions, bounds and
strides, where an extremum is, variables that a pointer may point to, loops that leave their function in the middle of an iteration, and
variables with names that generated code has, too. Each shape returns the lines of a nest; what stands before its function goes to
`nest.before`, under names that begin with the nest's own.

All values are whole numbers, or exact in binary, and no signed value overflows.
"""
import re

# name -> type, what each element is at first: in `fr`, `ff` and `wd` few are zero, but nearly all would be as int
ARRAYS = {"fr": ("double", "((int)(next() % 5) - 2) * 0.25"), "ff": ("float", "((int)(next() % 5) - 2) * 0.125f"),
          "wd": ("long long", "((int)(next() % 5) - 2) * (next() % 4 ? 1LL << 32 : 1)"),
          "queue": ("int", "next() % 16"), "region": ("double", "next() % 16")}
COUNT = 300
DECLARATIONS = "".join(f"{kind} {name}[{COUNT}];\n" for name, (kind, _) in ARRAYS.items())
EVERY, WHICH = 8, 7  # one nest in so many has one of these shapes: those with this remainder, which no seed in CMakeLists.txt has
NAMES = ["done", "index", "queue", "region", "kernels", "launch", "device", "host", "block", "width", "result", "sizes", "Index",
         "place", "bytes", "count", "first", "grid", "data", "path", "warploom"]
VARIABLES = ["i", "j", "k", "at", "most", "hits", "last", "found", "ok", "bad", "sum", "a", "b", "d", "e", "p", "total", "other", "to",
             "now", "yes"]


def is_about_conditions(seed):
    """True for the seeds whose nests have a shape of this file."""
    return seed % EVERY == WHICH


def pick(nest, *choices):
    return nest.random.choice(choices)


# Conditions and statements

def value(nest, i="i"):
    """An expression that is often not zero, but seldom anything but zero as an int."""
    return pick(nest, "fr[{0}]", "fr[{0}]", "ff[{0}]", "ff[{0}]", "wd[{0}]", "wd[{0}]", "(fr[{0} + 1] - fr[{0}])", "ff[{0}] * 0.5f",
                "wd[{0}] * 3", "(wd[{0}] & 3LL << 32)", "fr[{0}] * 0x1p-60", "A[{0}] / 32", "(ff[{0}] + fr[{0}])", "(wd[{0}] >> 1)",
                "((long long)X[({0}) % 64] << 32)", "(({0}) - 3LL) * 4294967296", "(n * 0.125 - ({0}))", "(wd[{0}] - wd[{0} + 2])",
                "(A[{0}] > 0 ? fr[{0}] : ff[{0}])", "((unsigned long)n << 40)").format(i)


def truth(nest, i="i"):
    """A condition made of such values, in parentheses where it needs them."""
    one, two = value(nest, i), value(nest, i)
    return pick(nest, one, one, one, one, f"!{one}" if "*" not in one and "/" not in one else f"!({one})", f"({one} && {two})",
                f"({one} || {two})", f"!({one} && {two})", f"({one} ? {two} : {value(nest, i)})", f"(_Bool)({one})",
                f"(!({one}) == !({two}))", f"({one} && B[{i}] > 0)", f"(i != 3 && {one})", "(n > 20)",
                f"(n < 9 || {one})")


def change(nest, i="i"):
    """A statement that changes something in every iteration, by no more than a little."""
    return pick(nest, "un[{0}]++;", "un[{0}] -= 3;", "B[{0}] = fr[{0}] - 1;", "queue[{0}] = i;", "region[{0}] += 0.5;", "ul[{0}] ^= i;",
                "C[{0}] *= -1;", "s += 0.25;", "R[{0}][2] = i;", "hits++;", "s -= ff[{0}];", "last = i;", "ul[{0}] += wd[{0}];").format(i)


def block(lines):
    """`lines` in braces, where there is more than one."""
    return ["  " + lines[0]] if len(lines) == 1 else ["{", *("  " + line for line in lines), "}"]


def under(nest, head, i="i"):
    """One to three statements under `head`."""
    return [head, *block([change(nest, i) for _ in range(pick(nest, 1, 2, 2, 3))])]


def decided(nest, i="i"):
    """The lines of a body in which a condition decides something."""
    test, other = truth(nest, i), truth(nest, i)
    kind = pick(nest, "double", "float", "long long", "int", "_Bool")
    return nest.random.choice([
        under(nest, f"if ({test})", i), under(nest, f"if ({test})", i),
        [*under(nest, f"if ({test})", i), *under(nest, "else", i)], [*under(nest, f"if ({test})", i), *under(nest, "else", i)],
        [*under(nest, f"if ({test})", i), *under(nest, f"else if ({other})", i), *under(nest, "else", i)],
        [f"{kind} d;", *under(nest, f"if ((d = {value(nest, i)}))", i),
         *under(nest, pick(nest, "else", "if (!d)", f"if (d && {other})"), i)],
        [f"{kind} d = {value(nest, i)};", *under(nest, f"if ({pick(nest, 'd', '!d', f'd || {other}')})", i)],
        [f"if ({test}) continue;", change(nest, i), change(nest, i)],
        [f"queue[{i}] = {test} ? i : {pick(nest, '3', f'-queue[{i}]')};", f"un[{i}] = !({test}) + 2 * !!({other});"],
        [f"s += {test} ? {pick(nest, '0.5', f'fr[{i}]')} : {pick(nest, '1', f'A[{i}]')};"],
        [f"hits += {test} && {other};", f"hits -= !({other});"],
        [f"if ({test}) {{", f"  G[hits] = {pick(nest, 'i', f'fr[{i}]')};", f"  {change(nest, i)}", "  hits++;", "}"],
        [f"if ({test})", "  for (int k = 0; k < 5; k++) R[i][k] = k;"],
        [*under(nest, f"if ({test})", i), *under(nest, f"if ({other})", i)]])


def with_counters(lines):
    """`lines` with what `change` counts in, and where that goes to."""
    return ["int hits = 0, last = -1;", *lines, "seen[0] = hits;", "seen[1] = last;"]


def loops(nest, lines, flat=0.6):
    """`lines` in one loop or two."""
    if nest.chance(flat):
        return [nest.head("i", "0", pick(nest, "n", "n", "n - 1", "33")) + " {", *("  " + line for line in lines), "}"]
    return [nest.head("i", "0", "n"), "  " + nest.head("j", "0", pick(nest, "n", "n", "i", "5")) + " {",
            *("    " + line for line in lines), "  }"]


# Shapes

def truths(nest):
    """Values that no int holds as conditions, of one statement or several."""
    one = nest.chance(0.6)
    place = "i" if one else pick(nest, "j", "j", "i", "i + j")
    return with_counters(loops(nest, decided(nest, place), 1 if one else 0))


def sought(nest):
    """Where the first value is that is true, or not, or where several are no longer."""
    test = truth(nest)
    end = pick(nest, f"{test}", f"!({test})", f"{test} && i > 5")
    body = pick(nest, ["for (i = 0; i < n; i++)", f"  if ({end}) break;"], [f"for (i = 0; i < n && !({end}); i++)", "  ;"],
                [f"while (i < n && !({end})) i++;"], ["for (i = 0; i < n; i++)", f"  if ({end}) {{", "    found = i;", "    s = fr[i];",
                 "    break;", "  }"],
                ["for (i = 0; i < n; i++) {", f"  if ({end}) break;", "  B[i] = 3 - C[i];", "  un[i]++;", "}"],
                ["for (i = 0; i < n && !found; i++)", f"  if ({end}) found = 1;"],
                ["for (i = 0; i < n; i++)", f"  if ({end}) found = 1;"])
    return ["int i = 0, found = 0;", *body, "seen[0] = i;", "seen[1] = found;"]


def wide_condition(nest, two):
    """A condition with constants that no index of 32 bits comes near; of `i` and, where there are `two` loops, `j`."""
    factor, j = pick(nest, 100000000, 1 << 31, 3000000000, 4294967296, 10 ** 12, 4294967295), "j" if two else "n"
    k = nest.random.randint(2, 30)
    return pick(nest, f"i * {factor}L + {j} > {factor * k + 7}L", f"(long)i * 1000 < (long)n * {pick(nest, 333, 500, 999)}",
                f"i * {factor}L {pick(nest, '<', '>=')} {j} * {pick(nest, factor, factor - 1, factor * 2)}L",
                f"i + {j} * {factor}L < {factor * k}L",
                f"(i * {factor}L + {j}) % 7 == 3", f"i + 2147483600 > {2147483600 + k}", f"i - 2147483647 < -{2147483647 - k}",
                f"(unsigned)i + 4294967290u > {4 + k}u", f"i * {factor}L == {factor * k}L", f"i + {factor}L > n + {factor - 5}L",
                f"-i * {factor}L - {j} <= -{factor * k}L", f"i < {factor}L", f"i > {factor * 3}L - {factor * 3 - k}L",
                f"(i + 2000000000u) * 2 > {k * 3}u", f"i * {factor}l / 1000 > {factor * k // 1000}",
                f"n * {factor}L > {factor * k}L", f"n * 3 > {k} && i > {k // 2}")


def wide_conditions(nest):
    """Wide constants in conditions and values."""
    two = nest.chance(0.5)
    place = "j" if two else "i"
    test = wide_condition(nest, two)
    body = pick(nest, under(nest, f"if ({test})", place), [*under(nest, f"if ({test})", place), *under(nest, "else", place)],
                [f"un[{place}] += ({test}) + i * 123456789u;"], [f"ul[{place}] = ({test}) ? i * 5000000000L : n - 6000000000L;"],
                [f"if ({test} && {wide_condition(nest, two)}) s += 2;"], [f"if (!({test})) continue;", change(nest, place)],
                [f"hits += {test};", f"ul[{place}] += i * 3000000000L + {place};"])
    return with_counters(loops(nest, body, 0 if two else 1))


def far_loop(nest):
    """A loop whose index is far from zero or takes large strides: its first line, and what counts its iterations from 0."""
    most, long = pick(nest, ("int", 2147483647, ""), ("unsigned", 4294967295, "u"), ("long", 9223372036854775807, "L")), 5 * 10 ** 9
    kind, top, suffix = most
    end, span = f"{top}{suffix}", pick(nest, "10", "n", "n", "23")
    stride = pick(nest, 50000000, 3 * 10 ** 9, 1 << 32)
    wide = "long" if stride * 40 > 2147483647 else "int"
    return pick(nest, (f"for ({kind} i = {end} - {span}; i < {end}; i++)", f"i - ({end} - {span})"),
                (f"for ({kind} i = {end} - {span}; i < {end}; i++)", f"i - ({end} - {span})"),
                (f"for ({kind} i = {end}; i > {end} - {span}; i--)", f"{end} - i"),
                (f"for (int i = -2147483647; i < -2147483647 + {span}; i++)", "i + 2147483647"),
                (f"for (int i = -2147483647 - 1; i < -2147483647 + {span}; i++)", "i + 2147483647 + 1"),
                (f"for (long i = {long}L; i < {long}L + {span}; i++)", f"i - {long}L"),
                (f"for (long i = -{long}L; i <= {span} - {long}L; i++)", f"i + {long}L"),
                (f"for ({wide} i = 0; i < {span} * ({wide}){stride}; i += {stride})", f"i / {stride}"),
                (f"for ({wide} i = {stride}; i <= {span} * ({wide}){stride}; i += {stride})", f"i / {stride}"),
                (f"for (unsigned i = {span} + 4294967200u; i-- > 4294967200u;)", "i - 4294967200u"),
                (f"for (unsigned long i = {long}ul; i != {long}ul + {span}; ++i)", f"i - {long}ul"),
                (f"for (int i = 0; i < {span} && i * {stride}L < {stride * 17}L; i++)", "i"))


def far_bounds(nest):
    """Loops whose bounds or strides are wide constants, alone or around another one."""
    head, place = far_loop(nest)
    element = f"({place})"
    body = pick(nest, [f"s += A[{place}];"], [f"un[{place}] += i;"], [f"B[{place}] = A[{place} + 1] - 1;"],
                [f"ul[{place}] = i;", "hits++;"],
                [f"if ({truth(nest, place)}) {{", "  hits++;", f"  last = {place};", "}"], [f"if (A[{place}] > s) s = A[{place}];"],
                ["for (int j = 0; j < n; j++)", f"  R[{place}][j] = M[j][{place}] + {element};"],
                ["for (int j = 0; j < 9; j++)", f"  C[j] += M[{place}][j];"], [f"lo[{place} + 1] = lo[{place}];"],
                ["double sum = 0;", f"for (int j = 0; j < {element}; j++) sum += A[j];", f"B[{place}] = sum;"])
    body = [line.replace("(i != 3", f"({place} != 3") for line in body]
    return with_counters([head + " {", *("  " + line for line in body), "}"])


def extremum(nest):
    """Where the largest or smallest element is, in a variable of any integer type."""
    kind = pick(nest, "long", "unsigned long", "long long", "short", "int", "unsigned", "unsigned char", "signed char")
    two = nest.chance(0.3)
    source = pick(nest, ("double", "M[i][j]"), ("double", "M[j][i]")) if two else \
        pick(nest, ("double", "A[i]"), ("double", "fr[i]"), ("float", "ff[i]"), ("long long", "wd[i]"), ("int", "in[i]"),
             ("unsigned", "un[i]"),
             ("short", "sh[i]"), ("double", "fabs(A[i])"), ("double", "(A[i] + fr[i])"))
    most, text = source
    at = pick(nest, "i", "i", "i", "i + 1", "n - i", *(["(long)i << 33", "-i"] if "long" in kind else []))
    at = pick(nest, "i * 3 + j", "j", at) if two and "char" not in kind else at
    sign = pick(nest, "<", "<=", ">", ">=")
    start = pick(nest, text.replace("[i]", "[0]").replace("[j]", "[0]"), "0", "2")
    head = loops(nest, [], 0 if two else 1)[:2 if two else 1]
    position = f"{kind} at = {pick(nest, '0', '0', '7')};"
    if not two and text in ("A[i]", "fr[i]", "ff[i]", "wd[i]", "in[i]") and nest.chance(0.3):
        return [f"{kind} at = 0;", head[0], pick(nest, f"    if ({text} {sign} {text.replace('[i]', '[at]')}) at = i;",
                                               f"    at = {text} {sign} {text.replace('[i]', '[at]')} ? i : at;"), "}", "seen[0] = at;"]
    body = pick(nest, [f"if ({text} {sign} most) {{", f"  most = {text};", f"  at = {at};", "}"],
                [f"if (most {sign} {text}) {{", f"  at = {at};", f"  most = {text};", "}"],
                [f"if ({text} {sign} most) at = {at}, most = {text};"],
                [f"{most} now = {text};", f"at = now {sign} most ? {at} : at;", f"most = now {sign} most ? now : most;"],
                [f"if ({text} {sign} most) {{", f"  most = {text};", f"  at = {at};", "  hits++;", "}"])
    return with_counters([f"{most} most = {start};", position, *head, *("    " + line for line in body), "}" if not two else "  }",
                          "seen[2] = at;", "s = most;"])


def shared(nest):
    """A variable and a pointer that may point to it, both changed or one read in a loop; called with it, and with another one."""
    kind, name = pick(nest, "int", "long", "double", "float", "short"), nest.name
    total = f"{name}_total"
    here = nest.chance(0.4)
    odd = f"p[0] += {total} & 1;" if kind not in ("double", "float") else "p[0] += 1;"
    value = "X[i]" if kind != "double" else pick(nest, "A[i]", "X[i]", "fr[i]")
    body = pick(nest, [f"{total} += 1;", f"*p += {value};"], [f"*p += {value};", f"{total} -= 2;"],
                [f"{total} += *p;", f"if ({total} > 500) {total} -= 500;"],
                [f"B[i] = {total};", "*p += 1;"], ["*p = X[i];", f"B[i] = {total};"],
                [f"if ({value} > {total}) {total} = {value};", "*p += 1;"],
                [f"{total} += {value};", "if (X[i] > 7) *p = 3;"], [f"if ({total} > *p) B[i] = i;", "*p += 1;"],
                [odd, f"{total}++;"],
                [f"{total} = *p + 1;", f"C[i] = {total};"])
    bound = pick(nest, "n", "n", "n", f"n && i < *p + 20", f"n && {total} < 300")
    lines = [f"for (int i = 0; i < {bound}; i++) {{", *("  " + line for line in body), "}"]
    inside = [f"static {kind} {total};"] if here else []
    outside = [] if here else [f"{pick(nest, 'static ', '')}{kind} {total};"]
    nest.before = [*outside, f"static {kind} *{name}_both({kind} *p, int n) {{",
                   *("  " + line for line in [*inside, *lines, f"return &{total};"]), "}"]
    first = [f"{kind} other = 5, *to = {name}_both(&other, 0);", "*to = 2;"]
    calls = nest.random.sample([f"{name}_both(&other, n);", f"{name}_both(to, n);", f"{name}_both(to, n - 1);"], 2)
    return [*first, *calls, "s = *to;", "t = other;"]


def own_address(nest):
    """A loop in the function whose variable's address it uses, or whose pointer points into an array that it changes."""
    kind = pick(nest, "int", "double", "long")
    return pick(nest, [f"{kind} total = 0, other = 1, *p = X[3] > 7 ? &total : &other;", "for (int i = 0; i < n; i++) {",
                       "  total += 1;", "  *p += X[i];", "}", "s = total;", "t = other;"],
                [f"{kind} total = 0, *p = &total;", "for (int i = 0; i < n; i++) {", "  *p += X[i];", "  total += 1;", "}", "s = total;"],
                ["double *p = A + X[2];", "for (int i = 0; i < n; i++) {", "  A[i] = B[i];", "  *p += 1;", "}"],
                [f"double *p = &A[{pick(nest, '0', 'n', '60')}];", "for (int i = 0; i < n; i++)", "  B[i] = A[i] + p[0];"],
                ["double *p = &out;", "out = 1;", "for (int i = 0; i < n; i++) {", "  out += 1;", "  *p += A[i];", "}", "s = out;"])


# Loops that leave their function

def check(nest, known):
    """A condition under which the loop leaves; `known` are variables of the iteration."""
    choices = ["a[i] < -7", "a[i] < -2.3", "a[i] == 8", "X[i] == 15 && i > 9", "!fr[i] && !ff[i]", "wd[i] && fr[i] > 0 && i > 4",
               "i * i > n * 20",
               "a[i] > 7 || X[i] == 3", "!wd[i]", "ff[i] - fr[i] == 0.375", "fr[i] == -0.5 && i % 5 == 2"]
    for name in known:
        choices += [f"{name} > 13", f"{name} == -9", f"{name} < -2 && i > 12"]
    chosen = nest.random.choice(choices)
    if "||" in chosen:
        chosen = f"({chosen})"
    return chosen if nest.chance(0.5) else f"{chosen} && i > {nest.random.randint(3, 25)}"


def work(nest, known):
    """A statement of such a loop that does not decide whether it leaves."""
    more = [f"b[i] = {name} + 1;" for name in known]
    return pick(nest, "b[i] = a[i] + 1;", "b[i] = -a[i];", "b[i] += 2;", "b[i] -= a[i + 1];", "un[i]++;", "queue[i] = i;",
                "region[i] += fr[i];",
                "sum += a[i];", "for (int k = 0; k < 3; k++) un[i + k * 40] += k;", "if (X[i] > 4) b[i] = 3;", *more, *more)


def departure(nest, way, number):
    """What stands under a check: it leaves, maybe with something said before."""
    leave = {"return": pick(nest, "return -i;", "return i;", f"return -{number + 1};", "return i * 2 + 1;"),
             "break": f"bad = {number + 1}; break;",
             "goto": "goto out;", "void": "return;"}[way]
    if nest.chance(0.3):
        leave = f"seen[{number + 3}] = {pick(nest, 'i + 1', 'a[i]', '5')}; {leave}"
    return leave if leave.count(";") == 1 else f"{{ {leave} }}"


def iteration(nest, way, checks):
    """The lines of an iteration with `checks` checks, and work and variables before, between and behind them."""
    lines, known = [], []
    for number in range(checks):
        if nest.chance(0.15 if number else 0.45):
            lines.append(work(nest, known))
        if nest.chance(0.4):
            name = "de"[number % 2]
            if name not in known:
                lines.append(f"double {name} = {pick(nest, 'a[i] - a[i + 1]', 'a[i] + X[i]', 'a[i] - 2 * i', 'fr[i] + a[i]')};")
                known.append(name)
        lines.append(f"if ({check(nest, known)}) {departure(nest, way, number)}")
    return lines + [work(nest, known) for _ in range(pick(nest, 0, 1, 1, 2))]


def leaving(nest):
    """A function with a loop that leaves it, or the loop, from the middle of an iteration; work up to there is done."""
    way, name = pick(nest, "return", "return", "return", "void", "break", "goto"), f"{nest.name}_leave"
    lines = iteration(nest, way, pick(nest, 1, 1, 2, 3))
    outside = nest.chance(0.3)
    head = nest.head("i", pick(nest, "0", "0", "1"), pick(nest, "n", "n", "n - 1"))
    if outside:
        head = head.replace("int i", "i")
    kind = "void" if way == "void" else pick(nest, "int", "int", "long", "double")
    body = [*(["int i;"] if outside else []), "double sum = 0;", "int bad = 0;", head + " {", *("  " + line for line in lines), "}"]
    body += ["seen[1] += i;"] if outside and way == "break" else []
    body += [f"seen[2] = {pick(nest, '7', 'n')};", "out:", "b[0] += sum;"] if way == "goto" else ["b[0] += sum;"]
    body += [] if way == "void" else [f"return {'i + bad' if outside else 'n + 1 + bad'};"]
    taken = "" if kind == "void" else "s += "
    if nest.chance(0.4):
        body = [re.sub(r"\b[ab]\b", lambda word: word[0].upper(), line) for line in body]
        nest.before = [f"static {kind} {name}(int n) {{", *("  " + line for line in body), "}"]
        return [f"{taken}{name}(n);", f"{taken}{name}(n - 1);"]
    restrict = "restrict " if nest.chance(0.3) else ""
    nest.before = [f"static {kind} {name}(int n, const double *{restrict}a, double *{restrict}b) {{", *("  " + line for line in body), "}"]
    calls = ["A, B", "own, C", "A, own", "M[1], Q[2]", *([] if restrict else ["A, A", "own, own", "C + 1, C", "C, C + 1", "A, A + 60"])]
    return ["double *own = calloc(n + 2, sizeof *own);", *(f"{taken}{name}(n, {one});" for one in nest.random.sample(calls, 2)),
            "for (int i = 0; i <= n; i++) R[3][i] = own[i];", "free(own);"]


def leaving_rows(nest):
    """A function that leaves two loops at once."""
    name = f"{nest.name}_leave"
    test = pick(nest, "M[i][j] < -7 && i > 3", "M[i][j] == 8", "fr[i] && !ff[j]", "!wd[i + j] && j > 5", "M[i][j] - M[j][i] == 9",
                "X[i] + X[j] == 29")
    work = pick(nest, [], ["R[i][j] = M[i][j] + 1;"], ["un[j]++;"], ["R[i][j] -= A[j];"])
    behind = pick(nest, [], ["Q[i][j] = j;"], ["Q[j][i] = M[i][j];"])
    leave = pick(nest, "return i;", "return i * 80 + j;", "{ seen[3] = j; return -i; }")
    row = pick(nest, [], ["    B[i] = 4;"])
    inner = nest.head("j", "0", pick(nest, "n", "i", "n - 1"))
    nest.before = [f"static int {name}(int n) {{", "  " + nest.head("i", "0", "n") + " {", *row, f"    {inner} {{",
                   *("      " + line for line in [*work, f"if ({test}) {leave}", *behind]), "    }", "  }", "  return -1;", "}"]
    return [f"s = {name}(n);"]


def flagged(nest):
    """Loops that go on while a flag says so, or remember in one what they have seen."""
    test = pick(nest, "A[i] < -7", "A[i] == 8 && i > 9", "!fr[i] && !ff[i]", truth(nest))
    body = pick(nest, ["for (int i = 0; i < n && ok; i++) {", f"  if ({test}) ok = 0;", f"  else {change(nest)}", "}"],
                ["for (int i = 0; i < n && ok; i++) {", f"  {change(nest)}", f"  if ({test}) ok = 0;", "}"],
                ["for (int i = 0; i < n; i++) {", f"  if ({test}) ok = 0;", f"  if (ok) {change(nest)}", "}"],
                ["for (int i = 0; ok && i < n; i++) {", f"  ok = !({test});", f"  {change(nest)}", "}"],
                ["for (int i = 0; i < n; i++) {", f"  if ({test}) {{", "    ok = 0;", "    last = i;", "    break;",
                 "  }", "  " + change(nest), "}"],
                ["for (int i = 0; i < n; i++)", f"  ok &= !({test});"], ["for (int i = 0; i < n; i++)", f"  ok = ok && !({test});"],
                ["for (int i = 0; i < n; i++) {", f"  _Bool yes = {test};", "  ok |= yes;", f"  if (yes) {change(nest)}", "}"])
    return with_counters([f"{pick(nest, 'int', '_Bool', 'char')} ok = 1;", *body, "s -= ok;"])


PLAIN = [truths, truths, truths, truths, sought, wide_conditions, wide_conditions, far_bounds, far_bounds, extremum, extremum, shared,
         shared, own_address, leaving, leaving, leaving, leaving, leaving_rows, flagged]


def named(nest):
    """One of the others with variables whose names generated code has, too."""
    lines = nest.random.choice(PLAIN)(nest)
    used = set(re.findall(r"\w+", " ".join(nest.before + lines)))
    old = [word for word in VARIABLES if word in used]
    new = dict(zip(nest.random.sample(old, min(len(old), 4)), nest.random.sample([name for name in NAMES if name not in used], 4)))

    def renamed(texts):
        return [re.sub(r"\b[a-z]+\b", lambda word: new.get(word[0], word[0]), text) for text in texts]

    nest.before = renamed(nest.before)
    return renamed(lines)


SHAPES = PLAIN + [named] * 5
