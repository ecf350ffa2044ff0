"""Random nests about C's arithmetic: narrow and unsigned types, the usual conversions, wrapping, indices of every integer type,
loops whose bounds are data or whose headers step two variables, reductions into variables of any type.

Nothing here is undefined: every expression has an interval, and an operation on signed values is made only where its result fits.
"""
import random


class Kind:
    """A type of C: its name, and the values it holds. Floating types hold small whole numbers."""

    def __init__(self, name, low, high, rank, floating=False):
        self.name, self.low, self.high, self.rank, self.floating = name, low, high, rank, floating
        self.signed = low < 0


def whole(name, bits, signed, rank):
    return Kind(name, -2 ** (bits - 1) if signed else 0, 2 ** (bits - (1 if signed else 0)) - 1, rank)


TRUTH, U8, I8 = Kind("_Bool", 0, 1, 0), whole("unsigned char", 8, False, 1), whole("signed char", 8, True, 1)
U16, I16 = whole("unsigned short", 16, False, 2), whole("short", 16, True, 2)
INT, UINT = whole("int", 32, True, 3), whole("unsigned", 32, False, 3)
LONG, ULONG = whole("long", 64, True, 4), whole("unsigned long", 64, False, 4)
FLOAT, DOUBLE = Kind("float", -8, 8, 5, True), Kind("double", -8, 8, 6, True)
KINDS = [TRUTH, U8, I8, U16, I16, INT, UINT, LONG, ULONG, FLOAT, DOUBLE]
INTEGERS = [kind for kind in KINDS if not kind.floating]
EXACT = 2 ** 20  # floating values stay within what every type holds exactly

# name -> type, extents
ARRAYS = {"tr": (TRUTH, [300]), "uc": (U8, [300]), "sc": (I8, [300]), "us": (U16, [300]), "sh": (I16, [300]), "in": (INT, [300]),
          "un": (UINT, [300]), "lo": (LONG, [300]), "ul": (ULONG, [300]), "fl": (FLOAT, [300]), "db": (DOUBLE, [300]),
          "um": (UINT, [64, 64]), "cm": (U8, [64, 64])}
DECLARATIONS = "".join(f"{kind.name} {name}{''.join(f'[{e}]' for e in extents)};\n"
                       for name, (kind, extents) in ARRAYS.items())
MOST = 37


class Value:
    """An expression: its text, its type, and an interval of its values."""

    def __init__(self, text, kind, low, high):
        self.text, self.kind, self.low, self.high = text, kind, low, high


def promoted(value):
    """What `value` is as an operand of arithmetic."""
    return Value(value.text, INT, value.low, value.high) if value.kind.rank < INT.rank else value


def converted(value, kind, text):
    """`value` as `kind`, under a new text; None where that is undefined."""
    if kind is TRUTH:
        return Value(text, kind, 0, 1)
    if kind.floating:
        return Value(text, kind, value.low, value.high) if -EXACT < value.low and value.high < EXACT else None
    if kind.low <= value.low and value.high <= kind.high:
        return Value(text, kind, value.low, value.high)
    return None if value.kind.floating else Value(text, kind, kind.low, kind.high)


def common(a, b):
    """`a` and `b` in the type that C brings both to."""
    a, b = promoted(a), promoted(b)
    if a.kind.rank == b.kind.rank:
        kind = a.kind if not a.kind.signed else b.kind
    else:
        kind = a.kind if a.kind.rank > b.kind.rank else b.kind
    a, b = converted(a, kind, a.text), converted(b, kind, b.text)
    return (a, b, kind) if a and b else (None, None, kind)


class ConversionNest:
    """A nest whose function is `name`; the same for the same seed."""

    pointers = False

    def __init__(self, seed, name):
        self.seed, self.name = seed, name
        self.random = random.Random(seed)
        self.indices = []  # of the open loops
        self.locals = []   # variables of the body, certainly assigned
        self.names = iter("ijklm")
        self.declarations, self.ends = [], []
        self.counter = 0
        self.arrays = self.random.sample(list(ARRAYS), 4)
        self.trip = 1
        self.reduced = {}  # accumulator -> what may be done to it

    def chance(self, p):
        return self.random.random() < p

    def pick(self, *choices):
        return self.random.choice(choices)

    # Expressions

    def clamped(self, value, low, high):
        """`value` brought into an interval that lies within [low, high], which contains 0..1."""
        if low <= value.low and value.high <= high:
            return value
        value = promoted(value)
        if value.kind.floating:
            return Value(f"fmod({value.text}, 5)", DOUBLE, -4, 4) if low < 0 else Value(f"({value.text} > 1)", INT, 0, 1)
        ways = []
        room = min(high, -low) if value.low < 0 else high
        if room >= 3:
            m = self.random.randint(2, min(room, 120)) + 1
            if value.low < 0:
                ways.append(Value(f"({value.text}) % {m}", value.kind, 1 - m, m - 1))
            else:
                ways.append(Value(f"({value.text}) % {m}", value.kind, 0, m - 1))
        bits = min(high, 255).bit_length() - 1
        mask = (1 << self.random.randint(1, max(1, bits))) - 1 if high >= 1 else 0
        ways.append(Value(f"({value.text} & {mask})", value.kind, 0, mask))
        if value.kind.rank <= LONG.rank:
            ways.append(Value(f"({value.text} != {self.random.randint(-1, 3)})", INT, 0, 1))
        chosen = self.random.choice(ways)
        return Value(f"({chosen.text})", chosen.kind, chosen.low, chosen.high)

    def subscript(self, extent):
        """The text of a subscript of an array of `extent` elements."""
        index = self.random.choice([index for index in self.indices if index.high < MOST + 10])
        second = [index for index in self.indices if MOST + 10 <= index.high < extent]
        if second and self.chance(0.3):
            return second[0].text
        way = self.random.random()
        if way < 0.55:
            c = self.random.choice([0, 0, 0, 1, 2])
            return f"{index.text} + {c}" if c and index.high + c < extent else index.text
        if way < 0.65:
            suffix = "" if promoted(index).kind.signed else "u"
            return f"{MOST + 2}{suffix} - {index.text}"
        if way < 0.72:
            return f"(unsigned char)({index.text} * {self.pick(3, 7, 11)})" if extent > 255 else f"{index.text} / 2"
        if way < 0.80:
            return f"{index.text} % {self.pick(3, 5, 8)}"
        if way < 0.86:
            return f"{index.text} ^ {self.pick(1, 2, 3)}"
        if way < 0.92 and extent > 255:
            return f"uc[{index.text}]"
        if self.chance(0.3):
            value = self.element(self.pick("us", "sh", "in", "ul"))
            return self.clamped(self.pick(value, Value(f"(int)({index.text})", INT, 0, 50)), 0, extent - 1).text
        return index.text

    def element(self, name=None):
        name = name or self.random.choice(self.arrays)
        kind, extents = ARRAYS[name]
        text = name + "".join(f"[{self.subscript(extent)}]" for extent in extents)
        return Value(text, kind, kind.low, kind.high)

    def leaf(self):
        way = self.random.random()
        if way < 0.15:
            value, kind = self.pick((0, INT), (1, INT), (-1, INT), (7, INT), (255, INT), (200, INT), (40000, INT), (1, UINT),
                                    (3000000000, UINT), (-5, INT), (1, LONG), (5000000000, LONG), (3, ULONG))
            suffix = {UINT: "u", LONG: "L", ULONG: "ul"}.get(kind, "")
            return Value(f"({value}{suffix})" if value < 0 else f"{value}{suffix}", kind, value, value)
        if way < 0.30:
            return self.random.choice(self.indices)
        if way < 0.35:
            return Value("n", INT, 0, MOST)
        if way < 0.50 and self.locals:
            return self.random.choice(self.locals)
        return self.element()

    def expression(self, depth=2):
        if depth == 0 or self.chance(0.25):
            return self.leaf()
        way = self.random.random()
        a = self.expression(depth - 1)
        if way < 0.15:
            kind = self.random.choice(KINDS)
            if kind.floating or a.kind.floating:
                a = self.clamped(a, -EXACT + 1, EXACT - 1)
            return converted(a, kind, f"({kind.name})({a.text})") or a
        if way < 0.25:
            return self.unary(a)
        b = self.expression(depth - 1)
        if way < 0.40:
            return self.compared(a, b)
        if way < 0.48:
            condition = self.compared(self.leaf(), b)
            other = self.leaf()
            left, right, kind = common(a, other)
            if left is None:
                return a
            text = f"({condition.text} ? {a.text} : {other.text})"
            return Value(text, kind, min(left.low, right.low), max(left.high, right.high))
        if way < 0.58:
            return self.shifted(a)
        if way < 0.68:
            return self.divided(a, b)
        if way < 0.80:
            return self.bits(a, b)
        return self.arithmetic(a, b)

    def unary(self, a):
        op = self.pick("-", "~", "!", "-")
        a = promoted(a)
        if op == "!":
            return Value(f"!({a.text})", INT, 0, 1)
        if op == "~" and a.kind.floating or a.kind.signed and not a.kind.floating and a.low == a.kind.low:
            return a
        if not a.kind.signed:
            return Value(f"({op}{a.text})", a.kind, 0, a.kind.high)
        low, high = (-a.high, -a.low) if op == "-" else (-a.high - 1, -a.low - 1)
        return Value(f"({op}({a.text}))", a.kind, low, high)

    def compared(self, a, b):
        left, _, _ = common(a, b)
        if left is None:
            b = Value("3", INT, 3, 3)
        op = self.pick("<", "<=", ">", ">=", "==", "!=")
        text = f"({a.text} {op} {b.text})"
        if self.chance(0.2):
            text = f"({text} {self.pick('&&', '||')} {self.leaf().text})"
        return Value(text, INT, 0, 1)

    def shifted(self, a):
        a = promoted(a)
        if a.kind.floating:
            return a
        by = self.random.randint(1, 9)
        if self.chance(0.5):
            return Value(f"({a.text} >> {by})", a.kind, a.low >> by, a.high >> by)
        if not a.kind.signed:
            return Value(f"({a.text} << {by})", a.kind, 0, a.kind.high)
        if a.low >= 0 and a.high << by <= a.kind.high:
            return Value(f"({a.text} << {by})", a.kind, a.low << by, a.high << by)
        return a

    def divided(self, a, b):
        op = self.pick("/", "%")
        divisor = self.pick(Value("3", INT, 3, 3), Value("7u", UINT, 7, 7), Value("(-4)", INT, -4, -4), Value("10L", LONG, 10, 10),
                            None)
        if divisor is None:
            b = self.clamped(b, 0, 100)
            if b.kind.floating:
                return a
            divisor = Value(f"({b.text} + 1)", promoted(b).kind, 1, b.high + 1)
        left, right, kind = common(a, divisor)
        if left is None or kind.floating or (left.low == kind.low and right.low <= -1 <= right.high):
            return a
        negative = left.low < 0 or right.low < 0
        if op == "/":
            most = max(-left.low, left.high)
            return Value(f"({a.text} / {divisor.text})", kind, -most if negative else 0, most)
        most = max(abs(right.low), abs(right.high)) - 1
        return Value(f"({a.text} % {divisor.text})", kind, -most if left.low < 0 else 0, most)

    def bits(self, a, b):
        left, right, kind = common(a, b)
        if left is None or kind.floating:
            return a
        op = self.pick("&", "|", "^")
        low, high = kind.low, kind.high
        if left.low >= 0 and right.low >= 0:
            low, high = 0, min(kind.high, (1 << max(left.high.bit_length(), right.high.bit_length())) - 1)
        return Value(f"({a.text} {op} {b.text})", kind, low, high)

    def arithmetic(self, a, b):
        op = self.pick("+", "-", "*")
        left, right, kind = common(a, b)
        if left is None:
            return a
        ends = [{"+": x + y, "-": x - y, "*": x * y}[op] for x in (left.low, left.high) for y in (right.low, right.high)]
        low, high = min(ends), max(ends)
        text = f"({a.text} {op} {b.text})"
        if kind.floating:
            return Value(text, kind, low, high) if -EXACT < low and high < EXACT else a
        if kind.low <= low and high <= kind.high:
            return Value(text, kind, low, high)
        if not kind.signed:
            return Value(text, kind, kind.low, kind.high)
        return Value(f"((unsigned)({a.text}) {op} {b.text})", UINT, 0, UINT.high) if kind is INT else a

    def stored(self, kind, depth=2):
        """An expression that may be assigned to a variable of `kind`."""
        value = self.expression(depth)
        if kind.floating:
            return self.clamped(value, kind.low, kind.high)
        if value.kind.floating and not (kind.low <= value.low and value.high <= kind.high):
            return Value(f"({value.text} > 0)", INT, 0, 1)
        return value

    # Statements

    def statement(self):
        way = self.random.random()
        if way < 0.40:
            return [self.assignment()]
        if way < 0.52:
            kind = self.random.choice(KINDS)
            self.counter += 1
            name = f"v{self.counter}"
            value = self.stored(kind)
            self.locals.append(Value(name, kind, kind.low, kind.high))
            return [f"{kind.name} {name} = {value.text};"]
        if way < 0.62:
            before = list(self.locals)
            lines = [f"if ({self.compared(self.leaf(), self.leaf()).text})", "  " + self.assignment()]
            self.locals = before
            return lines
        return self.accumulation()

    def assignment(self):
        target = self.element()
        kind = target.kind
        if kind.floating:
            return f"{target.text} = {self.stored(kind).text};"
        op = self.pick("=", "=", "=", "&=", "|=", "^=", "+=", "-=", "++", "<<=")
        if op == "++":
            if kind.low < 0 and kind.rank >= INT.rank or kind is TRUTH:
                op = "="
            else:
                return self.pick(f"{target.text}++;", f"--{target.text};", f"{target.text} += 1;")
        value = self.stored(kind)
        if op in ("&=", "|=", "^=") and value.kind.floating:
            op = "="
        if op == "<<=":
            if kind.signed or kind is TRUTH:
                op = "="
            else:
                return f"{target.text} <<= {self.random.randint(1, 3)};"
        if op in ("+=", "-="):
            left, right, joint = common(target, value)
            fits = left and not joint.floating
            if fits and joint.signed:
                reach = abs(right.high) + abs(right.low)
                fits = joint.low <= left.low - reach and left.high + reach <= joint.high
            if not fits:
                op = "="
        return f"{target.text} {op} {value.text};"

    def accumulation(self):
        """An update of a variable that a loop reduces: of one operation wherever it stands."""
        if self.reduced and self.chance(0.3):
            name = self.random.choice(list(self.reduced))
        else:
            name = f"r{len(self.reduced)}"
            kind = self.random.choice(INTEGERS)
            ops = ["^", "|", "&", "min", "max", "&&", "||", "count"]
            ops += [] if kind is TRUTH else ["+", "+", "+", "*"]
            self.reduced[name] = (kind, self.random.choice(ops))
            self.declarations.append(f"{kind.name} {name} = {self.pick('0', '1', 'n', '5', '0')};")
            self.ends.append(name)
        kind, op = self.reduced[name]
        value = self.expression()
        if value.kind.floating:
            value = Value(f"({value.text} > 1)", INT, 0, 1)
        if op in ("^", "|", "&"):
            return [self.pick(f"{name} {op}= {value.text};", f"{name} = {name} {op} {value.text};")]
        if op in ("&&", "||"):
            if op == "&&" and self.chance(0.7):
                value = Value(f"({value.text} || {self.random.choice(self.indices).text} < {MOST + 1})", INT, 0, 1)
            return [f"{name} = {name} {op} {value.text};"]
        if op == "count":
            if kind is TRUTH:
                return [f"{name} |= {self.compared(value, self.leaf()).text};"]
            return self.pick([f"if ({self.compared(value, self.leaf()).text})", f"  {name}++;"],
                             [f"{name} += {self.compared(value, self.leaf()).text};"])
        if op in ("min", "max"):
            sign = "<" if op == "min" else ">"
            text = value.text
            return self.pick([f"if ({text} {sign} {name})", f"  {name} = {text};"],
                             [f"{name} = {text} {sign} {name} ? {text} : {name};"],
                             [f"{name} = {name} {sign} {text} ? {name} : {text};"])
        if op == "*":
            if kind.signed:
                return [f"{name} *= -1;"]
            value = self.clamped(value, 0, 100) if promoted(Value("", kind, 0, 0)).kind is INT else value
            value = self.clamped(value, 0, 2 ** 14) if kind.rank < INT.rank else value
            return [f"{name} *= {value.text} + 1;" if kind.rank < INT.rank else f"{name} *= {value.text};"]
        if kind.signed and kind.rank >= INT.rank or kind.rank < INT.rank:
            value = self.clamped(value, -1000, 1000)
        sign = self.pick("+", "+", "-")
        return [self.pick(f"{name} {sign}= {value.text};", f"{name} = {name} {sign} {value.text};")]

    # Loops

    def loop(self, depth):
        name = next(self.names)
        kind = self.pick(INT, INT, UINT, LONG, ULONG, I16, U8, I8)
        bound = self.pick("n", "n", "n", "23", "n + 1")
        if self.indices:
            bound = self.pick("n", "n", "n", "n - 1", "23", f"us[{self.random.choice(self.indices).text}] % 9", "n / 2")
        if "-" in bound and not kind.signed and kind.rank >= INT.rank:
            bound = "n"
        high = MOST + 1
        index = Value(name, kind, 0, high)
        way = self.random.random()
        second = None
        if way < 0.12:
            if kind.signed:
                head = f"for ({kind.name} {name} = {bound} - 1; {name} >= 0; {name}--)"
            else:
                head = f"for ({kind.name} {name} = {bound}; {name}-- > 0;)" if kind.rank >= INT.rank else \
                    f"for ({kind.name} {name} = {bound}; {name} > 0; {name}--)"
        elif way < 0.24:
            head = f"for ({kind.name} {name} = 0; {name} < {bound}; {name} += {self.pick(2, 3)})"
            index.high += 3
        elif way < 0.32:
            other = f"{name}2"
            second = Value(other, kind, 0, 2 * high) if self.chance(0.5) else None
            head = f"for ({kind.name} {name} = 0, {other} = 1; {name} < {bound}; {name}++, {other} += 2)" if second else \
                f"for ({kind.name} {name} = 0; {name} != 19; {name}++)"
        else:
            head = f"for ({kind.name} {name} = 0; {name} < {bound}; {name}++)"
        self.indices.append(index)
        if second and kind.high > 100:
            self.indices.append(second)
        outside = list(self.locals)
        lines = []
        inner = depth < 1 and self.chance(0.5)
        count = self.pick(1, 2, 2, 3)
        for k in range(count):
            if inner and k == count - 1:
                lines += self.loop(depth + 1)
            else:
                lines += self.statement()
        self.locals = outside
        if second and kind.high > 100:
            self.indices.pop()
        self.indices.pop()
        return [head + " {", *("  " + line for line in lines), "}"]

    def text(self):
        lines = [line for _ in range(self.pick(1, 1, 2)) for line in self.loop(0)]
        ends = [f"seen[{k}] = {name};" for k, name in enumerate(self.ends)]
        body = "\n".join("  " + line for line in self.declarations + lines + ends)
        return f"// nest seed {self.seed}, conversions\nvoid {self.name}(int n) {{\n{body}\n}}\n"

    def runs(self):
        return [f"{self.name}(n)"]
