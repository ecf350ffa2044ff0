#!/usr/bin/env python3
"""Writes members of the parametric families of systems: make.py FAMILY N > file.aif

Families: matmul (n x n matrix product), outer (the same by one rank-one update a step), life (game of life on an n x n torus), torus (the same with one action per cell), fir (n taps), sort (n inputs), ring (n
stations), arbiter (n clients), parity (n bits), heat (n x n stencil on reals), processor (a RISC with n words of memory that sorts
16 of them; n at least 64).
"""
import sys


def system(name, interface, actions, locals_="", init=""):
    text = f"system {name}:\ninterface:\n{interface}locals:\n{locals_}init:\n"
    return text + f"{init}main:\n  data flow:\n{actions}"


def matmul(n):
    data = {True: "", False: ""}
    for first in (True, False):
        for r in range(n):
            for c in range(n):
                terms = " + ".join(f"a[{r}][{k}]*b[{k}][{c}]" for k in range(n))
                data[first] += f"    {'true' if first else '__ell0'} => out[{r}][{c}] = {terms}\n"
    bound = 32 * 32 * n + 1
    interface = (f"  a: input int{{32}}[{n}][{n}]\n  b: input int{{32}}[{n}][{n}]\n"
                 f"  out: output memorized int{{{bound}}}[{n}][{n}]\n")
    return (f"system MatrixMul{n}:\ninterface:\n{interface}locals:\n  __ell0: label bool\n"
            f"init:\n  control flow:\n    true => next(__ell0) = true\n  data flow:\n{data[True]}"
            f"main:\n  control flow:\n    __ell0 => next(__ell0) = true\n  data flow:\n{data[False]}")


def outer(n):
    """An n x n matrix product as a sum over n steps: each step brings a column of one matrix and a row of the other."""
    actions = ""
    for r in range(n):
        for c in range(n):
            actions += f"    first => next(out[{r}][{c}]) = a[{r}]*b[{c}]\n"
            actions += f"    !first => next(out[{r}][{c}]) = out[{r}][{c}] + a[{r}]*b[{c}]\n"
    interface = (f"  first: input bool\n  a: input int{{32}}[{n}]\n  b: input int{{32}}[{n}]\n"
                 f"  out: output memorized int{{{32 * 32 * n + 1}}}[{n}][{n}]\n")
    return system(f"Outer{n}", interface, actions)


def life(n):
    actions = ""
    for r in range(n):
        for c in range(n):
            around = " + ".join(f"cell[{(r + dr) % n}][{(c + dc) % n}]" for dr in (-1, 0, 1) for dc in (-1, 0, 1)
                                if (dr, dc) != (0, 0))
            actions += f"    !load & ({around} == 3 | cell[{r}][{c}] == 1 & {around} == 2) => next(cell[{r}][{c}]) = 1\n"
            actions += f"    !load & !({around} == 3 | cell[{r}][{c}] == 1 & {around} == 2) => next(cell[{r}][{c}]) = 0\n"
            actions += f"    load => next(cell[{r}][{c}]) = seed[{r}][{c}]\n"
    interface = f"  load: input bool\n  seed: input nat{{2}}[{n}][{n}]\n  cell: output memorized nat{{2}}[{n}][{n}]\n"
    return system(f"Life{n}", interface, actions)


def torus(n):
    """Life again, with one action per cell: a cell is an event, dead unless something brings it to life. `load` starts a
    pattern computed from the coordinates."""
    actions = ""
    for r in range(n):
        for c in range(n):
            around = " + ".join(f"cell[{(r + dr) % n}][{(c + dc) % n}]" for dr in (-1, 0, 1) for dc in (-1, 0, 1)
                                if (dr, dc) != (0, 0))
            actions += (f"    load & ({r}*{r} + 3*{c}*{c} + {r}*{c})%7 > 4 | !load & ({around} == 3 | cell[{r}][{c}] == 1"
                        f" & {around} == 2) => next(cell[{r}][{c}]) = 1\n")
    return system(f"Torus{n}", f"  load: input bool\n  cell: output event nat{{2}}[{n}][{n}]\n", actions)


def fir(n):
    actions = "    true => next(x[0]) = sample\n"
    for k in range(1, n):
        actions += f"    true => next(x[{k}]) = x[{k - 1}]\n"
    taps = " + ".join(f"{(k * 7) % 11 - 5}*x[{k}]" for k in range(n))
    actions += f"    true => y = {taps}\n"
    return system(f"Fir{n}", f"  sample: input int{{128}}\n  y: output memorized int{{{128 * 6 * n}}}\n", actions,
                  f"  x: local memorized int{{128}}[{n}]\n")


def sort(n):
    """Odd-even transposition: n rounds of compare and exchange within one step."""
    actions = ""
    for k in range(n):
        actions += f"    true => w[0][{k}] = x[{k}]\n"
    for round_ in range(n):
        for k in range(n):
            partner = k + 1 if (k + round_) % 2 == 0 else k - 1
            here, there = f"w[{round_}][{k}]", f"w[{round_}][{partner}]"
            if not 0 <= partner < n:
                actions += f"    true => w[{round_ + 1}][{k}] = {here}\n"
                continue
            keep, take = ("<=", ">") if k < partner else (">=", "<")
            actions += f"    {here} {keep} {there} => w[{round_ + 1}][{k}] = {here}\n"
            actions += f"    {here} {take} {there} => w[{round_ + 1}][{k}] = {there}\n"
    for k in range(n):
        actions += f"    true => y[{k}] = w[{n}][{k}]\n"
    return system(f"Sort{n}", f"  x: input int{{100}}[{n}]\n  y: output memorized int{{100}}[{n}]\n", actions,
                  f"  w: local memorized int{{100}}[{n + 1}][{n}]\n")


def ring(n):
    actions, init = "", "  data flow:\n    true => next(token[0]) = true\n"
    for k in range(n):
        actions += f"    token[{k}] & want[{k}] => use[{k}] = true\n"
        actions += f"    token[{k}] & (!want[{k}] | hold[{k}] >= 3) => next(token[{(k + 1) % n}]) = true\n"
        actions += f"    token[{k}] & want[{k}] & hold[{k}] < 3 => next(token[{k}]) = true\n"
        actions += f"    token[{k}] & want[{k}] & hold[{k}] < 3 => next(hold[{k}]) = hold[{k}] + 1\n"
        actions += f"    !(token[{k}] & want[{k}] & hold[{k}] < 3) => next(hold[{k}]) = 0\n"
    return system(f"Ring{n}", f"  want: input bool[{n}]\n  use: output event bool[{n}]\n", actions,
                  f"  token: local event bool[{n}]\n  hold: local memorized nat{{4}}[{n}]\n", init)


def arbiter(n):
    """Fixed priority with a busy line: the grant ripples through the clients within one step."""
    actions = "    true => free[0] = !busy\n"
    for k in range(n):
        actions += f"    free[{k}] & request[{k}] => grant[{k}] = true\n"
        actions += f"    free[{k}] & !request[{k}] => free[{k + 1}] = true\n"
    return system(f"Arbiter{n}", f"  busy: input bool\n  request: input bool[{n}]\n  grant: output event bool[{n}]\n",
                  actions, f"  free: local event bool[{n + 1}]\n")


def parity(n):
    actions = "    true => p[0] = x[0]\n"
    for k in range(1, n):
        actions += f"    p[{k - 1}] != x[{k}] => p[{k}] = true\n"
    actions += f"    p[{n - 1}] => next(odd) = !odd\n"
    return system(f"Parity{n}", f"  x: input bool[{n}]\n  odd: output memorized bool\n", actions,
                  f"  p: local event bool[{n}]\n")


def heat(n):
    actions = ""
    for r in range(n):
        for c in range(n):
            if r in (0, n - 1) or c in (0, n - 1):
                actions += f"    true => next(t[{r}][{c}]) = rim\n"
            else:
                actions += (f"    true => next(t[{r}][{c}]) = 0.25*(t[{r - 1}][{c}] + t[{r + 1}][{c}] + t[{r}][{c - 1}]"
                            f" + t[{r}][{c + 1}])\n")
    return system(f"Heat{n}", f"  rim: input real\n  t: output memorized real[{n}][{n}]\n", actions)


# Instructions: a word is op * 2^26 + a * 2^21 + b * 2^16 + immediate.
HALT, ADDI, ADD, SUB, LW, SW, BLT, JMP = range(8)


def word(op, a=0, b=0, immediate=0):
    return op << 26 | a << 21 | b << 16 | immediate % 65536


def processor(n):
    """One instruction a step; registers and memory are arrays that data selects cells of."""
    data, base = [53, 7, 92, 15, 38, 61, 4, 77, 29, 86, 11, 68, 45, 2, 99, 30], 32
    program = [  # insertion sort: r1 counts, r4 is inserted at r3
        word(ADDI, 1, 0, 1), word(ADDI, 2, 0, len(data)),
        word(BLT, 1, 2, 4), word(JMP, immediate=17),
        word(LW, 4, 1, base), word(ADDI, 3, 1, 0),
        word(BLT, 0, 3, 8), word(JMP, immediate=14),
        word(LW, 5, 3, base - 1), word(BLT, 4, 5, 11), word(JMP, immediate=14),
        word(SW, 5, 3, base), word(ADDI, 3, 3, -1), word(JMP, immediate=6),
        word(SW, 4, 3, base), word(ADDI, 1, 1, 1), word(JMP, immediate=2), word(HALT)]
    loaded = "".join(f"    true => mem[{at}] = {value}\n" for at, value in [*enumerate(program), *enumerate(data, base)])
    interface = f"  probe: input nat{{{n}}}\n  seen: output memorized int{{1073741824}}\n  pc: output memorized nat{{65536}}\n  halted: output event bool\n"
    locals_ = f"  mem: local memorized int{{1073741824}}[{n}]\n  r: local memorized int{{1073741824}}[32]\n"
    abbreviations = """abbreviations:
  instruction = mem[pc]
  op = instruction / 67108864
  a = instruction / 2097152 % 32
  b = instruction / 65536 % 32
  low = instruction % 65536
  immediate = (low >= 32768 ? low - 65536 : low)
  address = r[b] + immediate
  other = r[low % 32]
"""
    actions = "".join(f"    {line}\n" for line in (
        "true => seen = mem[probe]", "op == 0 => halted = true",
        "op == 1 => next(r[a]) = address", "op == 2 => next(r[a]) = r[b] + other", "op == 3 => next(r[a]) = r[b] - other",
        "op == 4 => next(r[a]) = mem[address]", "op == 5 => next(mem[address]) = r[a]",
        "op == 6 & r[a] < r[b] | op == 7 => next(pc) = low",
        "op != 0 & op != 7 & !(op == 6 & r[a] < r[b]) => next(pc) = pc + 1"))
    return (f"system Processor{n}:\ninterface:\n{interface}locals:\n{locals_}{abbreviations}"
            f"init:\n  data flow:\n{loaded}main:\n  data flow:\n{actions}")


if __name__ == "__main__":
    families = {f.__name__: f for f in (matmul, outer, life, torus, fir, sort, ring, arbiter, parity, heat, processor)}
    if len(sys.argv) != 3 or sys.argv[1] not in families:
        sys.exit(__doc__)
    sys.stdout.write(families[sys.argv[1]](int(sys.argv[2])))
