// How steps are written in recipes.
#include "transform/Step.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warploom {

namespace {

std::string quoted(const std::string& text) {
  return "\"" + text + "\"";
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ", ") + quoted(name);
  return "{" + text + "}";
}

std::string printed(const Size& size) {
  if (const long* number = std::get_if<long>(&size)) return std::to_string(*number);
  return quoted(std::get<std::string>(size));
}

std::string line(const Tile& step) {
  std::string sizes, names;
  for (const Size& size : step.sizes)
    sizes += (sizes.empty() ? "" : ", ") + printed(size);
  for (std::size_t k = 0; k < step.names.size(); ++k) {
    names += fmt::format("{}l{}_control={}", k ? ", " : "", k + 1, quoted(step.names[k].control));
    if (!step.names[k].tile.empty()) names += fmt::format(", l{}_tile={}", k + 1, quoted(step.names[k].tile));
  }
  const char* method = step.method == Tile::Method::Strided ? ", strided" : "";
  return fmt::format("tile_by_index({}, {{{}}}, {{{}}}, {}{})", listed(step.loops), sizes, names,
                     listed(step.order), method);
}
std::string line(const Strip& step) {
  if (!step.points.empty())
    return fmt::format("strip({}, {{{}}}, {})", quoted(step.loop), fmt::join(step.points, ", "),
                       quoted(step.control));
  return fmt::format("strip({}, {}, {})", quoted(step.loop), printed(step.size), quoted(step.control));
}
std::string line(const Shells& step) {
  return fmt::format("shells({}, {})", listed(step.loops), quoted(step.shell));
}
std::string line(const Permute& step) {
  return fmt::format("permute({})", listed(step.order));
}
std::string line(const Fuse& step) {
  return fmt::format("fuse({}, {})", quoted(step.first), quoted(step.second));
}
std::string line(const Distribute& step) {
  if (step.before.empty()) return fmt::format("distribute({})", quoted(step.loop));
  return fmt::format("distribute({}, {})", quoted(step.loop), listed(step.before));
}
std::string line(const Reorder& step) {
  return fmt::format("reorder({}, {})", quoted(step.loop), listed(step.parts));
}
std::string line(const Skew& step) {
  return fmt::format("skew({}, {}, {})", quoted(step.loop), quoted(step.by), step.factor);
}
std::string line(const Shift& step) {
  return fmt::format("shift({}, {}, {})", listed(step.statements), quoted(step.loop), quoted(step.amount));
}
std::string line(const Scale& step) {
  return fmt::format("scale({}, {})", quoted(step.loop), step.factor);
}
std::string line(const Nonsingular& step) {
  std::string rows;
  for (const std::vector<long>& row : step.rows)
    rows += fmt::format("{}{{{}}}", rows.empty() ? "" : ", ", fmt::join(row, ", "));
  return fmt::format("nonsingular({}, {{{}}})", listed(step.loops), rows);
}
std::string line(const Normalise& step) {
  return fmt::format("normalize_index({})", quoted(step.loop));
}
std::string line(const RenameLoop& step) {
  return fmt::format("rename_index({}, {})", quoted(step.loop), quoted(step.name));
}
std::string line(const NameKernel& step) {
  return fmt::format("name_kernel({}, {})", quoted(step.loop), quoted(step.name));
}
std::string line(const LaunchBounds& step) {
  return fmt::format("launch_bounds({}, {})", quoted(step.loop), step.blocks);
}
std::string line(const DeclareSize& step) {
  const SizeDeclaration& size = step.size;
  std::vector<std::string> fields;
  if (size.usual > 0)
    fields.push_back(fmt::format("usual={}, from={}, to={}", size.usual, size.least, size.most));
  if (size.few > 0) fields.push_back(fmt::format("few={}", size.few));
  for (const auto& [field, value] :
       {std::pair{"turned", size.turned}, {"threads", size.threads}, {"items", size.items}})
    if (!value.empty()) fields.push_back(fmt::format("{}={}", field, quoted(value)));
  if (size.points != Points::Apart)
    fields.push_back(fmt::format("points={}", quoted(pointsName(size.points))));
  return fmt::format("size({}, {{{}}})", quoted(size.name), fmt::join(fields, ", "));
}
std::string line(const CallLibrary& step) {
  return fmt::format("library({}, {})", quoted(step.loop), quoted(libraryUseName(step.use)));
}
std::string line(const Pipeline& step) {
  return fmt::format("pipeline({}, {})", quoted(step.loop), step.copies);
}
std::string line(const Assume& step) {
  return fmt::format("known({})", quoted(step.condition));
}
std::string line(const DropDependence& step) {
  return fmt::format("remove_dep({}, {})", quoted(step.source), quoted(step.sink));
}
std::string line(const Reverse& step) {
  return fmt::format("reverse({})", quoted(step.loop));
}
std::string line(const Split& step) {
  return fmt::format("split({}, {}, {})", quoted(step.loop), quoted(step.at), quoted(step.rest));
}
std::string line(const Peel& step) {
  return fmt::format("peel({}, {}, {})", quoted(step.loop), step.count, quoted(step.peeled));
}
std::string line(const Unroll& step) {
  return fmt::format("unroll({}, {})", quoted(step.loop), step.factor);
}
std::string line(const UnrollToDepth& step) {
  return fmt::format("unroll_to_depth({})", step.depth);
}
std::string line(const Privatise& step) {
  return fmt::format("privatise({}, {})", quoted(step.array), quoted(step.loop));
}
std::string line(const Expand& step) {
  return fmt::format("expand({}, {})", quoted(step.array), quoted(step.loop));
}
std::string line(const Reduce& step) {
  return fmt::format("reduce({}, {})", quoted(step.array), quoted(step.loop));
}
std::string line(const ScanLoop& step) {
  return fmt::format("scan({})", quoted(step.loop));
}
std::string line(const LevelLoop& step) {
  return fmt::format("levels({})", quoted(step.loop));
}
std::string line(const RenameArray& step) {
  return fmt::format("rename({}, {})", quoted(step.array), quoted(step.loop));
}
std::string line(const PlaceScalar& step) {
  return fmt::format("in_place({}, {})", quoted(step.scalar), quoted(step.loop));
}
std::string line(const CarryScalar& step) {
  return fmt::format("carry({}, {})", quoted(step.array), quoted(step.loop));
}
std::string line(const TileTime& step) {
  return fmt::format("time_tiles({}, {}, {{{}}})", quoted(step.loop), step.steps,
                     fmt::join(step.sizes, ", "));
}
std::string line(const MapToGrid& step) {
  return fmt::format("map_to_grid({})", listed(step.loops));
}
std::string line(const CollapseToGrid& step) {
  return fmt::format("collapse_to_grid({}{})", listed(step.loops),
                     step.axis == 0 ? "" : fmt::format(", {}", quoted(step.axis == 1 ? "y" : "z")));
}
std::string line(const MapToBlock& step) {
  return fmt::format("map_to_block({})", listed(step.loops));
}
std::string line(const MapToLanes& step) {
  return fmt::format("map_to_lanes({})", listed(step.loops));
}
std::string line(const MapToGroups& step) {
  return fmt::format("map_to_groups({})", listed(step.statements));
}
std::string line(const MapToTensor& step) {
  return fmt::format("map_to_tensor({})", quoted(step.loop));
}
std::string line(const StageShared& step) {
  std::string further;
  if (step.copies != 1 || step.together != 1 || step.transposed) further += fmt::format(", {}", step.copies);
  if (step.together != 1 || step.transposed) further += fmt::format(", {}", step.together);
  if (step.transposed) further += ", \"transposed\"";
  return fmt::format("copy_to_shared({}, {}, {}{})", quoted(step.loop), quoted(step.array), step.padding,
                     further);
}
std::string line(const StageRegisters& step) {
  return fmt::format("copy_to_registers({}, {})", quoted(step.loop), quoted(step.array));
}
std::string line(const StageConstant& step) {
  return step.loop.empty() ? fmt::format("copy_to_constant({})", quoted(step.array))
                           : fmt::format("copy_to_constant({}, {})", quoted(step.array), quoted(step.loop));
}
std::string line(const StageReadOnly& step) {
  return fmt::format("copy_to_texture({})", quoted(step.array));
}
std::string line(const Reschedule& step) {
  return fmt::format("reschedule({})", quoted(step.fusion == Reschedule::Fusion::Most    ? "fuse"
                                              : step.fusion == Reschedule::Fusion::Least ? "separate"
                                                                                         : "earliest"));
}

} // namespace

std::string pointsName(Points points) {
  return points == Points::Adjacent  ? "adjacent"
         : points == Points::Columns ? "columns"
         : points == Points::Rows    ? "rows"
                                     : "apart";
}

std::string libraryUseName(LibraryUse use) {
  return use == LibraryUse::Never ? "never" : use == LibraryUse::Auto ? "auto" : "always";
}

std::string print(const Step& step) {
  return std::visit([](const auto& one) { return line(one); }, step);
}

} // namespace warploom
