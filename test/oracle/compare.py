"""Holds the claims of `warploom analyze --json` against a trace.

Sound means: no loop is called parallel (or a reduction, or conditional with conditions that hold in the run, or carried
with too large a distance) against a dependence that happened, and every dependence that happened is among those listed.
"""
import itertools
import json
import math
import re
import subprocess
from dataclasses import dataclass, field

FUNCTIONS = {"min": min, "max": max, "floord": lambda a, b: a // b}
NOT_SEQUENTIAL = ("parallel", "reduction", "conditional")


@dataclass
class Report:
    """What came out of one file. `failures` are texts; precision counts loops that the trace shows parallel."""
    checks: int = 0
    failures: list = field(default_factory=list)
    precision: dict = field(default_factory=dict)  # class -> [called so, of]
    missed: list = field(default_factory=list)
    exact_claims: int = 0
    never_seen: list = field(default_factory=list)  # dependences claimed exact that no run shows

    def add(self, other):
        self.checks += other.checks
        self.failures += other.failures
        self.missed += other.missed
        self.exact_claims += other.exact_claims
        self.never_seen += other.never_seen
        for name, (called, total) in other.precision.items():
            mine = self.precision.setdefault(name, [0, 0])
            mine[0] += called
            mine[1] += total


class ClaimError(Exception):
    """The tool crashed, hung, or printed what is not JSON."""


def claims_of(tool, path, flags=(), timeout=120):
    command = [tool, "analyze", path, "--json", "--", "-std=gnu11", *flags]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise ClaimError(f"{path}: no answer after {timeout} s")
    if result.returncode:
        raise ClaimError(f"{path}: exit status {result.returncode}\n{result.stderr[-2000:]}")
    try:
        return json.loads(result.stdout)
    except json.JSONDecodeError as error:
        raise ClaimError(f"{path}: not JSON: {error}\n{result.stdout[:500]}")


def base_name(text):
    """The variable in `a`, `a[i]`, `p->x`, `s.field`, `*p`."""
    found = re.search(r"[A-Za-z_]\w*", text)
    return found.group(0) if found else text


class Comparison:
    def __init__(self, trace, claims, label):
        self.trace = trace
        self.label = label
        self.report = Report()
        self.claimed = {}  # line -> (region, loop)
        self.regions = claims["regions"]
        for region in self.regions:
            for loop in region["loops"]:
                self.claimed[loop["line"]] = (region, loop)
        self.by_carrier = {}
        for dependence in trace.dependences:
            self.by_carrier.setdefault(dependence.carrier, []).append(dependence)
        self.pointed = {}  # (function, pointer) -> objects
        for run, function, name, object_name in trace.pointers:
            self.pointed.setdefault((function, name), set()).add(object_name)

    # Names

    def objects(self, function, text):
        """The traced objects that a name in a claim about `function` stands for."""
        name = base_name(text)
        return self.pointed.get((function, name), set()) | {name}

    def known_name(self, function, text):
        name = base_name(text)
        return (function, name) in self.pointed or name in self.trace.source.objects

    def within(self, line, outer):
        """Whether the loop at `line` is the loop at `outer` or inside it."""
        loops = self.trace.source.loops
        while line in loops:
            if line == outer:
                return True
            line = loops[line].parent
        return False

    # Conditions

    def runs_where(self, function, conditions):
        """The runs of `function` in which every condition that can be evaluated holds."""
        contexts = {}
        for run, name, parameter, value in self.trace.values:
            if name == function:
                contexts.setdefault(run, {}).setdefault(parameter, set()).add(value)
        pointers = {}
        for run, name, pointer, object_name in self.trace.pointers:
            if name == function:
                pointers.setdefault(run, {}).setdefault(pointer, set()).add(object_name)
        for line, loop in self.trace.source.loops.items():
            if loop.function == function and loop.index and line in self.trace.loops:
                for run, least, greatest in self.trace.loops[line]["ranges"]:
                    contexts.setdefault(run, {}).setdefault(loop.index, set()).update(range(least, greatest + 1))
        good = set()
        for run in range(len(self.trace.runs)):
            if all(self.holds(condition, contexts.get(run, {}), pointers.get(run, {})) for condition in conditions):
                good.add(run)
        return good

    def holds(self, condition, values, pointers):
        text = condition if isinstance(condition, str) else json.dumps(condition)
        if "overlap" in text or "alias" in text:
            names = [name for name in re.findall(r"[A-Za-z_]\w*", text)]
            bases = [pointers.get(name, {name} if name in self.trace.source.objects else set()) for name in names]
            bases = [b for b in bases if b]
            return not any(bases[i] & bases[j] for i in range(len(bases)) for j in range(i))
        expression = re.sub(r"&&", " and ", text)
        expression = re.sub(r"\|\|", " or ", expression)
        expression = re.sub(r"!(?!=)", " not ", expression)
        expression = re.sub(r"(?<!/)/(?!/)", "//", expression)
        names = sorted(set(re.findall(r"[A-Za-z_]\w*", expression)) - {"and", "or", "not", *FUNCTIONS})
        if not set(names) <= set(values):
            return True
        try:
            code = compile(expression.strip(), "condition", "eval")
            return all(eval(code, {"__builtins__": FUNCTIONS}, dict(zip(names, combination)))
                       for combination in itertools.islice(itertools.product(*(values[name] for name in names)), 20000))
        except (SyntaxError, ArithmeticError, TypeError, NameError):  # not an expression: the condition is taken to hold
            return True

    def value_in_run(self, value, function, run):
        """A claimed number, or a C expression of the parameters of `function` in `run`; 0 where it has no value."""
        if isinstance(value, int):
            return value
        values = {name: x for r, f, name, x in self.trace.values if r == run and f == function}
        try:
            return int(eval(str(value).replace("/", "//"), {"__builtins__": FUNCTIONS}, values))
        except (SyntaxError, ArithmeticError, TypeError, NameError):  # not an expression of the parameters
            return 0

    # Verdicts

    def obstacles(self, line, claim, runs):
        """The carried dependences of the loop that the claim's `private` and `reductions` do not explain."""
        source_loop = self.trace.source.loops[line]
        record = self.trace.loops[line]
        function = source_loop.function
        private = set().union(*(self.objects(function, name) for name in claim.get("private", [])))
        targets = {}
        for reduction in claim.get("reductions", []):
            for name in self.objects(function, reduction["target"]):
                targets[name] = targets.get(name, "") + reduction["op"]
        inner_indices = set()
        for other, inner in self.trace.source.loops.items():
            if self.within(other, line) and other != line and other in self.trace.loops:
                inner_indices |= set(self.trace.loops[other]["indices"])
        result = []
        for d in self.by_carrier.get(line, []):
            if not any(where & runs for where in d.distances.values()):
                continue
            if d.object in record["inductions"]:
                continue
            if d.kind != "flow" and (d.object in private or d.object in inner_indices):
                continue
            if d.object in targets and self.explains(d, targets[d.object]):
                continue
            result.append(d)
        return result

    def explains(self, d, op):
        """Whether a dependence on a reduction target is one between updates. A line that only reads the target is no
        update, except the comparison of a minimum or maximum."""
        if d.kind == "output":
            return True
        if d.kind == "flow" and d.loose and "min" not in op and "max" not in op:
            return False  # an element is read that the iteration does not then write
        reading = d.sink if d.kind == "flow" else d.source
        updates = {x.sink for x in self.trace.dependences if x.object == d.object and x.kind in ("anti", "output")}
        updates |= {x.source for x in self.trace.dependences if x.object == d.object and x.kind in ("flow", "output")}
        if reading in updates:
            return True
        text = self.trace.source.lines[reading - 1].strip()
        return ("min" in op or "max" in op) and re.match(r"(\}\s*else\s+)?if\b", text) is not None

    def fail(self, line, text):
        source = self.trace.source
        function = source.loops[line].function if line in source.loops else "?"
        self.report.failures.append(f"{self.label}:{line}: {function}: {text}\n    {source.lines[line - 1].strip()}")

    def check_verdict(self, line, claim):
        record = self.trace.loops[line]
        verdict = claim["verdict"]
        function = self.trace.source.loops[line].function
        self.report.checks += 1
        runs = self.runs_where(function, claim.get("conditions") or [])
        if verdict in NOT_SEQUENTIAL:
            if record["index_modified"]:
                self.fail(line, f"called {verdict}, but the body changes the loop index")
            for d in self.obstacles(line, claim, runs):
                self.fail(line, f"called {verdict}, but the trace has: {d}; claim: {json.dumps(claim)}")
        elif verdict == "carried":
            least = claim.get("min_distance")
            for d in self.obstacles(line, claim, runs):
                if any(iterations < self.value_in_run(least, function, run)
                       for (iterations, _, _), where in d.distances.items() for run in where & runs):
                    self.fail(line, f"smallest distance called {least}, but the trace has: {d}; claim: {json.dumps(claim)}")

    # Dependences

    def component_fits(self, claimed, steps, difference):
        """Whether an index difference fits one entry of `distance`, which counts iterations."""
        step = steps[0] if len(steps) == 1 and steps[0] else 1
        value = difference / step
        if value != int(value):
            # A strided loop whose start moves: the difference is no whole number of iterations, either neighbour will do.
            return self.component_fits(claimed, [1], math.floor(value)) or self.component_fits(claimed, [1], math.ceil(value))
        text = str(claimed).strip()
        if re.fullmatch(r"-?\d+", text):
            return value == int(text)
        found = re.fullmatch(r"(-?\d+|\*|-?inf|)\s*\.\.\s*(-?\d+|\*|inf|)", text)
        if found:
            low, high = found.groups()
            above = not re.fullmatch(r"-?\d+", low) or value >= int(low)
            below = not re.fullmatch(r"-?\d+", high) or value <= int(high)
            return above and below
        return True  # "*", or symbolic

    def same_place(self, claimed, traced):
        """Whether two lines are of one statement instance: an `if` belongs to the statements it guards, and a while, do or
        switch may be one statement as a whole."""
        source = self.trace.source
        return claimed == traced or self.in_one_block(claimed, traced) or \
            any(first == claimed and first <= traced <= last for first, last in source.conditions)

    def in_one_block(self, one, other):
        return any(first <= one <= last and first <= other <= last for first, last in self.trace.source.inner_control)

    def same_claim(self, one, other):
        """Whether a claim that covers the traced dependence `one` may cover `other` as well."""
        return (one.kind, one.object, one.carrier) == (other.kind, other.object, other.carrier) and \
            self.same_place(one.source, other.source) and self.same_place(one.sink, other.sink)

    def entry_fits(self, region, entry, d, distance):
        iterations, lines, differences = distance
        if entry["kind"] != d.kind or not self.same_place(entry["source_line"], d.source) \
                or not self.same_place(entry["sink_line"], d.sink):
            return False
        if (entry.get("carried_by_line") or 0) != d.carrier:
            return False
        function = region["function"]
        if self.known_name(function, entry["array"]) and d.object not in self.objects(function, entry["array"]):
            return False
        if not self.known_name(function, entry["array"]) and base_name(entry["array"]) != d.object \
                and d.object not in self.trace.source.objects:
            return False
        region_lines = {loop["line"] for loop in region["loops"]}
        kept = [(line, difference) for line, difference in zip(lines, differences) if line in region_lines]
        claimed = entry["distance"]
        if len(claimed) > len(kept):
            return d.carrier == 0 or not kept  # a common loop in which the trace could not compare
        for (line, difference), component in zip(kept, claimed):
            if not self.component_fits(component, self.trace.loops[line]["steps"], difference):
                return False
        return True

    def listable(self, region=None):
        """The traced dependences that a list of dependences (of `region`, else of all regions) has to contain: both ends
        in loops of the region, on an object of the file or a local that the list speaks of."""
        if region is None:
            return [d for each in self.regions for d in self.listable(each)]
        source = self.trace.source
        function = region["function"]
        own = {loop["line"] for loop in region["loops"]}
        named = {name for entry in region["dependences"] for name in self.objects(function, entry["array"])}
        control = {name for line in own if line in self.trace.loops
                   for name in self.trace.loops[line]["inductions"] + self.trace.loops[line]["indices"]}
        closed = set(region.get("closed_forms") or [])  # nobody reads them any more

        result = []
        for d in self.trace.dependences:
            ends_inside = all(any(l in source.loops and l <= end <= source.loops[l].last for l in own)
                              for end in (d.source, d.sink))
            if not ends_inside or (d.carrier and d.carrier not in own):
                continue
            if d.object in control or (d.object not in source.objects and d.object not in named):
                continue
            if d.object in closed and d.kind != "output":
                continue
            if not d.carrier and (d.source == d.sink or self.in_one_block(d.source, d.sink) or
                                  self.same_place(d.source, d.sink)):
                continue  # inside one instance of a statement
            result.append(d)
        return result

    def aliased_runs(self, function):
        """The runs in which two pointers of `function` point into one object."""
        seen, result = set(), set()
        for run, name, pointer, object_name in self.trace.pointers:
            if name == function:
                if (run, object_name) in seen:
                    result.add(run)
                seen.add((run, object_name))
        return result

    def excused(self, region, d):
        """Whether the tool says itself that its list may lack this dependence: the loop is `unknown`, or the pair is
        among those that could not be compared. A linearised subscript that leaves its row (marked NONAFFINE by the
        generator) breaks a condition that is only stated for conditional loops."""
        verdicts = {loop["line"]: loop["verdict"] for loop in region["loops"]}
        if verdicts.get(d.carrier) == "unknown" or (not d.carrier and "unknown" in verdicts.values()):
            return True
        if any(pair["source_line"] == d.source and pair["sink_line"] == d.sink for pair in region.get("uncompared", [])):
            return True
        pointees = {o for (function, _), objects in self.pointed.items() if function == region["function"] for o in objects}
        return d.object in pointees and self.tagged_nonaffine(region["function"])

    def tagged_nonaffine(self, function):
        first, last = self.trace.source.functions[function]
        return "NONAFFINE" in "\n".join(self.trace.source.lines[max(0, first - 2):last])

    def check_dependences(self):
        for region in self.regions:
            function = region["function"]
            if function not in self.trace.source.functions:
                continue
            conditions = [c for loop in region["loops"] for c in loop.get("conditions") or []]
            runs = self.runs_where(function, conditions + (region.get("conditions") or [])) - self.aliased_runs(function)
            for d in self.listable(region):
                if self.excused(region, d):
                    continue
                self.report.checks += 1
                for distance, where in sorted(d.distances.items()):
                    if not where & runs:
                        continue
                    if not any(self.entry_fits(region, entry, d, distance) for entry in region["dependences"]):
                        near = [e for e in region["dependences"] if e["kind"] == d.kind and
                                e["source_line"] == d.source and e["sink_line"] == d.sink]
                        self.fail(d.carrier or d.source, f"a dependence is not listed: {d.kind} on {d.object}, line "
                                  f"{d.source} -> {d.sink}, carried by {d.carrier}, difference {distance[2]} in loops "
                                  f"{distance[1]}; nearest claims: {json.dumps(near)}")
                        break

    def count_never_seen(self):
        """Flow dependences that are claimed to be exact and that the trace does not have. Not a matter of soundness, and
        a run at small sizes may simply not reach them, so they are counted only."""
        seen = {(d.kind, d.source, d.sink, d.carrier) for d in self.trace.dependences}
        for region in self.regions:
            for entry in region["dependences"]:
                if entry["kind"] == "flow" and entry.get("exact") and all(loop["line"] in self.trace.loops for loop in region["loops"]):
                    self.report.exact_claims += 1
                    key = (entry["kind"], entry["source_line"], entry["sink_line"], entry.get("carried_by_line") or 0)
                    if key not in seen:
                        self.report.never_seen.append(f"{self.label}: {region['function']}: {json.dumps(entry)}")

    # Precision and expectation

    def check_precision(self, line, claim):
        record = self.trace.loops[line]
        if record["max_iterations"] < 2 or record["index_modified"]:
            return
        inner = {"private": [], "reductions": []}
        needs_array = False
        for d in self.obstacles(line, inner, set(range(len(self.trace.runs)))):
            if d.kind == "flow" or (d.kind == "anti" and not d.covered):
                return
            needs_array = needs_array or d.object in self.trace.source.arrays
        nonaffine = self.tagged_nonaffine(self.trace.source.loops[line].function)
        name = "non-affine" if nonaffine else "private arrays" if needs_array else "affine"
        count = self.report.precision.setdefault(name, [0, 0])
        count[1] += 1
        if claim and claim["verdict"] in NOT_SEQUENTIAL:
            count[0] += 1
        else:
            said = f"{claim['verdict']} ({claim.get('reason', '')})" if claim else "not reported"
            self.report.missed.append(f"{self.label}:{line}: {self.trace.source.loops[line].function}: trace shows "
                                      f"{name} parallel, tool says {said}")

    def check_expectation(self, line, claim):
        expected = self.trace.source.loops[line].expect
        if not expected:
            return
        self.report.checks += 1
        said = "none"
        if claim:
            said = claim["verdict"]
            if said == "reduction":
                said += "(" + ",".join(sorted({r["op"] for r in claim.get("reductions", [])})) + ")"
            elif said == "carried":
                said += f"({claim.get('min_distance')})"
        wanted = []
        for alternative in expected.split(" or "):
            alternative = alternative.strip()
            found = re.fullmatch(r"reduction\((.*)\)", alternative)
            wanted.append("reduction(" + ",".join(sorted(re.split(r"[, ]+", found.group(1)))) + ")" if found else alternative)
        if said not in wanted:
            self.fail(line, f"expected {expected}, tool says {said}: {json.dumps(claim)}")

    def run(self, expectations=True):
        for line, loop in self.trace.source.loops.items():
            claim = self.claimed.get(line, (None, None))[1]
            if line in self.trace.loops:
                if claim:
                    self.check_verdict(line, claim)
                self.check_precision(line, claim)
            if expectations:
                self.check_expectation(line, claim)
        self.check_dependences()
        self.count_never_seen()
        return self.report
