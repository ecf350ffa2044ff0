// The run-time half of the trace oracle: sees every load and store of a traced program, knows the loop
// iteration each belongs to, and derives the dependences that really happened. Shares nothing with Warploom
// itself.
//
// Every registered object has a shadow cell per granule: its last writer, and the readers since. A dependence
// joins two accesses of one cell. Accesses to unregistered memory (compiler temporaries, indices declared in
// a `for`) are not data of the program's statements and are ignored. Output: one JSON file, named by
// WL_TRACE_OUTPUT.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace {

/// One iteration of one loop instance. Nodes form a tree: the parent is the iteration of the loop around.
struct Node {
  const Node* parent;
  int line;        ///< of the `for`
  int instance;    ///< unique for each execution of the `for` statement
  int iteration;   ///< 0, 1, 2, ...
  long long value; ///< of the loop index
  int depth;       ///< 1 for an iteration of an outermost loop; the root, outside all loops, has 0
};

using Pc = std::uintptr_t;

struct Reader {
  Pc pc;
  const Node* node;
  const Node* writer; ///< where the value it read came from; null: from before the run
  int* loose;         ///< DependenceRecord::loose of the flow that ended here; null: none did
};

struct Cell {
  const Node* writer = nullptr;
  Pc writerPc = 0;
  std::vector<Reader> readers;
};

struct Object {
  const char* base;
  std::size_t bytes;
  std::size_t granule;
  std::string name;
  char kind; ///< i integer scalar, p pointer, s other scalar, a array
  char fill; ///< d double, f float, i integer, 0 leave alone
  std::vector<Cell> cells;

  void forget() { cells.assign((bytes + granule - 1) / granule, Cell()); }
};

/// An integer or pointer watched at the start of each iteration of one loop instance. It is an induction
/// variable when it moves by the same step each time; from the second iteration on is enough (a wrap-around
/// variable).
struct Progression {
  long long last, step;
  int samples;
  bool constantStep;
};

/// A loop that is being executed.
struct Frame {
  int line;
  int instance;
  int iterations = 0; ///< bodies begun
  bool inInit = true;
  bool tested = false; ///< the node of the next iteration exists already: its condition is being evaluated
  const Node* outer;   ///< the iteration around the loop
  const Node* node;    ///< where accesses happen now
  const char* index = nullptr;
  std::size_t indexBytes = 0;
  int indexStores = 0; ///< since the last test; more than one: the body changes the index
  std::map<const Object*, Progression> progressions;
};

struct LoopRecord {
  int instances = 0;
  int maxIterations = 0;
  bool indexModified = false;
  std::set<long long> steps;
  std::map<int, std::pair<long long, long long>> ranges; ///< run -> least and greatest index value in a body
  std::set<std::string> indices; ///< registered variables used as index: those not declared in the `for`
  std::map<std::string, int> proved, undecided,
      refuted; ///< instances that show a scalar to be (not) an induction variable
};

enum Kind { Flow, Anti, Output };

/// Kind, object, source and sink pc, carrying line (0: none), whether an anti dependence starts at a read
/// that saw a value written in its own iteration of the carrying loop.
using DependenceKey = std::tuple<int, std::string, Pc, Pc, int, bool>;
/// Distance in iterations of the carrying loop; lines of the common loops; difference of index values in
/// each.
using Distance = std::tuple<int, std::vector<int>, std::vector<long long>>;

constexpr std::size_t readersPerPc = 24;
constexpr std::size_t distancesPerDependence = 400;

struct DependenceRecord {
  std::map<Distance, std::set<int>> distances; ///< with the runs that have them
  /// Of a flow dependence: reads that no write of the same cell follows in the same iteration. An update of
  /// an accumulator has none.
  int loose = 0;
};

struct Tracer {
  std::deque<Node> nodes;
  const Node* root = nullptr;
  std::vector<Frame> frames;
  int instances = 0;
  std::vector<Object*> globals;
  std::vector<Object*> locals;
  std::map<int, LoopRecord> loops;
  std::map<DependenceKey, DependenceRecord> dependences;
  int run = -1;
  bool active = false;
  std::string call;
  int caseNumber = 0;
  std::vector<std::string> calls;                                            // by run
  std::set<std::tuple<int, std::string, std::string, std::string>> pointers; // run, function, name, object
  std::set<std::tuple<int, std::string, std::string, long long>> values;     // run, function, name, value
  std::uint64_t random = 1;

  const Node* current() const { return frames.empty() ? root : frames.back().node; }

  Object* find(const char* address) {
    for (std::size_t k = locals.size(); k-- > 0;)
      if (address >= locals[k]->base && address < locals[k]->base + locals[k]->bytes) return locals[k];
    auto after = std::upper_bound(globals.begin(), globals.end(), address,
                                  [](const char* a, const Object* o) { return a < o->base; });
    if (after == globals.begin()) return nullptr;
    Object* object = *(after - 1);
    return address < object->base + object->bytes ? object : nullptr;
  }

  DependenceRecord& record(Kind kind, const Object& object, const Node* from, Pc fromPc, const Node* to,
                           Pc toPc, const Node* valueFrom) {
    const Node* a[64];
    const Node* b[64];
    int depthA = from->depth, depthB = to->depth;
    if (depthA > 64 || depthB > 64) {
      std::fprintf(stderr, "loops nested deeper than 64\n");
      std::_Exit(3);
    }
    for (const Node* n = from; n->depth > 0; n = n->parent)
      a[n->depth - 1] = n;
    for (const Node* n = to; n->depth > 0; n = n->parent)
      b[n->depth - 1] = n;
    int common = 0;
    while (common < depthA && common < depthB && a[common] == b[common])
      ++common;
    bool carried = common < depthA && common < depthB && a[common]->instance == b[common]->instance;
    int shared = common;
    if (carried)
      while (shared < depthA && shared < depthB && a[shared]->line == b[shared]->line)
        ++shared;
    std::vector<int> lines;
    std::vector<long long> differences;
    for (int k = 0; k < shared; ++k) {
      lines.push_back(a[k]->line);
      differences.push_back(b[k]->value - a[k]->value);
    }
    int iterations = carried ? b[common]->iteration - a[common]->iteration : 0;
    bool covered = false;
    if (carried && kind == Anti && valueFrom)
      for (const Node* n = valueFrom; n; n = n->parent)
        covered = covered || n == a[common];
    auto& dependence = dependences[{kind, object.name, fromPc, toPc, carried ? a[common]->line : 0, covered}];
    auto& distances = dependence.distances;
    Distance distance{iterations, lines, differences};
    auto known = distances.find(distance);
    if (known == distances.end()) {
      // The smallest distances decide; of the others a sample is enough.
      if (distances.size() >= distancesPerDependence && !(distance < distances.begin()->first))
        return dependence;
      known = distances.emplace(distance, std::set<int>()).first;
    }
    known->second.insert(run);
    return dependence;
  }

  /// Where an access to `address` happens: an access to the index of a running loop is part of that loop's
  /// control and belongs to the iteration around it.
  const Node* place(const char* address) const {
    for (const Frame& frame : frames)
      if (frame.index == address) return frame.outer;
    return current();
  }

  void load(const char* address, std::size_t bytes, Pc pc) {
    if (!active) return;
    Object* object = find(address);
    if (!object) return;
    const Node* node = place(address);
    std::size_t first = (address - object->base) / object->granule;
    std::size_t last =
        std::min((address + bytes - 1 - object->base) / object->granule, object->cells.size() - 1);
    for (std::size_t k = first; k <= last; ++k) {
      Cell& cell = object->cells[k];
      int* loose = nullptr;
      if (cell.writer) loose = &record(Flow, *object, cell.writer, cell.writerPc, node, pc, nullptr).loose;
      std::size_t same = 0;
      Reader* latest = nullptr;
      for (Reader& reader : cell.readers)
        if (reader.pc == pc) {
          ++same;
          latest = &reader;
        }
      if (latest && latest->node == node) continue;
      if (loose) ++*loose;
      if (same >= readersPerPc)
        *latest = {pc, node, cell.writer, loose};
      else
        cell.readers.push_back({pc, node, cell.writer, loose});
    }
  }

  void store(const char* address, std::size_t bytes, Pc pc) {
    if (!active) return;
    if (!frames.empty() && frames.back().inInit && !frames.back().index) {
      frames.back().index = address;
      frames.back().indexBytes = bytes;
    }
    for (Frame& frame : frames)
      if (frame.index == address && !frame.inInit) ++frame.indexStores;
    Object* object = find(address);
    if (!object) return;
    write(*object, address - object->base, bytes, place(address), pc);
  }

  void write(Object& object, std::size_t offset, std::size_t bytes, const Node* node, Pc pc) {
    std::size_t last = std::min((offset + bytes - 1) / object.granule, object.cells.size() - 1);
    for (std::size_t k = offset / object.granule; k <= last; ++k) {
      Cell& cell = object.cells[k];
      for (const Reader& reader : cell.readers) {
        record(Anti, object, reader.node, reader.pc, node, pc, reader.writer);
        if (reader.loose && reader.node == node) --*reader.loose;
      }
      if (cell.writer) record(Output, object, cell.writer, cell.writerPc, node, pc, nullptr);
      cell.readers.clear();
      cell.writer = node;
      cell.writerPc = pc;
    }
  }

  static long long valueAt(const char* address, std::size_t bytes) {
    switch (bytes) {
    case 1:
      return *reinterpret_cast<const signed char*>(address);
    case 2:
      return *reinterpret_cast<const short*>(address);
    case 4:
      return *reinterpret_cast<const int*>(address);
    case 8:
      return *reinterpret_cast<const long long*>(address);
    default:
      return 0;
    }
  }

  void beginIteration(Frame& frame) {
    long long value = frame.index ? valueAt(frame.index, frame.indexBytes) : 0;
    nodes.push_back(
        {frame.outer, frame.line, frame.instance, frame.iterations, value, frame.outer->depth + 1});
    if (frame.iterations == 1 && frame.index) loops[frame.line].steps.insert(value - frame.node->value);
    frame.node = &nodes.back();
    if (frame.indexStores > 1) loops[frame.line].indexModified = true;
    frame.indexStores = 0;
    frame.inInit = false;
    if (frame.iterations == 0)
      if (const Object* index = frame.index ? find(frame.index) : nullptr)
        loops[frame.line].indices.insert(index->name);
  }

  void watch(Frame& frame) {
    auto look = [&](const Object* object) {
      if ((object->kind != 'i' && object->kind != 'p') || object->base == frame.index) return;
      long long value = valueAt(object->base, object->bytes);
      auto [entry, fresh] = frame.progressions.try_emplace(object, Progression{value, 0, 1, true});
      Progression& p = entry->second;
      if (fresh) return;
      long long step = value - p.last;
      if (p.samples <= 2)
        p.step = step;
      else if (step != p.step)
        p.constantStep = false;
      p.last = value;
      ++p.samples;
    };
    for (const Object* object : locals)
      look(object);
    for (const Object* object : globals)
      look(object);
  }

  void endLoop() {
    Frame& frame = frames.back();
    LoopRecord& loop = loops[frame.line];
    ++loop.instances;
    loop.maxIterations = std::max(loop.maxIterations, frame.iterations);
    for (auto& [object, p] : frame.progressions) {
      if (!p.constantStep)
        ++loop.refuted[object->name];
      else if (p.step != 0)
        ++(p.samples >= 4 ? loop.proved : loop.undecided)[object->name];
    }
    frames.pop_back();
  }

  void beginRun() {
    nodes.clear();
    nodes.push_back({nullptr, 0, 0, 0, 0, 0});
    root = &nodes.back();
    frames.clear();
    instances = 0;
    for (Object* object : globals) {
      object->forget();
      fill(*object);
    }
  }

  unsigned next(unsigned below) {
    random = random * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<unsigned>((random >> 33) % below);
  }

  /// Fresh data: floating point values in (-4, 4), integers in [0, 16), which corpus and generator use as
  /// subscripts.
  void fill(Object& object) {
    char* base = const_cast<char*>(object.base);
    for (std::size_t offset = 0; object.fill && offset + object.granule <= object.bytes;
         offset += object.granule) {
      if (object.fill == 'd') {
        double value = (static_cast<int>(next(7999)) - 3999) / 1000.0;
        std::memcpy(base + offset, &value, sizeof value);
      } else if (object.fill == 'f') {
        float value = (static_cast<int>(next(7999)) - 3999) / 1000.0F;
        std::memcpy(base + offset, &value, sizeof value);
      } else {
        long long value = next(16);
        std::memcpy(base + offset, &value, std::min(object.granule, sizeof value)); // little endian
      }
    }
  }

  void write(std::FILE* out);
};

Tracer& tracer() {
  static Tracer* instance = new Tracer;
  return *instance;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

template <typename Range> std::string listed(const Range& range) {
  std::string result = "[";
  for (const auto& item : range)
    result += (result.size() > 1 ? "," : "") + std::to_string(item);
  return result + "]";
}

void Tracer::write(std::FILE* out) {
  std::fprintf(out, "{\"loops\":{");
  const char* separator = "";
  for (auto& [line, loop] : loops) {
    std::string inductions, indices, ranges;
    for (auto& [run, range] : loop.ranges)
      ranges += (ranges.empty() ? "" : ",") + listed(std::vector<long long>{run, range.first, range.second});
    for (auto& name : loop.indices)
      indices += (indices.empty() ? "" : ",") + quoted(name);
    // Where every instance is too short to tell, a variable that moves is given the benefit of the doubt.
    std::map<std::string, int> moving = loop.proved;
    moving.insert(loop.undecided.begin(), loop.undecided.end());
    for (auto& [name, count] : moving)
      if (!loop.refuted.count(name)) inductions += (inductions.empty() ? "" : ",") + quoted(name);
    std::fprintf(out,
                 "%s\n\"%d\":{\"instances\":%d,\"max_iterations\":%d,\"index_modified\":%s,\"steps\":%s,"
                 "\"inductions\":[%s],\"indices\":[%s],\"ranges\":[%s]}",
                 separator, line, loop.instances, loop.maxIterations, loop.indexModified ? "true" : "false",
                 listed(loop.steps).c_str(), inductions.c_str(), indices.c_str(), ranges.c_str());
    separator = ",";
  }
  std::fprintf(out, "},\n\"dependences\":[");
  separator = "";
  static const char* const kinds[] = {"flow", "anti", "output"};
  for (auto& [key, dependence] : dependences) {
    auto& [kind, object, from, to, carrier, covered] = key;
    std::fprintf(out,
                 "%s\n{\"kind\":\"%s\",\"object\":%s,\"source\":%lu,\"sink\":%lu,\"carrier\":%d,\"covered\":%"
                 "s,\"loose\":%d,\"distances\":[",
                 separator, kinds[kind], quoted(object).c_str(), static_cast<unsigned long>(from),
                 static_cast<unsigned long>(to), carrier, covered ? "true" : "false", dependence.loose);
    const char* inner = "";
    for (auto& [distance, runs] : dependence.distances) {
      auto& [iterations, lines, differences] = distance;
      std::fprintf(out, "%s[%d,%s,%s,%s]", inner, iterations, listed(lines).c_str(),
                   listed(differences).c_str(), listed(runs).c_str());
      inner = ",";
    }
    std::fprintf(out, "]}");
    separator = ",";
  }
  std::fprintf(out, "],\n\"runs\":[");
  separator = "";
  for (auto& text : calls) {
    std::fprintf(out, "%s%s", separator, quoted(text).c_str());
    separator = ",";
  }
  std::fprintf(out, "],\n\"pointers\":[");
  separator = "";
  for (auto& [run, function, name, object] : pointers) {
    std::fprintf(out, "%s[%d,%s,%s,%s]", separator, run, quoted(function).c_str(), quoted(name).c_str(),
                 quoted(object).c_str());
    separator = ",";
  }
  std::fprintf(out, "],\n\"values\":[");
  separator = "";
  for (auto& [run, function, name, value] : values) {
    std::fprintf(out, "%s[%d,%s,%s,%lld]", separator, run, quoted(function).c_str(), quoted(name).c_str(),
                 value);
    separator = ",";
  }
  std::fprintf(out, "]}\n");
}

void writeTrace() {
  const char* path = std::getenv("WL_TRACE_OUTPUT");
  std::FILE* out = path ? std::fopen(path, "w") : stdout;
  if (!out) {
    std::perror(path);
    std::_Exit(3);
  }
  tracer().active = false;
  tracer().write(out);
  std::fclose(out);
}

} // namespace

extern "C" {

struct wl_scope {
  int entered;
};
struct wl_guard {
  const void* base;
};

void wl_begin(const char* call) {
  static bool registered = false;
  if (!registered) std::atexit(writeTrace);
  registered = true;
  tracer().call = call;
  tracer().caseNumber = 0;
}

/// The sizes at which every call is run: WL_TRACE_SIZES, a list such as "4,7", or the usual ones.
static const std::vector<int>& sizes() {
  static const std::vector<int> result = [] {
    std::vector<int> list;
    const char* text = std::getenv("WL_TRACE_SIZES");
    for (const char* p = text ? text : "6,9,12"; *p; p += *p == ',')
      list.push_back(static_cast<int>(std::strtol(p, const_cast<char**>(&p), 10)));
    return list;
  }();
  return result;
}

int wl_next(int* n) {
  Tracer& t = tracer();
  t.active = false;
  if (t.caseNumber == static_cast<int>(sizes().size())) return 0;
  *n = sizes()[t.caseNumber++];
  ++t.run;
  t.calls.push_back(t.call);
  t.beginRun();
  t.active = true;
  return 1;
}

wl_scope wl_enter(int line) {
  Tracer& t = tracer();
  if (t.active) {
    Frame frame;
    frame.line = line;
    frame.instance = ++t.instances;
    frame.inInit = false;
    frame.outer = frame.node = t.current();
    t.frames.push_back(frame);
  }
  return {0};
}

int wl_once(wl_scope* scope) {
  if (scope->entered) return 0;
  scope->entered = 1;
  Tracer& t = tracer();
  if (t.active) t.frames.back().inInit = true;
  return 1;
}

int wl_test() {
  Tracer& t = tracer();
  if (t.active) {
    t.beginIteration(t.frames.back());
    t.frames.back().tested = true;
  }
  return 1;
}

int wl_iteration() {
  Tracer& t = tracer();
  if (t.active) {
    Frame& frame = t.frames.back();
    if (!frame.tested) t.beginIteration(frame);
    frame.tested = false;
    ++frame.iterations;
    long long value = frame.node->value;
    auto& range = t.loops[frame.line].ranges.try_emplace(t.run, value, value).first->second;
    range = {std::min(range.first, value), std::max(range.second, value)};
    t.watch(frame);
  }
  return 0;
}

void wl_exit(wl_scope*) {
  Tracer& t = tracer();
  if (t.active) t.endLoop();
}

wl_guard wl_local(const void* base, std::size_t bytes, std::size_t granule, const char* name, char kind,
                  int written) {
  Tracer& t = tracer();
  auto* object = new Object{static_cast<const char*>(base), bytes, granule, name, kind, 0, {}};
  object->forget();
  t.locals.push_back(object);
  if (written && t.active)
    t.write(*object, 0, bytes, t.current(), reinterpret_cast<Pc>(__builtin_return_address(0)) - 1);
  return {base};
}

void wl_unlocal(wl_guard* guard) {
  auto& locals = tracer().locals;
  for (std::size_t k = locals.size(); k-- > 0;)
    if (locals[k]->base == guard->base) {
      for (Frame& frame : tracer().frames)
        frame.progressions.erase(locals[k]);
      delete locals[k];
      locals.erase(locals.begin() + static_cast<long>(k));
      return;
    }
}

void wl_global(void* base, std::size_t bytes, std::size_t granule, const char* name, char kind, char fill) {
  Tracer& t = tracer();
  auto after = std::upper_bound(t.globals.begin(), t.globals.end(), static_cast<char*>(base),
                                [](const char* a, const Object* o) { return a < o->base; });
  if (after != t.globals.begin() && (*(after - 1))->base == base) return; // a static local, met again
  auto* object = new Object{static_cast<char*>(base), bytes, granule, name, kind, fill, {}};
  object->forget();
  t.globals.insert(after, object);
}

void wl_pointer(const char* function, const char* name, const void* variable) {
  Tracer& t = tracer();
  Object* object = t.active ? t.find(*static_cast<const char* const*>(variable)) : nullptr;
  if (object) t.pointers.insert({t.run, function, name, object->name});
}

void wl_value(const char* function, const char* name, const void* variable, std::size_t bytes) {
  Tracer& t = tracer();
  if (t.active)
    t.values.insert({t.run, function, name, Tracer::valueAt(static_cast<const char*>(variable), bytes)});
}

void __sanitizer_cov_trace_pc_guard_init(std::uint32_t*, std::uint32_t*) {}
void __sanitizer_cov_trace_pc_guard(std::uint32_t*) {}

#define WL_PC (reinterpret_cast<Pc>(__builtin_return_address(0)) - 1)
#define WL_CALLBACKS(bytes)                                                                                  \
  void __sanitizer_cov_load##bytes(const void* p) {                                                          \
    tracer().load(static_cast<const char*>(p), bytes, WL_PC);                                                \
  }                                                                                                          \
  void __sanitizer_cov_store##bytes(const void* p) {                                                         \
    tracer().store(static_cast<const char*>(p), bytes, WL_PC);                                               \
  }
WL_CALLBACKS(1)
WL_CALLBACKS(2)
WL_CALLBACKS(4)
WL_CALLBACKS(8)
WL_CALLBACKS(16)
} // extern "C"
