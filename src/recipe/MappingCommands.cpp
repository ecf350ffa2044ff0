// The commands that make kernels of loops and decide where data is kept.
#include "recipe/Commands.h"
#include "support/IslC.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <isl/aff.h>

namespace warploom {

namespace {

/// The loop for an iteration of which a copy lives that is to lie right outside `loop` and all loops on the
/// block.
std::string loopOutside(const Call& call, const std::string& loop) {
  const LoopTree& tree = call.state().tree();
  std::vector<const LoopTree*> path = pathTo(tree, loop);
  if (path.empty()) call.fail(fmt::format("there is no loop `{}`", loop));
  path.pop_back();
  while (!path.empty() && path.back()->place && path.back()->place->kind == Place::Kind::Block)
    path.pop_back();
  if (path.empty()) call.fail(fmt::format("`{}` is the outermost loop: the copy would be on the host", loop));
  return path.back()->name;
}

/// For an iteration of which loop the copy lives that a recipe places at `loop`: after cudaize, as CUDA-CHiLL
/// has it, in front of that loop.
std::string copyLoop(const Call& call, const std::string& loop) {
  const LoopTree* named = findLoop(call.state().tree(), loop);
  const bool isThread = named && named->place && named->place->kind == Place::Kind::Block;
  return isThread || call.session.isCudaized(call.line) ? loopOutside(call, loop) : loop;
}

/// The arrays that a recipe means by argument `k`: the array of that name or, of a struct, those of its
/// fields that the region uses.
std::vector<std::string> arraysOf(const Call& call, int k) {
  const std::string wanted = call.text(k);
  const Region& region = call.state().region();
  std::vector<std::string> fields;
  for (int a = 0; a < static_cast<int>(region.arrays.size()); ++a) {
    const Array& array = region.arrays[static_cast<std::size_t>(a)];
    if (array.name == wanted && array.element.kind != Type::Kind::Struct) return {wanted};
    if (array.variable != wanted || array.field.empty()) continue;
    const bool isUsed =
        std::any_of(region.statements.begin(), region.statements.end(), [&](const Statement& statement) {
          return std::any_of(statement.accesses.begin(), statement.accesses.end(),
                             [&](const Access& access) { return access.array == a; });
        });
    if (isUsed) fields.push_back(array.name);
  }
  return fields.empty() ? std::vector<std::string>{wanted} : fields;
}

int padding(const Call& call, int k) {
  const long value = call.has(k) ? call.number(k) : 1;
  if (value == 0 || std::abs(value) > 1024) call.fail(fmt::format("a padding of {}", value));
  return static_cast<int>(value);
}

/// Checks the sizes that `cudaize` is given, which kernels do not need: what moves is found out from the
/// accesses. A size that the array does not have is refused.
void checkSizes(const Call& call, int k) {
  const auto& arrays = call.state().region().arrays;
  for (const auto& [name, size] : call.fields(k)) {
    const std::string wanted = name;
    auto found = std::find_if(arrays.begin(), arrays.end(), [&](const Array& array) {
      return array.name == wanted || array.variable == wanted;
    });
    if (found == arrays.end()) call.fail(fmt::format("there is no array `{}`", name));
    const long* elements = std::get_if<long>(&size);
    if (!elements) continue;
    if (*elements < 1) call.fail(fmt::format("`{}` cannot have {} elements", name, *elements));
    long declared = 1;
    for (const auto& extent : found->extents) {
      const bool isNumber = extent && declared > 0 && own(isl_pw_aff_is_cst(extent->get()));
      isl::val value = isNumber ? extent->max_val() : isl::val::zero(islContext());
      declared *= value.is_int() ? value.num_si() : 0;
    }
    if (found->rank > 0 && found->field.empty() && declared > 0 && declared != *elements)
      call.fail(fmt::format("`{}` has {} elements, not {}", name, declared, *elements));
  }
}

void cudaize(Call& call) {
  call.expect(3, 3);
  const std::string name = call.text(1);
  checkSizes(call, 2);
  for (const std::string& field : call.fieldNames(3))
    if (field != "block" && field != "thread")
      call.fail(fmt::format("`{}` is neither block nor thread", field));
  const std::vector<std::string> block = call.fieldTexts(3, "block"), thread = call.fieldTexts(3, "thread");
  if (block.empty()) call.fail("no loop is for blocks: block={\"...\"}");
  std::vector<Step> steps = {MapToGrid{block}};
  if (!thread.empty()) steps.push_back(MapToBlock{thread});
  if (!name.empty()) steps.push_back(NameKernel{block.front(), name});
  call.take(steps);
  call.session.setCudaized(call.line);
}

void mapToGrid(Call& call) {
  call.expect(1, 1);
  call.take({MapToGrid{call.texts(1)}});
}
void mapToBlock(Call& call) {
  call.expect(1, 1);
  call.take({MapToBlock{call.texts(1)}});
}
void mapToLanes(Call& call) {
  call.expect(1, 1);
  call.take({MapToLanes{call.texts(1)}});
}
void mapToGroups(Call& call) {
  call.expect(1, 1);
  call.take({MapToGroups{call.texts(1)}});
}
void collapseToGrid(Call& call) {
  call.expect(1, 2);
  const std::string axis = call.has(2) ? call.text(2) : "x";
  if (axis != "x" && axis != "y" && axis != "z") call.fail(fmt::format("a grid has no axis `{}`", axis));
  call.take({CollapseToGrid{call.texts(1), axis.front() - 'x'}});
}
void nameKernel(Call& call) {
  call.expect(2, 2);
  call.take({NameKernel{call.text(1), call.text(2)}});
}

void launchBounds(Call& call) {
  call.expect(2, 2);
  const long blocks = call.number(2);
  if (blocks < 1 || blocks > 1024) call.fail(fmt::format("{} blocks on a multiprocessor", blocks));
  call.take({LaunchBounds{call.loop(1), static_cast<int>(blocks)}});
}

void size(Call& call) {
  call.expect(2, 2);
  SizeDeclaration size{call.text(1)};
  for (const auto& [field, value] : call.fields(2)) {
    const long* number = std::get_if<long>(&value);
    const std::string text = number ? "" : std::get<std::string>(value);
    const auto isNumber = [&](const char* name, int& into) {
      if (field != name || !number || *number < 1 || *number > mostThreads) return false;
      into = static_cast<int>(*number);
      return true;
    };
    const auto isText = [&](const char* name, std::string& into) {
      if (field != name || text.empty()) return false;
      into = text;
      return true;
    };
    bool isPoints = false;
    for (Points one : {Points::Apart, Points::Adjacent, Points::Columns, Points::Rows})
      if (field == "points" && text == pointsName(one)) isPoints = true, size.points = one;
    if (!isPoints && !isNumber("usual", size.usual) && !isNumber("from", size.least) &&
        !isNumber("to", size.most) && !isNumber("few", size.few) && !isText("turned", size.turned) &&
        !isText("threads", size.threads) && !isText("items", size.items))
      call.fail(fmt::format("`{}` is nothing that is said of a size, or not like this: usual, from, to and "
                            "few are numbers up to {}, turned, threads and items sizes, points \"apart\", "
                            "\"adjacent\", \"columns\" or \"rows\"",
                            field, mostThreads));
  }
  call.take({DeclareSize{size}});
}

void library(Call& call) {
  call.expect(1, 2);
  const std::string use = call.has(2) ? call.text(2) : "auto";
  for (LibraryUse one : {LibraryUse::Never, LibraryUse::Auto, LibraryUse::Always})
    if (libraryUseName(one) == use) return call.take({CallLibrary{call.loop(1), one}});
  call.fail(fmt::format("libraries are called `auto`, `always` or `never`, not `{}`", use));
}

void mapToTensor(Call& call) {
  call.expect(1, 1);
  call.take({MapToTensor{call.loop(1)}});
}

void pipeline(Call& call) {
  call.expect(2, 2);
  const long copies = call.number(2);
  if (copies < 2 || copies > mostCopies) call.fail(fmt::format("2 to {} copies, not {}", mostCopies, copies));
  call.take({Pipeline{call.loop(1), static_cast<int>(copies)}});
}

/// Tiles of neighbouring iterations for the threads of a line of blocks, and what each moves of arrays at
/// once in its registers.
void vectorise(Call& call) {
  call.expect(2, 2);
  const std::string loop = call.loop(1);
  const std::string tiles =
      uniqueName(loop + "_tiles", [&](const std::string& name) { return call.state().isTaken(name); });
  std::vector<Step> steps = {Tile{{loop}, {std::string("STRIP")}, {{tiles}}}, MapToGrid{{tiles}},
                             MapToBlock{{loop}}};
  for (const std::string& array : call.texts(2))
    steps.push_back(StageRegisters{tiles, array});
  call.take(steps);
}

void copyToShared(Call& call) {
  call.expect(2, 6);
  const bool transposed = call.has(6);
  if (transposed && call.text(6) != "transposed") call.fail("a tile is \"transposed\", or nothing is said");
  const long copies = call.has(4) ? call.number(4) : 1, together = call.has(5) ? call.number(5) : 1;
  if (copies < 1 || copies > mostCopies) call.fail(fmt::format("1 to {} copies, not {}", mostCopies, copies));
  if (together < 1 || together > 16) call.fail(fmt::format("{} elements read together", together));
  std::vector<Step> steps;
  for (const std::string& array : arraysOf(call, 2))
    steps.push_back(StageShared{copyLoop(call, call.loop(1)), array, padding(call, 3),
                                static_cast<int>(copies), static_cast<int>(together), transposed});
  call.take(steps);
}

void copyToRegisters(Call& call) {
  call.expect(2, 2);
  std::vector<Step> steps;
  for (const std::string& array : arraysOf(call, 2))
    steps.push_back(StageRegisters{copyLoop(call, call.loop(1)), array});
  call.take(steps);
}

void copyToConstant(Call& call) {
  call.expect(1, 2);
  std::vector<Step> steps;
  for (const std::string& array : arraysOf(call, 1))
    steps.push_back(StageConstant{array, call.has(2) ? call.text(2) : ""});
  call.take(steps);
}

void copyToTexture(Call& call) {
  call.expect(1, 1);
  std::vector<Step> steps;
  for (const std::string& array : arraysOf(call, 1))
    steps.push_back(StageReadOnly{array});
  call.take(steps);
}

/// The loop of the level or the name in argument 2, around the statement in argument 1.
std::string levelOrName(const Call& call) {
  return call.isText(2) ? call.text(2) : call.loopAt(call.number(1), call.number(2));
}

void datacopy(Call& call) {
  call.expect(3, 8);
  if (call.has(5) && call.number(5) != -1)
    call.fail("the order of a copy's dimensions cannot be chosen: threads walk the last one");
  const long stride = call.has(6) ? call.number(6) : 1, align = call.has(7) ? call.number(7) : 0;
  if (stride != 1) call.fail("elements of a copy lie side by side");
  if (call.has(8) && call.number(8) != 1 && call.number(8) != 0)
    call.fail(fmt::format("there is no memory {}: 0 and 1 are shared memory", call.number(8)));
  if (std::abs(align) > 1024) call.fail(fmt::format("a padding of {}", align));
  call.statement(call.number(1));
  std::vector<Step> steps;
  for (const std::string& array : arraysOf(call, 3))
    steps.push_back(
        StageShared{loopOutside(call, levelOrName(call)), array, align == 0 ? 1 : static_cast<int>(align)});
  call.take(steps);
}

void datacopyPrivatised(Call& call) {
  call.expect(4, 4);
  call.statement(call.number(1));
  const std::string loop = levelOrName(call);
  // The loops held fixed must be those that run in parallel: a thread has its own copy.
  for (const Size& held : call.sizes(4)) {
    const std::string name = std::holds_alternative<long>(held)
                                 ? call.loopAt(call.number(1), std::get<long>(held))
                                 : std::get<std::string>(held);
    const LoopTree* found = findLoop(call.state().tree(), name);
    if (!found) call.fail(fmt::format("there is no loop `{}`", name));
    if (!found->place)
      call.fail(fmt::format("`{}` is not mapped: its iterations would share the copy", name));
  }
  std::vector<Step> steps;
  for (const std::string& array : arraysOf(call, 3))
    steps.push_back(StageRegisters{loopOutside(call, loop), array});
  call.take(steps);
}

void privatise(Call& call) {
  call.expect(2, 2);
  call.take({Privatise{call.text(1), call.text(2)}});
}
void expand(Call& call) {
  call.expect(2, 2);
  call.take({Expand{call.text(1), call.text(2)}});
}
void reduce(Call& call) {
  call.expect(2, 2);
  call.take({Reduce{call.text(1), call.text(2)}});
}

void scan(Call& call) {
  call.expect(1, 1);
  call.take({ScanLoop{call.text(1)}});
}

void levels(Call& call) {
  call.expect(1, 1);
  call.take({LevelLoop{call.text(1)}});
}

void rename(Call& call) {
  call.expect(2, 2);
  call.take({RenameArray{call.text(1), call.text(2)}});
}

void inPlace(Call& call) {
  call.expect(2, 2);
  call.take({PlaceScalar{call.text(1), call.text(2)}});
}

void carry(Call& call) {
  call.expect(2, 2);
  call.take({CarryScalar{call.text(1), call.text(2)}});
}

void timeTiles(Call& call) {
  call.expect(3, 3);
  call.take({TileTime{call.text(1), call.number(2), call.numbers(3)}});
}

void known(Call& call) {
  call.expect(1, 1);
  if (!call.isTable(1)) return call.take({Assume{call.text(1)}});
  std::vector<Step> steps;
  for (const std::string& condition : call.texts(1))
    steps.push_back(Assume{condition});
  call.take(steps);
}

void removeDependence(Call& call) {
  call.expect(2, 2);
  auto statement = [&](int k) { return call.isText(k) ? call.text(k) : call.statement(call.number(k)); };
  call.take({DropDependence{statement(1), statement(2)}});
}

} // namespace

std::vector<Command> mappingCommands() {
  using Group = Command::Group;
  return {
      {"cudaize", "cudaize(\"kernel\", {a=N*N}, {block={\"ii\", \"jj\"}, thread={\"i\", \"j\"}})",
       "Makes a kernel of that name: `map_to_grid`, `map_to_block` and `name_kernel`. Sizes of arrays are "
       "found out from the accesses; one that contradicts the declaration is refused. Copies that come after "
       "it are placed in front of the loop they name.",
       Group::Cuda, cudaize},
      {"map_to_grid", "map_to_grid({\"jj\", \"ii\"})", "Iterations run as blocks x, y, z.", Group::Cuda,
       mapToGrid},
      {"map_to_block", "map_to_block({\"j\", \"i\"})", "Iterations run as threads x, y, z of a block.",
       Group::Cuda, mapToBlock},
      {"map_to_lanes", "map_to_lanes({\"k\"})", "The lanes of a warp share the iterations.", Group::Cuda,
       mapToLanes},
      {"map_to_groups", "map_to_groups({\"S2\"})",
       "Groups of threads share the loop, ended by data alone, that the code of each statement is.",
       Group::Cuda, mapToGroups},
      {"collapse_to_grid", "collapse_to_grid({\"i\", \"j\"} [, \"z\"])",
       "A perfect nest runs along x of the grid, or the axis given, its iterations counted together.",
       Group::Cuda, collapseToGrid},
      {"name_kernel", "name_kernel(\"ii\", \"gemm\")", "The name of the kernel of a loop on the grid.",
       Group::Cuda, nameKernel},
      {"warp", "warp({\"k\"})", "The same as `map_to_lanes`.", Group::Cuda, mapToLanes},
      {"vectorize", "vectorize(\"i\", {\"a\", \"b\"})",
       "Iterations of a parallel loop run as lines of threads, each with neighbouring ones, as many as the "
       "size "
       "`VECTOR` says, whose elements of these arrays it moves together.",
       Group::Cuda, vectorise},
      {"launch_bounds", "launch_bounds(\"ii\", 2)",
       "The kernel of a loop on the grid uses few enough registers for this many blocks on a multiprocessor.",
       Group::Cuda, launchBounds},
      {"size", "size(\"TJ\", {usual=64, from=16, to=128, items=\"PJ\", threads=\"TTJ\"})",
       "Declares a size that tiles may have, before they do: what it is where nothing is said, and from "
       "where "
       "to where a search doubles it. Threads take `items` points each of such a tile, a size declared "
       "before "
       "or Warploom's own, and `threads` is what the quotient is called; without `items`, `threads` is a "
       "size, "
       "and points the quotient; without `usual`, the size is the product of both. `points=\"adjacent\"` has "
       "a thread take neighbours, `\"columns\"` along x and `\"rows\"` along y what `map_to_tensor` needs, "
       "with "
       "`threads` warps; `few=` is the value where larger tiles would be few, `turned=` the size "
       "that "
       "changes places with it where tiles are turned round.",
       Group::Cuda, size},
      {"library", "library(\"ii\", \"auto\")",
       "A library may do what the kernel does whose outermost loop this is, a product of matrices or "
       "vectors, "
       "a sum of vectors or a triangular solve, which a loop around kernels may be, too: `auto` where it is "
       "the faster one, `always`, or `never`.",
       Group::Cuda, library},
      {"map_to_tensor", "map_to_tensor(\"k\")",
       "A loop, two loops on the block in it and a statement that adds products of doubles, whose factors "
       "are in shared memory, run on the tensor cores.",
       Group::Cuda, mapToTensor},
      {"pipeline", "pipeline(\"kk\", 3)",
       "Of all that is in shared memory for an iteration of a loop there are this many copies, 2 to 8: while "
       "threads work on one, the others are filled for the next iterations, by asynchronous copies.",
       Group::Copies, pipeline},
      {"copy_to_shared", "copy_to_shared(\"tx\", \"b\", -16 [, copies [, together [, \"transposed\"]]])",
       "The threads of a block keep what they use of an array in shared memory: in front of a loop on the "
       "block and, after `cudaize`, of any loop; else for an iteration of the loop. The last extent is as it "
       "is (1), rounded up to a multiple (d), or to a number without a factor in common (-d); or an odd "
       "multiple of how many elements a thread reads together. Of a transposed tile rows are what lies apart "
       "in memory. Of an array of structs, the fields that the "
       "region uses.",
       Group::Copies, copyToShared},
      {"copy_to_registers", "copy_to_registers(\"kk\", \"c\")",
       "A thread keeps its elements of an array in registers; the loop is as in `copy_to_shared`.",
       Group::Copies, copyToRegisters},
      {"copy_to_constant", "copy_to_constant(\"mask\" [, \"kk\"])",
       "The array in constant memory, or what an iteration of a loop of the host reads of it.", Group::Copies,
       copyToConstant},
      {"copy_to_constant_no_tile", "copy_to_constant_no_tile(\"mask\")",
       "The whole array in constant memory.", Group::Copies,
       [](Call& call) {
         call.expect(1, 1);
         call.take({StageConstant{call.text(1)}});
       }},
      {"copy_to_texture", "copy_to_texture(\"a\")", "Reads go through the read-only path.", Group::Copies,
       copyToTexture},
      {"datacopy",
       "datacopy(statement, level, \"a\" [, allow_extra_read, fastest_dim, padding_stride, padding_align, "
       "memtype])",
       "`copy_to_shared` in front of the loop at a level or of a name; the padding is as there.",
       Group::Copies, datacopy},
      {"datacopy_privatized", "datacopy_privatized(statement, \"kk\", \"c\", {\"tx\", \"ty\"})",
       "`copy_to_registers` in front of the loop at a level or of a name; the loops held fixed must be "
       "mapped.",
       Group::Copies, datacopyPrivatised},
      {"privatise", "privatise(\"t\", \"i\")", "One `t` per iteration of a loop of the source.",
       Group::Storage, privatise},
      {"expand", "expand(\"t\", \"i\")", "A further dimension of `t`: all copies alive at once.",
       Group::Storage, expand},
      {"reduce", "reduce(\"s\", \"i\")",
       "Accumulations into `s` that a loop carries may be combined in any order.", Group::Storage, reduce},
      {"scan", "scan(\"i\")",
       "A loop of the source whose iterations hand on scalars, each by a function that composes, runs as a "
       "scan once it is on the grid or on the lanes of a warp.",
       Group::Storage, scan},
      {"levels", "levels(\"i\")",
       "Iterations of a loop of the source that meet in elements which data choose run one after the other, "
       "the others at the same time, once it is on the grid: in levels, found when the program runs.",
       Group::Storage, levels},
      {"rename", "rename(\"a\", \"i\")",
       "What a loop of the source reads of an array from before the loop, and overwrites, is read from a "
       "copy; "
       "a scalar that iterations hand on has an element for each. Comes before all other steps.",
       Group::Storage, rename},
      {"in_place", "in_place(\"x\", \"i\")",
       "A scalar that each iteration of a loop of the source works on is kept in the element that it is "
       "written to at last. Comes before all steps but `rename` and `carry`.",
       Group::Storage, inPlace},
      {"carry", "carry(\"a\", \"i\")",
       "What iterations of a loop of the source read of an array, and the iteration before has written, is "
       "handed on in a scalar. Comes before all steps but `rename`.",
       Group::Storage, carry},
      {"time_tiles", "time_tiles(\"t\", 4, {32, 32})",
       "So many iterations of a loop of the source, of sweeps over arrays, run in tiles of these arrays, of "
       "so "
       "many elements along each dimension, which have copies of their own; what lies around a tile is "
       "computed "
       "for it again. Comes before all steps but `rename` and `carry`.",
       Group::Storage, timeTiles},
      {"known", "known(\"n > 0\") | known({\"n > 0\", \"m > n\"})",
       "Takes a condition on sizes for granted; the launcher checks it, and else the original loops run.",
       Group::Storage, known},
      {"remove_dep", "remove_dep(0, 1)",
       "Takes your word that what the analysis can only assume does not make one statement wait for another. "
       "A dependence that is known to be there is not removed.",
       Group::Storage, removeDependence},
  };
}

} // namespace warploom
