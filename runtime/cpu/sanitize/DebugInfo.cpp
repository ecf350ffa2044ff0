#include "DebugInfo.h"

#include <cstdlib>
#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <link.h>
#include <map>
#include <memory>
#include <unistd.h>
#include <utility>

namespace warploom::cpu::sanitize {

namespace {

__attribute__((init_priority(101))) const std::string unknownLine = "an unknown line";

Dwfl* session() {
  static Dwfl* dwfl = [] {
    static char* noPath = nullptr;
    static const Dwfl_Callbacks callbacks = {dwfl_linux_proc_find_elf, dwfl_standard_find_debuginfo, nullptr,
                                             &noPath};
    Dwfl* fresh = dwfl_begin(&callbacks);
    if (fresh) {
      dwfl_linux_proc_report(fresh, getpid());
      dwfl_report_end(fresh, nullptr, nullptr);
    }
    return fresh;
  }();
  return dwfl;
}

Dwfl_Module* moduleAt(Dwarf_Addr address) {
  return session() ? dwfl_addrmodule(session(), address) : nullptr;
}

std::string baseName(const char* path) {
  std::string text = path ? path : "";
  return text.substr(text.rfind('/') + 1);
}

/// The runtime's headers stand between a kernel and the executor; their lines mean nothing to the user.
bool isRuntimeHeader(const char* file) {
  return baseName(file).rfind("warploom_", 0) == 0;
}

std::string position(const char* file, int line) {
  return baseName(file) + ":" + std::to_string(line);
}

std::string demangled(const char* symbol) {
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol, nullptr, nullptr, &status),
                                              std::free);
  return status == 0 ? text.get() : symbol;
}

/// The compilation unit that holds the code at `address`. Clang writes no table of them, so all are asked.
Dwarf_Die* unitAt(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr& bias) {
  for (Dwarf_Die* unit = dwfl_module_nextcu(module, nullptr, &bias); unit;
       unit = dwfl_module_nextcu(module, unit, &bias))
    if (dwarf_haspc(unit, address - bias) == 1) return unit;
  return nullptr;
}

/// The call, outside the runtime's headers, through which the inlined code at `address` came to be there.
std::string callerLine(Dwarf_Die* unit, Dwarf_Addr address) {
  Dwarf_Die* scopes = nullptr;
  Dwarf_Die* chain = nullptr;
  std::string result;
  Dwarf_Files* files = nullptr;
  if (dwarf_getsrcfiles(unit, &files, nullptr) == 0 && dwarf_getscopes(unit, address, &scopes) > 0) {
    int count = dwarf_getscopes_die(&scopes[0], &chain);
    for (int i = 0; i < count && result.empty(); ++i) {
      if (dwarf_tag(&chain[i]) != DW_TAG_inlined_subroutine) continue;
      Dwarf_Attribute attribute;
      Dwarf_Word file = 0, line = 0;
      dwarf_formudata(dwarf_attr(&chain[i], DW_AT_call_file, &attribute), &file);
      dwarf_formudata(dwarf_attr(&chain[i], DW_AT_call_line, &attribute), &line);
      const char* name = dwarf_filesrc(files, file, nullptr, nullptr);
      if (name && line != 0 && !isRuntimeHeader(name)) result = position(name, static_cast<int>(line));
    }
  }
  std::free(chain);
  std::free(scopes);
  return result;
}

/// The type behind typedefs and qualifiers.
bool peel(Dwarf_Die* die, Dwarf_Die* type) {
  Dwarf_Attribute attribute;
  Dwarf_Die found;
  if (!dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &found)) return false;
  return dwarf_peel_type(&found, type) == 0;
}

void describeType(Dwarf_Die* variable, StaticVariable& result) {
  Dwarf_Die type;
  if (!peel(variable, &type)) return;
  while (dwarf_tag(&type) == DW_TAG_array_type) {
    Dwarf_Die range;
    for (int more = dwarf_child(&type, &range); more == 0; more = dwarf_siblingof(&range, &range)) {
      if (dwarf_tag(&range) != DW_TAG_subrange_type) continue;
      Dwarf_Attribute attribute;
      Dwarf_Word count = 0;
      if (dwarf_formudata(dwarf_attr(&range, DW_AT_count, &attribute), &count) != 0 &&
          dwarf_formudata(dwarf_attr(&range, DW_AT_upper_bound, &attribute), &count) == 0)
        ++count;
      result.extents.push_back(count);
    }
    Dwarf_Die element;
    if (!peel(&type, &element)) return;
    type = element;
  }
  Dwarf_Word bytes = 0;
  if (dwarf_aggregate_size(&type, &bytes) != 0 || bytes == 0) return;
  int tag = dwarf_tag(&type);
  result.elementBytes = bytes;
  result.atomBytes =
      tag == DW_TAG_base_type || tag == DW_TAG_pointer_type || tag == DW_TAG_enumeration_type ? bytes : 1;
}

/// Variables by the mangled name their symbol has; several when scopes of one function use a name again.
using Described = std::multimap<std::string, StaticVariable>;

std::string counted(const std::string& name) {
  return std::to_string(name.size()) + name;
}

/// `function` is how the enclosing function appears inside the symbols of its static variables; empty
/// outside.
void collect(Dwarf_Die* parent, const std::string& function, const std::string& functionName,
             Described& result) {
  Dwarf_Die die;
  for (int more = dwarf_child(parent, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
    int tag = dwarf_tag(&die);
    Dwarf_Attribute attribute;
    const char* linkage = dwarf_formstring(dwarf_attr_integrate(&die, DW_AT_linkage_name, &attribute));
    const char* name = dwarf_formstring(dwarf_attr_integrate(&die, DW_AT_name, &attribute));
    if (tag == DW_TAG_subprogram && name) {
      std::string mangled = linkage ? linkage : name;
      collect(&die, mangled.rfind("_Z", 0) == 0 ? mangled.substr(2) : counted(mangled), name, result);
    } else if (tag == DW_TAG_lexical_block || tag == DW_TAG_namespace) {
      collect(&die, function, functionName, result);
    } else if (tag == DW_TAG_variable && name) {
      StaticVariable variable;
      variable.name = name;
      variable.function = functionName;
      variable.isLocal = !function.empty();
      describeType(&die, variable);
      int line = 0;
      if (dwarf_decl_line(&die, &line) == 0) variable.declaredAt = position(dwarf_decl_file(&die), line);
      std::string key = variable.isLocal ? "_ZZ" + function + "E" + counted(name) : linkage ? linkage : name;
      result.emplace(std::move(key), std::move(variable));
    }
  }
}

/// The description of the variable with this symbol and size; without debug information just its name.
StaticVariable describe(const Described& described, const std::string& symbol, std::size_t bytes) {
  // A second variable of the same name in a function has a suffix: _0, _1, ...
  std::string plain = symbol;
  if (auto suffix = symbol.rfind('_');
      suffix != std::string::npos && suffix > 2 &&
      symbol.find_first_not_of("0123456789", suffix + 1) == std::string::npos)
    plain = symbol.substr(0, suffix);
  for (const std::string& key : {symbol, plain}) {
    auto [first, last] = described.equal_range(key);
    for (auto it = first; it != last; ++it) {
      std::size_t size = it->second.elementBytes;
      for (std::size_t extent : it->second.extents)
        size *= extent;
      if (size == bytes) return it->second;
    }
  }
  StaticVariable unknown;
  std::string text = demangled(symbol.c_str());
  unknown.name = text.substr(text.rfind(':') + 1);
  unknown.isLocal = symbol.rfind("_ZZ", 0) == 0;
  return unknown;
}

/// Finds the definition of the struct `name` below `parent`, in the namespaces `prefix`.
bool findStruct(Dwarf_Die* parent, const std::string& prefix, const std::string& name, Dwarf_Die* found) {
  Dwarf_Die die;
  for (int more = dwarf_child(parent, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
    const char* own = dwarf_diename(&die);
    Dwarf_Attribute attribute;
    if (dwarf_tag(&die) == DW_TAG_namespace) {
      std::string inner = prefix + (own ? own : "(anonymous namespace)") + "::";
      if (name.rfind(inner, 0) == 0 && findStruct(&die, inner, name, found)) return true;
    } else if (dwarf_tag(&die) == DW_TAG_structure_type && own && prefix + own == name &&
               !dwarf_attr(&die, DW_AT_declaration, &attribute)) {
      *found = die;
      return true;
    }
  }
  return false;
}

StaticVariables readVariables(Dwfl_Module* module) {
  StaticVariables result;
  Described described;
  Dwarf_Addr bias = 0;
  for (Dwarf_Die* unit = dwfl_module_nextcu(module, nullptr, &bias); unit;
       unit = dwfl_module_nextcu(module, unit, &bias))
    collect(unit, "", "", described);

  GElf_Addr loadBias = 0;
  dwfl_module_getelf(module, &loadBias);
  result.loadAddress = loadBias;
  int symbols = dwfl_module_getsymtab(module);
  for (int i = 1; i < symbols; ++i) {
    GElf_Sym symbol;
    GElf_Addr address = 0;
    Elf* elf = nullptr;
    GElf_Word section = 0;
    const char* name = dwfl_module_getsym_info(module, i, &symbol, &address, &section, &elf, nullptr);
    int type = GELF_ST_TYPE(symbol.st_info);
    if (!name || symbol.st_size == 0 || symbol.st_shndx == SHN_UNDEF ||
        (type != STT_TLS && type != STT_OBJECT))
      continue;
    StaticVariable variable = describe(described, name, symbol.st_size);
    variable.bytes = symbol.st_size;
    variable.offset = type == STT_TLS ? symbol.st_value : address;
    GElf_Shdr header;
    if (Elf_Scn* scn = elf ? elf_getscn(elf, section) : nullptr; scn && gelf_getshdr(scn, &header))
      variable.isWritable = (header.sh_flags & SHF_WRITE) != 0;
    (type == STT_TLS ? result.threadLocal : result.others).push_back(std::move(variable));
  }
  return result;
}

} // namespace

namespace {

std::string findLine(Dwarf_Addr address) {
  Dwfl_Module* module = moduleAt(address);
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = module ? unitAt(module, address, bias) : nullptr;
  Dwarf_Line* found = unit ? dwarf_getsrc_die(unit, address - bias) : nullptr;
  const char* file = found ? dwarf_linesrc(found, nullptr, nullptr) : nullptr;
  int line = 0;
  if (!file || dwarf_lineno(found, &line) != 0 || line == 0) return unknownLine;
  if (isRuntimeHeader(file))
    if (std::string caller = callerLine(unit, address - bias); !caller.empty()) return caller;
  return position(file, line);
}

} // namespace

const std::string& lineOf(const void* pc) {
  static auto& known = *new std::map<const void*, std::string>; // stays: handlers of `atexit` run kernels
  auto found = known.find(pc);
  if (found == known.end()) found = known.emplace(pc, findLine(reinterpret_cast<Dwarf_Addr>(pc) - 1)).first;
  return found->second;
}

bool sameLine(const void* a, const void* b) {
  return a == b || (lineOf(a) == lineOf(b) && lineOf(a) != unknownLine);
}

std::string functionAt(const void* address) {
  auto numeric = reinterpret_cast<Dwarf_Addr>(address);
  Dwfl_Module* module = moduleAt(numeric);
  const char* symbol = module ? dwfl_module_addrname(module, numeric) : nullptr;
  if (!symbol) return "an unknown kernel";
  std::string text = demangled(symbol);
  text = text.substr(0, text.find('('));
  // The symbol of a template also has the result's type.
  return text.rfind("void ", 0) == 0 ? text.substr(5) : text;
}

const StaticVariables& variablesOf(const void* address) {
  static auto& known =
      *new std::map<Dwfl_Module*, StaticVariables>; // stays: handlers of `atexit` run kernels
  Dwfl_Module* module = moduleAt(reinterpret_cast<Dwarf_Addr>(address));
  auto found = known.find(module);
  if (found == known.end())
    found = known.emplace(module, module ? readVariables(module) : StaticVariables{}).first;
  return found->second;
}

std::vector<StaticVariable> membersOf(const void* address, const std::string& name) {
  std::vector<StaticVariable> members;
  Dwfl_Module* module = moduleAt(reinterpret_cast<Dwarf_Addr>(address));
  Dwarf_Addr bias = 0;
  Dwarf_Die type;
  // Another file may have another struct of that name: the one of the file that `address` is in comes first.
  std::vector<Dwarf_Die*> units;
  for (Dwarf_Die* unit = module ? dwfl_module_nextcu(module, nullptr, &bias) : nullptr; unit;
       unit = dwfl_module_nextcu(module, unit, &bias))
    if (dwarf_haspc(unit, reinterpret_cast<Dwarf_Addr>(address) - bias) > 0)
      units.insert(units.begin(), unit);
    else
      units.push_back(unit);
  for (Dwarf_Die* unit : units) {
    Dwarf_Die member;
    if (!findStruct(unit, "", name, &type)) continue;
    for (int more = dwarf_child(&type, &member); more == 0; more = dwarf_siblingof(&member, &member)) {
      const char* memberName = dwarf_diename(&member);
      if (dwarf_tag(&member) != DW_TAG_member || !memberName) continue;
      StaticVariable variable;
      Dwarf_Attribute attribute;
      Dwarf_Word offset = 0;
      dwarf_formudata(dwarf_attr(&member, DW_AT_data_member_location, &attribute), &offset);
      variable.name = memberName;
      variable.offset = offset;
      describeType(&member, variable);
      variable.bytes = variable.elementBytes;
      for (std::size_t extent : variable.extents)
        variable.bytes *= extent;
      int line = 0;
      if (dwarf_decl_line(&member, &line) == 0)
        variable.declaredAt = position(dwarf_decl_file(&member), line);
      members.push_back(std::move(variable));
    }
    break;
  }
  return members;
}

std::uintptr_t threadLocalBlock(const StaticVariables& variables) {
  struct Search {
    std::uintptr_t loadAddress, block;
  } search{variables.loadAddress, 0};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto* wanted = static_cast<Search*>(data);
        if (info->dlpi_addr != wanted->loadAddress) return 0;
        wanted->block = reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data);
        return 1;
      },
      &search);
  return search.block;
}

} // namespace warploom::cpu::sanitize
