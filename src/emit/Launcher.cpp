#include "emit/Launcher.h"

#include "emit/CostText.h"
#include "emit/HostArrays.h"
#include "emit/HostLoops.h"
#include "emit/LibraryText.h"
#include "emit/Outputs.h"
#include "emit/RoundingText.h"
#include "emit/RowsText.h"
#include "support/IslC.h"
#include "support/Numbers.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <regex>
#include <sstream>

namespace warploom {

namespace {

class RegionWriter {
public:
  RegionWriter(const Region& region, const Facts& facts, const RegionPlan& plan, std::string launcher,
               TextWriter& out)
      : region(region), plan(plan), launcher(std::move(launcher)), out(out),
        scope{region, facts, plan, {}, {}, {}, {}}, names(scope.names) {}

  void write(GeneratedRegion& generated) {
    // Kernels first: theirs are names of the whole file, the others give way.
    for (const KernelPlan& kernel : plan.kernels)
      names.of("kernel " + kernel.name);
    for (const Parameter& parameter : region.parameters)
      names.ofParameter(parameter.name);
    for (const Array& array : region.arrays)
      names.of(array.name);
    for (const auto& [array, symbol] : plan.constants)
      out.line("static __constant__ {} {}[{}];", scalarType(region.arrays[array].element), symbol,
               fmt::join(constantExtents(array), " * "));
    if (!plan.constants.empty()) out.line();
    for (int kernel = 0; kernel < static_cast<int>(plan.kernels.size()); ++kernel)
      scope.calls.push_back(writeKernel(region, scope.facts, plan, kernel, names, out));
    for (const KernelCall& call : scope.calls) {
      const std::size_t kernel = generated.kernels.size();
      generated.kernels.push_back(
          {call.sizePrefix, call.sizes, threadsOf(kernel), plan.kernels[kernel].variants});
      generated.turnsTiles = generated.turnsTiles || call.mayBeTurned();
    }
    writeOneLaunches(scope, out);
    collectArrays();
    writeSignature(generated);
    std::set<int> others = pointersOnly;
    for (int array : inConstants)
      if (plan.slices.count(array) == 0 || mayOverlap(array)) others.insert(array);
    HostArrays arrays(scope, onDevice, others, valuePlaces);
    const std::string site = names.of("site of " + launcher);
    out.line("static warploom::Site {}(\"{}\");", site, region.name());
    for (const KernelCall& call : scope.calls)
      if (call.uses) out.line("static warploom::Inspection {};", inspectionOf(call));
    const std::vector<LibraryPlace> libraries = libraryPlaces(plan);
    for (const LibraryPlace& place : libraries)
      out.line("{}", libraryChoiceDefinition(scope, place));
    out.open("extern \"C\" int {}({})", launcher, signature);
    const std::size_t begin = out.text().size();
    writeWork(scope, site, out);
    out.line("warploom::Region region({});", site);
    if (generated.tellsSizes && !generated.problem.empty()) {
      std::vector<std::string> sizes;
      for (const std::string& size : generated.problem)
        sizes.push_back(fmt::format("{{\"{0}\", {0}}}", size));
      out.line("region.tellSizes({{{}}});", fmt::join(sizes, ", "));
    }
    out.line("if (!region.useDevice({})) return 0;", sharedSizes());
    for (const auto& [array, line] : structs)
      if (arrays.moves(array) || mayOverlap(array) || inConstants.count(array)) out.line(line);
    for (const std::string& line : unpacked)
      out.line(line);
    // What is on the device alone: nothing of it moves.
    for (int array : onDevice)
      if (isOnHost(region.arrays[array]) && region.arrays[array].tables.empty() && !arrays.moves(array))
        out.line("(void){};", names.of(region.arrays[array].name + (structs.count(array) ? " memory" : "")));
    arrays.writeSizes(out);
    generated.asksHeap = arrays.asksHeap();
    generated.callsLibrary = !libraries.empty();
    writeConditions(arrays);
    writeCosts(scope, arrays.moves(), out);
    out.line();
    arrays.writeAllocations(out);
    arrays.writeCopiesIn(out);
    for (int array : inConstants)
      if (plan.slices.count(array) == 0)
        out.line("region.copyToConstant({0}, {1}, {2} * sizeof({3}));", plan.constants.at(array),
                 names.of(region.arrays[array].name), names.of(region.arrays[array].name + " size"),
                 scalarType(region.arrays[array].element));
    writeInspections(arrays);
    out.line();
    out.open("auto kernels = [&](auto index)");
    out.line("using Index = decltype(index);");
    writeHostLoops(scope, out);
    out.close(";");
    writeIndexChoice(arrays, out.text().substr(begin));
    out.line();
    arrays.writeCopiesOut(out);
    out.line("return region.finish();");
    out.close();
    out.line();
    out.open("extern \"C\" void {}_kept()", launcher);
    out.line("warploom::keptLoopsEnded({});", site);
    out.close();
    out.line();
    generated.kept = launcher + "_kept";
    writeOutputs(arrays);
    if (generated.notesRounding) writeRoundings(arrays);
  }

private:
  std::vector<std::string> constantExtents(int array) {
    std::vector<std::string> extents;
    for (const auto& extent : region.arrays[array].extents)
      extents.push_back(extent ? scope.text(*extent) : "");
    if (auto slice = plan.slices.find(array); slice != plan.slices.end())
      extents.front() = std::to_string(slice->second.second.rows);
    return extents;
  }

  /// How many threads the blocks of a kernel have, by the names of sizes as tunables have them.
  std::string threadsOf(std::size_t kernel) const {
    const KernelCall& call = scope.calls[kernel];
    const bool isPlain = call.sizePrefix.empty() || !call.variants.empty();
    return fmt::format("{}", fmt::join(isPlain ? plan.kernels[kernel].body.threads : call.block, " * "));
  }

  /// What blocks of the kernels need in shared memory, as useDevice takes it.
  std::string sharedSizes() const {
    std::vector<std::string> sizes;
    for (const KernelCall& call : scope.calls) {
      if (call.shared.empty()) continue;
      std::vector<std::string> sets = call.variants;
      if (sets.empty()) sets = {"ManyTiles", "FewTiles"};
      if (call.mayBeTurned()) sets.push_back("TurnedTiles");
      if (!call.sharedBySet) sets.resize(1);
      for (const std::string& set : sets)
        sizes.push_back(fmt::format("sizeof({})", call.sharedFor(set)));
    }
    return sizes.empty() ? "" : fmt::format("{{{}}}", fmt::join(sizes, ", "));
  }

  void collectArrays() {
    for (const KernelCall& call : scope.calls) {
      onDevice.insert(call.deviceArrays.begin(), call.deviceArrays.end());
      inConstants.insert(call.constantArrays.begin(), call.constantArrays.end());
      values.insert(call.valueArrays.begin(), call.valueArrays.end());
    }
    for (const Condition& condition : region.conditions)
      if (asksWhereArraysLie(condition))
        for (int array : condition.arrays) {
          if (int memory = memoryOf(region, array); isOnHost(region.arrays[memory]) &&
                                                    !onDevice.count(memory) && !inConstants.count(memory) &&
                                                    !values.count(memory))
            pointersOnly.insert(memory);
          if (values.count(array) && memoryOf(region, array) == array) valuePlaces.insert(array);
        }
  }

  /// True when a check of `condition` is about where its arrays lie in memory.
  static bool asksWhereArraysLie(const Condition& condition) {
    return condition.kind == Condition::Kind::NoOverlap || !condition.place.empty();
  }

  /// True when the launcher asks whether `array` overlaps another one.
  bool mayOverlap(int array) const {
    return std::any_of(region.conditions.begin(), region.conditions.end(), [&](const Condition& condition) {
      return asksWhereArraysLie(condition) &&
             std::any_of(condition.arrays.begin(), condition.arrays.end(),
                         [&](int one) { return memoryOf(region, one) == array; });
    });
  }

  void writeSignature(GeneratedRegion& generated) {
    std::vector<std::string> parameters, arguments;
    auto reads = [&](const std::string& text) {
      const auto found = region.through.find(text);
      if (found == region.through.end()) return;
      for (const std::string& pointer : found->second)
        if (std::find(generated.through.begin(), generated.through.end(), pointer) == generated.through.end())
          generated.through.push_back(pointer);
    };
    for (const Parameter& parameter : region.parameters) {
      if (parameter.isFound) continue;
      generated.problem.push_back(names.ofParameter(parameter.name));
      parameters.push_back("long " + generated.problem.back());
      // A product of sizes may need more than an int.
      arguments.push_back((parameter.isProduct ? "(long)" : "") + parameter.text);
      reads(parameter.text);
      std::istringstream factors(parameter.isProduct ? parameter.text : "");
      for (std::string factor; std::getline(factors, factor, '*');)
        reads(factor);
    }
    auto add = [&](int index, bool byValue) {
      const Array& array = region.arrays[index];
      reads(array.base);
      std::string type = scalarType(array.element), name = names.of(array.name);
      if (byValue && array.element.kind == Type::Kind::Complex) {
        // C and C++ have different names for complex numbers, too.
        std::string memory = names.of(array.name + " memory");
        unpacked.push_back(fmt::format("const {0} {1} = *static_cast<const {0}*>({2});", type, name, memory));
        parameters.push_back("const void* " + memory);
        arguments.push_back("(const void*)&" + array.base);
        generated.takesRegister = generated.takesRegister || array.isRegister;
        return;
      }
      if (byValue) {
        parameters.push_back((array.element.kind == Type::Kind::Bool ? "int" : type) + " " + name);
        arguments.push_back(array.base);
        return;
      }
      if (!array.tables.empty()) {
        parameters.push_back("const void* " + tableName(scope, index));
        arguments.push_back("(const void*)" + array.base);
        return;
      }
      std::string constness = isWritten(region, index) ? "" : "const ";
      if (array.element.kind == Type::Kind::Struct || array.element.kind == Type::Kind::Bool ||
          array.element.kind == Type::Kind::Complex) {
        // Where the prototype stands, the user's struct may not be known yet; and C and C++ have different
        // names for truth values and complex numbers.
        std::string memory = names.of(array.name + " memory");
        structs[index] = fmt::format("{0}{1}* {2} = static_cast<{0}{1}*>({3});", constness,
                                     typeName(array.element), name, memory);
        type = "void";
        name = memory;
      }
      parameters.push_back(constness + type + "* " + name);
      std::string address = array.isScalar() && array.storage != Array::Storage::Pointee ? "&" : "";
      generated.takesRegister = generated.takesRegister || array.isRegister;
      arguments.push_back(fmt::format("({}{}*){}{}", constness, type, address, array.base));
      const bool isName = std::all_of(array.base.begin(), array.base.end(),
                                      [](unsigned char c) { return std::isalnum(c) || c == '_'; });
      // Of a struct each field has a transfer of its own.
      const bool whole = array.element.kind == Type::Kind::Struct;
      const Transfer& transfer = plan.transfers[index];
      // One that is not written for all sizes goes back as it came.
      const bool goesBack = transfer.out && !region.context.is_subset(transfer.touched->exists);
      // Whether something else is in the variable is asked of its own address.
      if (!address.empty() && isName && !mayOverlap(index))
        generated.scalars.push_back({array.base, whole || transfer.in || goesBack,
                                     isWritten(region, index) && (whole || transfer.out)});
    };
    for (int array : values)
      add(array, true);
    for (int array : onDevice)
      if (isOnHost(region.arrays[array])) add(array, false);
    for (int array : inConstants)
      add(array, false);
    for (int array : pointersOnly)
      add(array, false);
    for (int array : valuePlaces) {
      parameters.push_back("const void* " + valuePlaceName(scope, region.arrays[array]));
      arguments.push_back("(const void*)&" + region.arrays[array].base);
    }
    for (const Condition& condition : region.conditions)
      if (!condition.place.empty()) {
        parameters.push_back("const void* " + placeName(scope, condition));
        parameters.push_back("unsigned long " + placeName(scope, condition) + "_bytes");
        arguments.push_back(fmt::format("(const void*)&{0}, sizeof({0})", condition.place));
        reads(condition.place);
      }
    for (const std::string& parameter : parameters)
      parameterNames.push_back(parameter.substr(parameter.find_last_of(" *") + 1));
    signature = fmt::format("{}", fmt::join(parameters, ", "));
    generated.launcher = launcher;
    generated.prototype = fmt::format("int {}({})", launcher, signature.empty() ? "void" : signature);
    generated.arguments = fmt::format("{}", fmt::join(arguments, ", "));
  }

  void writeConditions(HostArrays& arrays) {
    for (const Condition& condition : region.conditions)
      if (condition.kind != Condition::Kind::NoOverlap && condition.holds) addCondition(*condition.holds);
    arrays.writeOverlapChecks(out);
    for (const Condition& condition : region.conditions)
      if (condition.kind == Condition::Kind::Characters)
        out.line(
            "if (!warploom::hasPlainCharacters()) return region.stayOnHost(\"the locale has characters of "
            "its own\");");
      else if (condition.kind != Condition::Kind::NoOverlap && !condition.holds && !arrays.checks(condition))
        throw EmissionRefused(condition.range, "it cannot be checked that " + condition.text);
    addCondition(plan.assumed.gist(region.context));
  }

  void addCondition(const isl::set& holds) {
    std::string text = scope.text(holds);
    if (text == "1" || !checked.insert(text).second) return;
    out.line("if (!({0})) return region.stayOnHost(\"{0} does not hold\");", text);
  }

  /// Finds the levels of kernels that run by them, and leaves the launcher where they should not.
  void writeInspections(const HostArrays& arrays) {
    for (const KernelCall& call : scope.calls) {
      if (!call.uses) continue;
      std::vector<std::string> members, sizes, indices, elements;
      for (const KernelParameter& member : call.uses->members) {
        members.push_back(member.argument);
        if (!member.type.ends_with("*")) sizes.push_back(member.argument);
      }
      for (int array : call.uses->indices)
        indices.push_back(arrays.memoryText(array));
      for (int array : call.uses->arrays)
        elements.push_back(names.of(region.arrays[array].name + " size"));
      const std::string levels = names.of(call.uses->name + " levels");
      out.line("warploom::Levels {}(region, {});", levels, inspectionOf(call));
      out.line("if (!{}.find({}, {}, warploom::bytesOf({}), {{{}}}, {}{{{}}}))", levels, call.uses->count,
               fmt::join(elements, " + "), fmt::join(sizes, ", "), fmt::join(indices, ", "), call.uses->name,
               fmt::join(members, ", "));
      out.line("  return region.giveUp({}.reason());", levels);
    }
  }
  std::string inspectionOf(const KernelCall& call) { return names.of(call.uses->name + " inspection"); }

  static void addNumbers(const LoopTree& tree, Numbers& numbers) {
    if (tree.kind == LoopTree::Kind::Loop) numbers.add(tree.value);
    for (const LoopTree& child : tree.children)
      addNumbers(child, numbers);
  }

  /// How large what kernels compute with indices may be beside the sizes: at least 16, which stands for sums
  /// of a few sizes. Nothing where numbers in the region alone are too large for 32 bits.
  std::optional<long> indexFactor() const {
    constexpr long mostConstant = 1 << 28,
                   mostDivisor = mostConstant / 1024; // that many threads step at once
    Numbers loops, domains;
    for (const KernelPlan& kernel : plan.kernels) {
      addNumbers(kernel.tree, loops);
      for (const ScheduledLoop& loop : kernel.hostLoops)
        loops.add(loop.value);
    }
    for (const Statement& statement : region.statements) {
      domains.add(statement.domain);
      for (const Access& access : statement.accesses)
        domains.addDivisions(access.map);
    }
    const bool small = std::max(loops.constant, domains.constant) <= mostConstant &&
                       std::max(loops.divisor, domains.divisor) <= mostDivisor &&
                       std::max(loops.factor, domains.factor) <= mostConstant;
    if (!small || loops.factor * domains.factor > mostConstant) return std::nullopt;
    return std::max(loops.factor * domains.factor, 16L);
  }

  /// Calls the kernels with indices of 32 bits where that is right, since it is faster: the source computes
  /// with such indices, and all sizes are so small that no subscript is larger. `body`: the launcher so far.
  void writeIndexChoice(HostArrays& arrays, const std::string& body) {
    const std::optional<long> factor = region.hasNarrowIndices() ? indexFactor() : std::nullopt;
    if (!factor) {
      // An array's name stands in quotes.
      const std::string code = std::regex_replace(body, std::regex("\"[^\"]*\""), "");
      for (const Parameter& parameter : region.parameters)
        if (std::string name = names.ofParameter(parameter.name); !mentions(code, name))
          out.line("(void){};", name);
      out.line("kernels(0L);");
      return;
    }
    std::vector<std::string> all;
    for (const Parameter& parameter : region.parameters)
      all.push_back(names.ofParameter(parameter.name));
    std::vector<std::string> elements = arrays.sizeNames();
    for (const KernelCall& call : scope.calls)
      if (!call.iterations.empty()) elements.push_back(call.iterations);
    out.line("if (warploom::fitInt({{{}}}, {{{}}}{})) kernels(0);", fmt::join(all, ", "),
             fmt::join(elements, ", "), *factor > 16 ? fmt::format(", {}", *factor) : "");
    out.line("else kernels(0L);");
  }

  /// What the region changes, for those who compare: the same sizes as in the launcher.
  void writeOutputs(HostArrays& arrays) {
    out.open("extern \"C\" void {}_outputs({}{}{})", launcher, signature, signature.empty() ? "" : ", ",
             visitorParameters);
    // Every region's function takes what its launcher takes, whether it needs it or not.
    for (const std::string& name : parameterNames)
      out.line("(void){};", name);
    for (const auto& [array, line] : structs)
      if (arrays.isOutput(array)) out.line(line);
    arrays.writeOutputs(out);
    out.close();
    out.line();
  }

  /// How far rounding can move what the region computes, for those who compare.
  void writeRoundings(HostArrays& arrays) {
    out.open("extern \"C\" void {}_rounding({}{}{})", launcher, signature, signature.empty() ? "" : ", ",
             roundingParameters);
    for (const std::string& name : parameterNames)
      out.line("(void){};", name);
    for (const auto& [array, line] : structs)
      out.line(line);
    writeRounding(scope, arrays, values, out);
    out.close();
    out.line();
  }

  const Region& region;
  const RegionPlan& plan;
  std::string launcher;
  TextWriter& out;
  LauncherScope scope;
  Names& names;
  std::set<int> onDevice, inConstants, values, pointersOnly, valuePlaces;
  std::set<std::string> checked;
  std::vector<std::string> parameterNames;
  std::map<int, std::string> structs; ///< by the array: the line that gives its address a type
  std::vector<std::string> unpacked;  ///< lines that give values names that come by an address
  std::string signature;
};

} // namespace

void writeRegion(const Region& region, const Facts& facts, const RegionPlan& plan,
                 const std::string& launcher, Definitions& definitions, TextWriter& out,
                 GeneratedRegion& generated) {
  definitions.add(region, plan);
  RegionWriter(region, facts, plan, launcher, out).write(generated);
}

} // namespace warploom
