#include "sync/emit/EmitInstances.h"

namespace warploom::sync {

namespace {

/// Members of a struct as packed words.
class Packing {
public:
  struct Member {
    std::string name;
    Element element = Element::Bool;
    std::int64_t count = 1;
    bool isArray = false;
    std::int64_t first = 0; ///< bit for truth values, else word

    /// An array of truth values that is packed by a loop, in words of its own.
    bool isLong() const { return element == Element::Bool && count > 64; }
  };
  std::vector<Member> members;
  std::int64_t bits = 0, words = 0; ///< words: after the packed truth values

  void add(const std::string& name, Element element, std::int64_t count, bool isArray, int wordsEach) {
    Member member{name, element, count, isArray, 0};
    if (element == Element::Bool) {
      if (member.isLong()) bits = (bits + 31) / 32 * 32;
      member.first = bits;
      bits += count;
      if (member.isLong()) bits = (bits + 31) / 32 * 32;
    } else {
      member.first = words;
      words += count * wordsEach;
    }
    members.push_back(member);
  }
  /// The word belongs to a long array.
  bool isLongWord(std::int64_t word) const {
    for (const Member& member : members)
      if (member.isLong() && member.first <= 32 * word && 32 * word < member.first + member.count)
        return true;
    return false;
  }
  std::int64_t packedWords() const { return (bits + 31) / 32; }
  std::int64_t size() const { return packedWords() + words; }
};

class InstanceText {
public:
  InstanceText(const CodeText& with, TextWriter& to) : code(with), out(to), memories(with.stateMemories()) {}

  void write() {
    const Packing inputs = packing(Memory::Inputs), state = packing(Memory::State),
                  registers = packing(Memory::Registers);
    const Packing outputs = outputPacking();
    out.line("// ---- Many instances");
    out.line();
    constants(inputs, outputs, state, registers);
    pack("Inputs", inputs);
    pack("Outputs", outputs);
    if (!memories.empty()) declareState();
    pack(stateType(), state);
    pack("Registers", registers);
    step();
    kernel();
    host();
  }

private:
  int wordsFor(Element element) const {
    return element == Element::Real ? 2 : code.system.wordBits == 64 ? 2 : 1;
  }

  Packing packing(Memory memory) const {
    Packing result;
    for (Element element : {Element::Bool, Element::Word, Element::Real}) {
      const std::int64_t pool = code.folding.layout.pools[std::size_t(memory)][std::size_t(element)];
      if (pool == 0) continue;
      const char* name = element == Element::Bool ? "bools" : element == Element::Word ? "words" : "reals";
      result.add(name, element, pool, true, wordsFor(element));
    }
    for (std::size_t i = 0; i < code.members.size(); ++i) {
      const Placement& place = code.folding.layout.variables[i];
      if (place.memory != memory || place.pooled) continue;
      if (memory == Memory::State && code.system.variables[i].isMemory) continue; // stays on the device
      const Type& type = code.system.variables[i].type;
      result.add(code.members[i], place.element, type.cellCount(), !type.extents.empty(),
                 wordsFor(place.element));
    }
    return result;
  }

  Packing outputPacking() const {
    Packing result;
    for (std::size_t i = 0; i < code.members.size(); ++i) {
      const Variable& variable = code.system.variables[i];
      if (!variable.isOutput()) continue;
      const Element element = code.folding.layout.variables[i].element;
      result.add(code.members[i], element, variable.type.cellCount(), !variable.type.extents.empty(),
                 wordsFor(element));
    }
    return result;
  }

  void constants(const Packing& inputs, const Packing& outputs, const Packing& state,
                 const Packing& registers) {
    out.comment("Words of 32 bits per instance.");
    out.line("constexpr int inputWords = {}, outputWords = {}, stateWords = {}, registerWords = {};",
             inputs.size(), outputs.size(), state.size(), registers.size());
    out.line();
  }

  /// Functions between a struct and its packed words.
  void pack(const std::string& type, const Packing& packing) {
    if (packing.members.empty()) return;
    out.open("__host__ __device__ inline void load({}& x, PackedConst from)", type);
    for (std::int64_t word = 0; word < packing.packedWords(); ++word)
      if (!packing.isLongWord(word)) out.line("const unsigned flags{0} = from[{0}];", word);
    for (const Packing::Member& member : packing.members)
      loadMember(member, packing);
    out.close();
    out.open("__host__ __device__ inline void store(const {}& x, Packed to)", type);
    for (std::int64_t word = 0; word < packing.packedWords(); ++word)
      if (!packing.isLongWord(word)) storeFlags(packing, word);
    for (const Packing::Member& member : packing.members)
      storeMember(member, packing);
    out.close();
    out.line();
  }

  static std::string element(const Packing::Member& member, const std::string& index) {
    return member.isArray ? fmt::format("x.{}[{}]", member.name, index) : "x." + member.name;
  }

  void loadMember(const Packing::Member& member, const Packing& packing) {
    if (member.isLong()) {
      out.line("for (int i = 0; i < {}; ++i) {} = from[{} + i / 32] >> i % 32 & 1;", member.count,
               element(member, "i"), member.first / 32);
      return;
    }
    if (member.element == Element::Bool) {
      for (std::int64_t i = 0; i < member.count; ++i) {
        const std::int64_t bit = member.first + i;
        out.line("{} = flags{} >> {} & 1;", element(member, fmt::format("{}", i)), bit / 32, bit % 32);
      }
      return;
    }
    const std::int64_t first = packing.packedWords() + member.first;
    const bool wide = wordsFor(member.element) == 2;
    const std::string type = code.elementType(member.element);
    auto value = [&](const std::string& word, const std::string& after) {
      return wide ? fmt::format("joined<{}>(from[{}], from[{}])", type, word, after)
                  : fmt::format("static_cast<{}>(from[{}])", type, word);
    };
    if (!member.isArray) {
      out.line("{} = {};", element(member, ""),
               value(fmt::format("{}", first), fmt::format("{}", first + 1)));
      return;
    }
    const std::string word = wide ? fmt::format("{} + 2 * i", first) : fmt::format("{} + i", first);
    out.line("for (int i = 0; i < {}; ++i) {} = {};", member.count, element(member, "i"),
             value(word, wide ? fmt::format("{} + 2 * i", first + 1) : ""));
  }

  void storeFlags(const Packing& packing, std::int64_t word) {
    std::vector<std::string> terms;
    for (const Packing::Member& member : packing.members) {
      if (member.element != Element::Bool) continue;
      for (std::int64_t i = 0; i < member.count; ++i) {
        const std::int64_t bit = member.first + i;
        if (bit / 32 != word) continue;
        const std::string flag = "static_cast<unsigned>(" + element(member, fmt::format("{}", i)) + ")";
        terms.push_back(bit % 32 == 0 ? flag : fmt::format("{} << {}", flag, bit % 32));
      }
    }
    out.line("to[{}] = {};", word, fmt::format("{}", fmt::join(terms, " | ")));
  }

  void storeMember(const Packing::Member& member, const Packing& packing) {
    if (member.isLong()) {
      out.open("for (int word = 0; word < {}; ++word)", (member.count + 31) / 32);
      out.line("unsigned flags = 0;");
      out.line("for (int i = 32 * word; i < 32 * word + 32 && i < {}; ++i)", member.count);
      out.line("  flags |= static_cast<unsigned>({}) << i % 32;", element(member, "i"));
      out.line("to[{} + word] = flags;", member.first / 32);
      out.close();
    }
    if (member.element == Element::Bool) return;
    const std::int64_t first = packing.packedWords() + member.first;
    const bool wide = wordsFor(member.element) == 2;
    const std::string head = member.isArray ? fmt::format("for (int i = 0; i < {}; ++i) ", member.count) : "";
    const std::string x = element(member, "i");
    if (!wide) {
      out.line("{}to[{}] = static_cast<unsigned>({});", head,
               member.isArray ? fmt::format("{} + i", first) : fmt::format("{}", first), x);
      return;
    }
    for (int half = 0; half < 2; ++half)
      out.line("{}to[{}] = static_cast<unsigned>(split({}){});", head,
               member.isArray ? fmt::format("{} + 2 * i", first + half) : fmt::format("{}", first + half), x,
               half == 0 ? "" : " >> 32");
  }

  void step() {
    out.comment("One macro step of one instance, sequentially.");
    out.open("__device__ inline void stepInstance(const Inputs& in, Outputs& out, {}& s, Registers& now, "
             "Registers& next{})",
             stateType(), code.hasReports ? ", Status& status, unsigned step" : "");
    const Uses uses = code.stepUses();
    const auto unused = [&](const char* name, bool used) {
      if (!used) out.line("static_cast<void>({});", name);
    };
    unused("in", uses.inputs);
    unused("out", code.hasOutputs());
    unused("s", uses.state);
    unused("now", uses.now);
    unused("next", uses.next);
    for (const StepPhase& phase : code.phases) {
      for (std::size_t p = 0; p < phase.pieces.size(); ++p)
        code.writeLoops(out, phase, p);
      if (phase.publishes) code.writePublish(out, "");
    }
    out.close();
    out.line();
  }

  std::string stateType() const { return memories.empty() ? "State" : "InstanceState"; }

  /// The state of an instance, whose memories are slices of the device's.
  void declareState() {
    out.comment("The state of one instance: its memories stay in the device's memory.");
    out.open("struct InstanceState");
    for (const Packing::Member& member : packing(Memory::State).members)
      out.line("{} {}{};", code.elementType(member.element), member.name,
               member.isArray ? fmt::format("[{}]", member.count) : "");
    for (int memory : memories)
      out.line("MemorySlice<{}> {};", memoryType(memory), code.members[memory]);
    out.close(";");
    out.line();
  }

  /// `, text` for every memory.
  template <typename F> std::string perMemory(const F& text) const {
    std::string result;
    for (int memory : memories)
      result += ", " + text(memory);
    return result;
  }
  std::string memoryType(int memory) const { return code.elementType(code.system.variables[memory]); }
  std::string memoryName(int memory) const { return "memory_" + code.members[memory]; }

  /// What a memory of all instances holds in the beginning.
  void fillMemory(int memory) {
    out.open("");
    out.line("AllInstances<{}> all({}.get(), {}, n);", memoryType(memory), memoryName(memory),
             code.system.variables[memory].type.cellCount());
    code.writeMemoryPresets(out, memory, "all");
    out.close();
  }

  void kernel() {
    const bool inputs = hasMember(Memory::Inputs), state = hasMember(Memory::State),
               registers = hasMember(Memory::Registers), outputs = !outputPacking().members.empty();
    out.comment("`steps` macro steps of n instances. The words of step k are in[k * inputWords * n ...] and "
                "out[k * outputWords * n ...]; state and registers stay in the thread between steps.");
    out.open(
        "__global__ void instancesKernel(const unsigned* in, unsigned* out, unsigned* state, long n, "
        "long steps{}{})",
        perMemory([&](int memory) { return fmt::format("{}* {}", memoryType(memory), memoryName(memory)); }),
        code.hasReports ? ", Status* status, long done" : "");
    out.line("const long k = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;");
    out.line("if (k >= n) return;");
    out.line("{} s;", stateType());
    for (int memory : memories)
      out.line("s.{} = {{{} + k, n}};", code.members[memory], memoryName(memory));
    out.line("Registers now, next;");
    if (state) out.line("load(s, PackedConst{state, n, k});");
    if (registers) out.line("load(now, PackedConst{state + stateWords * n, n, k});");
    out.open("for (long step = 0; step < steps; ++step)");
    out.line("Inputs given;");
    out.line("Outputs taken;");
    if (inputs) out.line("load(given, PackedConst{in + step * inputWords * n, n, k});");
    out.line("stepInstance(given, taken, s, now, next{});",
             code.hasReports ? ", *status, static_cast<unsigned>(done + step + 1)" : "");
    if (outputs) out.line("store(taken, Packed{out + step * outputWords * n, n, k});");
    if (registers) out.line("now = next;");
    out.close();
    if (state) out.line("store(s, Packed{state, n, k});");
    if (registers) out.line("store(now, Packed{state + stateWords * n, n, k});");
    out.close();
    out.line();
  }

  bool hasMember(Memory memory) const { return !packing(memory).members.empty(); }

  void host() {
    const bool state = hasMember(Memory::State), registers = hasMember(Memory::Registers);
    out.comment("The state of n instances on the device.");
    out.open("class Instances");
    out.line("public:");
    std::string allocated;
    for (int memory : memories)
      allocated +=
          fmt::format(", {}(count * {})", memoryName(memory), code.system.variables[memory].type.cellCount());
    out.open("explicit Instances(long count) : n(count), words((stateWords + registerWords) * count + 1){}",
             allocated);
    out.line("{} s;", stateType());
    out.line("Registers now;");
    out.line("std::memset(static_cast<void*>(&s), 0, sizeof s);");
    out.line("std::memset(static_cast<void*>(&now), 0, sizeof now);");
    code.writePresets(out, false);
    out.line("std::vector<unsigned> packed(static_cast<std::size_t>((stateWords + registerWords) * n + 1));");
    if (state || registers) {
      out.open("for (long k = 0; k < n; ++k)");
      if (state) out.line("store(s, Packed{packed.data(), n, k});");
      if (registers) out.line("store(now, Packed{packed.data() + stateWords * n, n, k});");
      out.close();
    }
    out.line("const warploom::Stream stream = warploom::streamNumber(0);");
    for (int memory : memories)
      fillMemory(memory);
    out.line("warploom::copyToDevice(words.get(), packed.data(), sizeof(unsigned) * packed.size(), stream);");
    if (code.hasReports) out.line("warploom::fill(status.get(), 0xff, sizeof(Status), stream);");
    out.line("warploom::synchronize(stream);");
    out.close();
    out.line();
    out.comment("Packed inputs and outputs of `steps` steps, on the device. Does not wait for the end.");
    out.open("void run(const unsigned* in, unsigned* out, long steps)");
    out.line("const unsigned blocks = static_cast<unsigned>((n + 255) / 256);");
    out.line("warploom::launch({{blocks, 256, 0, warploom::streamNumber(0)}}, instancesKernel, in, out, "
             "words.get(), n, steps{}{});",
             perMemory([&](int memory) { return memoryName(memory) + ".get()"; }),
             code.hasReports ? ", status.get(), done" : "");
    out.line("done += steps;");
    out.close();
    out.line();
    out.line("const long n;");
    out.line("Device<unsigned> words;");
    for (int memory : memories)
      out.line("Device<{}> {};", memoryType(memory), memoryName(memory));
    if (code.hasReports) out.line("Device<Status> status;");
    out.line("long done = 0; // steps");
    out.close(";");
    out.line();
    out.comment("Runs all instances for in.size() / n steps: in[step * n + k] are the inputs of instance k.");
    out.open("inline Result runInstances(Instances& instances, const std::vector<Inputs>& in, "
             "std::vector<Outputs>& out)");
    out.line("const long n = instances.n, steps = n == 0 ? 0 : static_cast<long>(in.size()) / n;");
    out.line("out.resize(static_cast<std::size_t>(steps * n));");
    out.line("if (steps == 0) return {instances.done, nullptr};");
    out.line("const warploom::Stream stream = warploom::streamNumber(0);");
    out.line("std::vector<unsigned> given(static_cast<std::size_t>(inputWords * n * steps + 1)), "
             "taken(static_cast<std::size_t>(outputWords * n * steps + 1));");
    if (hasMember(Memory::Inputs)) {
      out.line("for (long step = 0; step < steps; ++step)");
      out.indent();
      out.line("for (long k = 0; k < n; ++k)");
      out.indent();
      out.line("store(in[static_cast<std::size_t>(step * n + k)], Packed{given.data() + step * inputWords * "
               "n, n, k});");
      out.unindent();
      out.unindent();
    }
    out.line("Device<unsigned> deviceIn(static_cast<long>(given.size())), "
             "deviceOut(static_cast<long>(taken.size()));");
    out.line(
        "warploom::copyToDevice(deviceIn.get(), given.data(), sizeof(unsigned) * given.size(), stream);");
    out.line("instances.run(deviceIn.get(), deviceOut.get(), steps);");
    out.line("warploom::copyToHost(taken.data(), deviceOut.get(), sizeof(unsigned) * taken.size(), stream);");
    out.line("warploom::synchronize(stream);");
    if (!outputPacking().members.empty()) {
      out.line("for (long step = 0; step < steps; ++step)");
      out.indent();
      out.line("for (long k = 0; k < n; ++k)");
      out.indent();
      out.line("load(out[static_cast<std::size_t>(step * n + k)], PackedConst{taken.data() + step * "
               "outputWords * n, n, k});");
      out.unindent();
      out.unindent();
    }
    if (code.hasReports) {
      out.line("Status found;");
      out.line("warploom::copyToHost(&found, instances.status.get(), sizeof found, stream);");
      out.line("warploom::synchronize(stream);");
      out.line("if (found.violation != ~0ULL)");
      out.line("  return {static_cast<long>(found.violation >> 32), assertions[found.violation & "
               "0xffffffffULL]};");
    }
    out.line("return {instances.done, nullptr};");
    out.close();
    out.line();
  }

  const CodeText& code;
  TextWriter& out;
  const std::vector<int> memories; ///< of the state
};

} // namespace

void emitInstances(const CodeText& code, TextWriter& out) {
  InstanceText(code, out).write();
}

} // namespace warploom::sync
