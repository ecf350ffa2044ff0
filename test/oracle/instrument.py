"""Writes the trace calls of trace.h into a C file, on the lines that are there, and says what the file contains.

The only thing taken from Clang is its JSON syntax tree (positions of declarations, parameters and loop conditions);
nothing of Warploom is used, so that the two can be compared.
"""
import json
import re
import subprocess
from dataclasses import dataclass, field

CLANG = "clang-19"

INTEGERS = {"char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long",
            "unsigned long", "long long", "unsigned long long", "_Bool", "bool"}
SIZES = {"char": 1, "signed char": 1, "unsigned char": 1, "_Bool": 1, "bool": 1, "short": 2, "unsigned short": 2,
         "int": 4, "unsigned int": 4, "float": 4}


@dataclass
class Loop:
    """One `for` of the source, by line; `parent` is the line of the loop around it in the same function."""
    line: int
    last: int
    function: str
    parent: int
    index: str
    expect: str = ""


@dataclass
class Source:
    """What the oracle knows about a C file without running it."""
    path: str
    lines: list
    loops: dict = field(default_factory=dict)      # line -> Loop
    functions: dict = field(default_factory=dict)  # name -> (first line, last line)
    parameters: dict = field(default_factory=dict)  # function -> parameter names
    objects: set = field(default_factory=set)      # names of file-scope objects
    arrays: set = field(default_factory=set)       # names of arrays, structs and unions, local ones too
    conditions: list = field(default_factory=list)  # (line of an `if`, its last line)
    inner_control: list = field(default_factory=list)  # (first, last line) of each while, do and switch
    text: str = ""                                 # instrumented


class InstrumentError(Exception):
    pass


def syntax_tree(path, flags=()):
    command = [CLANG, "-std=gnu11", "-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", *flags, "-x", "c", path]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if result.returncode:
        raise InstrumentError(f"{path}: {result.stderr}")
    return json.loads(result.stdout)


def offset(location):
    """The position in the file, of the expansion where macros are involved; None for an empty location."""
    if "expansionLoc" in location:
        location = location["expansionLoc"]
    return location.get("offset")


def end_of(location):
    if "expansionLoc" in location:
        location = location["expansionLoc"]
    return location["offset"] + location.get("tokLen", 1)


def scalar_type(type_node):
    text = type_node.get("desugaredQualType", type_node["qualType"])
    return re.sub(r"\b(const|volatile|restrict|register|static)\b", "", text).strip()


def index_name(init):
    """The variable that the first part of a `for` declares or assigns."""
    if init.get("kind") == "DeclStmt":
        return init["inner"][0]["name"]
    if init.get("kind") == "BinaryOperator" and init["inner"][0].get("kind") == "DeclRefExpr":
        return init["inner"][0]["referencedDecl"]["name"]
    return ""


class Instrumenter:
    def __init__(self, path, text):
        self.path = path
        self.data = text.encode()
        self.insertions = []  # (offset, text)
        self.source = Source(path, text.split("\n"))
        self.newlines = [k for k, byte in enumerate(self.data) if byte == 10]
        self.function = None
        self.guards = 0
        self.typedefs = {}    # name -> type

    def line_of(self, position):
        low, high = 0, len(self.newlines)
        while low < high:
            middle = (low + high) // 2
            if self.newlines[middle] < position:
                low = middle + 1
            else:
                high = middle
        return low + 1

    def insert(self, position, text):
        self.insertions.append((position, text))

    def describe(self, type_node):
        """(granule, kind, fill) of an object of that type."""
        text = scalar_type(type_node)
        element = re.sub(r"(\[[^\]]*\])+$", "", text).strip()
        while element in self.typedefs:
            element = self.typedefs[element]
        if element.endswith("*") or element.endswith(")"):
            return 8, "a" if text.endswith("]") else "p", "0"
        is_array = text.endswith("]")
        if element in SIZES or element in INTEGERS or element == "double":
            granule = SIZES.get(element, 8)
            fill = {"double": "d", "float": "f"}.get(element, "i")
            if is_array:
                return granule, "a", fill
            return granule, "i" if element in INTEGERS else "s", fill
        if element.startswith("union"):
            return 1, "a", "0"
        return 4, "a", "0"  # structs: fields of the corpus are at least 4 bytes

    def register_local(self, variable, written):
        name = variable["name"]
        type_text = scalar_type(variable["type"])
        granule, kind, fill = self.describe(variable["type"])
        self.guards += 1
        if kind == "a":
            self.source.arrays.add(name)
        text = ""
        if variable.get("storageClass") == "static":
            text = f" wl_global((void *)&{name}, sizeof {name}, {granule}, \"{name}\", '{kind}', 0);"
        elif variable.get("storageClass") != "extern":
            text = (f" struct wl_guard wl_g{self.guards} __attribute__((cleanup(wl_unlocal))) = "
                    f"wl_local((const void *)&{name}, sizeof {name}, {granule}, \"{name}\", '{kind}', {int(written)});")
        if type_text.endswith("*") or "(*" in type_text:
            if written or variable["kind"] == "ParmVarDecl":
                text += f" wl_pointer(\"{self.function}\", \"{name}\", (const void *)&{name});"
        elif kind == "i" and (written or variable["kind"] == "ParmVarDecl"):
            text += f" wl_value(\"{self.function}\", \"{name}\", (const void *)&{name}, sizeof {name});"
        return text

    def walk(self, node, loop, in_header=False):
        kind = node.get("kind")
        if kind == "DeclStmt" and not in_header:
            text = "".join(self.register_local(child, "init" in child) for child in node["inner"]
                           if child["kind"] == "VarDecl")
            self.insert(end_of(node["range"]["end"]), text)
        if kind == "ForStmt":
            line = self.line_of(offset(node["range"]["begin"]))
            if line in self.source.loops:
                raise InstrumentError(f"{self.path}:{line}: two loops on one line")
            found = re.search(r"EXPECT:\s*([^*]+?)\s*(\*/|$)", self.source.lines[line - 1])
            self.source.loops[line] = Loop(line, self.line_of(offset(node["range"]["end"])), self.function, loop,
                                           index_name(node["inner"][0]), found.group(1) if found else "")
            init, _, condition, increment, body = node["inner"]
            if condition.get("kind"):
                self.insert(offset(condition["range"]["begin"]), "wl_test() && (")
                self.insert(self.data.index(b";", offset(condition["range"]["begin"])), ")")
            for part in (init, condition, increment):
                self.walk(part, loop, in_header=True)
            self.walk(body, line)
            return
        if kind in ("IfStmt", "WhileStmt", "DoStmt", "SwitchStmt"):
            lines = self.line_of(offset(node["range"]["begin"])), self.line_of(offset(node["range"]["end"]))
            (self.source.conditions if kind == "IfStmt" else self.source.inner_control).append(lines)
        for child in node.get("inner", []):
            self.walk(child, loop, in_header)

    def function_body(self, node):
        body = next((child for child in node.get("inner", []) if child.get("kind") == "CompoundStmt"), None)
        self.function = node["name"]
        if not body:
            return
        self.source.functions[self.function] = (self.line_of(offset(node["range"]["begin"])),
                                                self.line_of(offset(body["range"]["end"])))
        parameters = [child for child in node["inner"] if child.get("kind") == "ParmVarDecl" and "name" in child]
        self.source.parameters[self.function] = [parameter["name"] for parameter in parameters]
        if self.function == "main":
            return
        self.insert(end_of(body["range"]["begin"]), "".join(self.register_local(p, False) for p in parameters))
        for child in body.get("inner", []):
            self.walk(child, 0)

    def run(self, flags):
        globals_ = []
        in_main_file = False
        for node in syntax_tree(self.path, flags)["inner"]:
            if node["kind"] == "TypedefDecl":
                if scalar_type(node["type"]) != node["name"]:  # else a typedef of an unnamed struct
                    self.typedefs[node["name"]] = scalar_type(node["type"])
            location = node.get("loc", {})
            location = location.get("expansionLoc", location)
            if "file" in location:
                in_main_file = location["file"] == self.path and "includedFrom" not in location
            if not in_main_file or "includedFrom" in location or offset(location) is None:
                continue
            if node["kind"] == "FunctionDecl":
                self.function_body(node)
            elif node["kind"] == "VarDecl" and node["name"] not in self.source.objects:
                self.source.objects.add(node["name"])
                granule, kind, fill = self.describe(node["type"])
                if kind == "a":
                    self.source.arrays.add(node["name"])
                if "const" in node["type"]["qualType"].split("[")[0]:
                    fill = "0"
                name = node["name"]
                fill = "0" if fill == "0" else f"'{fill}'"
                globals_.append(f" wl_global((void *)&{name}, sizeof {name}, {granule}, \"{name}\", '{kind}', {fill});")
        result = self.data
        # Later positions first; at one position the texts stay in the order in which they were made.
        for position, text in sorted(self.insertions, key=lambda item: -item[0]):
            result = result[:position] + text.encode() + result[position:]
        self.source.text = (result.decode() + "\n__attribute__((constructor)) static void wl_register_globals(void) {" +
                            "".join(globals_) + " }\n")
        return self.source


def instrument(path, flags=()):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return Instrumenter(path, text).run(flags)
