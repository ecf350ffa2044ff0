#include "emit/Launcher.h"

#include "emit/AstText.h"
#include "emit/BodyText.h"
#include "emit/KernelScope.h"
#include "model/MathFunctions.h"
#include "support/IslC.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <map>
#include <regex>

namespace warploom {

namespace {

class RegionWriter {
public:
  RegionWriter(const Region& region, const Facts& facts, const RegionPlan& plan, std::string launcher,
               TextWriter& out)
      : region(region), facts(facts), plan(plan), launcher(std::move(launcher)), out(out) {}

  void write(GeneratedRegion& generated) {
    checkTypes();
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
      calls.push_back(writeKernel(region, facts, plan, kernel, names, out));
    collectArrays();
    writeSignature(generated);
    out.open("extern \"C\" int {}({})", launcher, signature);
    out.line("warploom::Region region(\"{}\");", region.name());
    out.line("if (!region.useDevice()) return 0;");
    writeSizes();
    writeConditions();
    writeCosts();
    out.line();
    for (int array : onDevice)
      writeAllocation(array);
    for (int array : onDevice)
      if (hasHostCopy(array)) writeCopy(array, true);
    for (int array : inConstants)
      out.line("region.copyToConstant({0}, {1}, {2} * sizeof({3}));", plan.constants.at(array),
               names.of(region.arrays[array].name), names.of(region.arrays[array].name + " size"),
               scalarType(region.arrays[array].element));
    out.line();
    out.open("auto kernels = [&](auto index)");
    out.line("using Index = decltype(index);");
    for (const HostNode& node : plan.host)
      writeHost(node, {}, plan.assumed.intersect(region.context));
    out.close(";");
    writeIndexChoice();
    out.line();
    for (int array : onDevice)
      if (isOutput(array)) writeCopy(array, false);
    out.line("return region.finish();");
    out.close();
    out.line();
    writeOutputs();
  }

private:
  std::vector<std::string> constantExtents(int array) {
    std::vector<std::string> extents;
    for (const auto& extent : region.arrays[array].extents)
      extents.push_back(valueText(*extent, toName()));
    return extents;
  }

  void checkTypes() {
    auto check = [&](const Expr& node, const auto& self) -> void {
      if (node.kind == Expr::Kind::Call && !isMathFunction(node.text))
        throw EmissionRefused(node.range, "it calls `" + node.text + "`, which has no device version");
      if (node.kind == Expr::Kind::Member || node.kind == Expr::Kind::Opaque)
        throw EmissionRefused(node.range, "`" + exprText(node) + "` has no device version");
      if (node.kind == Expr::Kind::Cast && scalarType(node.type).empty())
        throw EmissionRefused(node.range,
                              "`" + node.type.spelling + "` is not a type that kernels compute with");
      for (const ExprPtr& operand : node.operands)
        self(*operand, self);
    };
    for (const KernelPlan& kernel : plan.kernels)
      for (int s : kernel.statements) {
        const Statement& statement = region.statements[s];
        if (!statement.body) throw EmissionRefused(statement.range, "it is not looked into");
        check(*statement.body, check);
        for (const ExprPtr& guard : statement.guards)
          check(*guard, check);
        for (const Access& access : statement.accesses) {
          const Array& array = region.arrays[access.array];
          if (scalarType(array.element).empty())
            throw EmissionRefused(access.range, "`" + array.name + "` has elements of type `" +
                                                    array.element.spelling +
                                                    "`, which kernels do not handle");
          if (!array.field.empty())
            throw EmissionRefused(access.range, "`" + array.name + "` is a field of a struct");
          for (std::size_t k = 1; k < array.extents.size(); ++k)
            if (!array.extents[k])
              throw EmissionRefused(access.range,
                                    "the size of a dimension of `" + array.name + "` is not known");
        }
      }
  }

  void collectArrays() {
    for (const KernelCall& call : calls) {
      onDevice.insert(call.deviceArrays.begin(), call.deviceArrays.end());
      inConstants.insert(call.constantArrays.begin(), call.constantArrays.end());
      values.insert(call.valueArrays.begin(), call.valueArrays.end());
    }
    for (const Condition& condition : region.conditions)
      if (condition.kind == Condition::Kind::NoOverlap)
        for (int array : condition.arrays)
          if (!onDevice.count(array) && !inConstants.count(array) && !values.count(array))
            pointersOnly.insert(array);
  }

  /// False for what the source has no variable for where the region begins.
  bool hasHostCopy(int array) const {
    const Array& object = region.arrays[array];
    return object.storage != Array::Storage::Predicate && object.declaredIn < 0;
  }

  bool isOutput(int array) const {
    if (!hasHostCopy(array) || !region.arrays[array].liveAfter) return false;
    for (const Statement& statement : region.statements)
      for (const Access& access : statement.accesses)
        if (access.array == array && access.writes()) return true;
    return false;
  }

  bool isWritten(int array) const {
    for (const Statement& statement : region.statements)
      for (const Access& access : statement.accesses)
        if (access.array == array && access.writes()) return true;
    return false;
  }

  void writeSignature(GeneratedRegion& generated) {
    std::vector<std::string> parameters, arguments;
    for (const Parameter& parameter : region.parameters) {
      parameters.push_back("long " + names.ofParameter(parameter.name));
      // A product of sizes may need more than an int.
      bool product = parameter.name.find('*') != std::string::npos && parameter.type.spelling == "long";
      arguments.push_back((product ? "(long)" : "") + parameter.text);
    }
    auto add = [&](int index, bool byValue) {
      const Array& array = region.arrays[index];
      std::string type = scalarType(array.element);
      if (byValue) {
        parameters.push_back(type + " " + names.of(array.name));
        arguments.push_back(array.variable);
      } else {
        bool written = isWritten(index);
        std::string constness = written ? "" : "const ";
        parameters.push_back(constness + type + "* " + names.of(array.name));
        std::string address = array.isScalar() && array.storage != Array::Storage::Pointee ? "&" : "";
        arguments.push_back(fmt::format("({}{}*){}{}", constness, type, address, array.variable));
      }
    };
    for (int array : values)
      add(array, true);
    for (int array : onDevice)
      if (hasHostCopy(array)) add(array, false);
    for (int array : inConstants)
      add(array, false);
    for (int array : pointersOnly)
      add(array, false);
    for (const std::string& parameter : parameters)
      parameterNames.push_back(parameter.substr(parameter.find_last_of(" *") + 1));
    signature = fmt::format("{}", fmt::join(parameters, ", "));
    generated.launcher = launcher;
    generated.prototype = fmt::format("int {}({})", launcher, signature.empty() ? "void" : signature);
    generated.arguments = fmt::format("{}", fmt::join(arguments, ", "));
  }

  Rename toName() {
    return [this](const std::string& name) {
      const std::string loop = fixedName("");
      if (name.rfind(loop, 0) == 0) return hostVariables.at(name.substr(loop.size()));
      return names.ofParameter(name);
    };
  }

  /// The rows of `array` that the region touches, as [first, end) over the parameters; its other extents are
  /// known.
  std::pair<std::string, std::string> rowsOf(int index) {
    const Array& array = region.arrays[index];
    if (array.isScalar()) return {"0", "1"};
    if (array.storage != Array::Storage::Pointee && array.extents[0])
      return {"0", valueText(*array.extents[0], toName())};
    isl_set* all = nullptr;
    for (const Statement& statement : region.statements)
      for (const Access& access : statement.accesses) {
        if (access.array != index || access.kind == Access::Kind::Kill) continue;
        isl_set* rows = isl_map_range(access.map.copy());
        rows = isl_set_project_out(rows, isl_dim_set, 1, static_cast<unsigned>(array.rank) - 1);
        rows = isl_set_remove_divs(isl_set_reset_tuple_id(rows));
        all = all ? isl_set_union(all, rows) : rows;
      }
    all = isl_set_coalesce(all);
    bool bounded = isl_set_dim_has_lower_bound(all, isl_dim_set, 0) == isl_bool_true &&
                   isl_set_dim_has_upper_bound(all, isl_dim_set, 0) == isl_bool_true;
    if (!bounded) {
      isl_set_free(all);
      if (array.extents[0]) return {"0", valueText(*array.extents[0], toName())};
      throw EmissionRefused(array.declaration, "how much of `" + array.name + "` is used is not known");
    }
    isl::pw_aff first = own(isl_set_dim_min(isl_set_copy(all), 0));
    isl::pw_aff last = own(isl_set_dim_max(all, 0));
    isl::set exists = last.domain();
    first = first.gist_params(region.context).coalesce();
    last = last.gist_params(region.context).coalesce();
    std::string low = valueText(first, toName());
    std::string end = valueText(last.add_constant(1), toName());
    // Where nothing is touched the expressions mean nothing.
    if (!exists.complement().intersect(region.context).is_empty())
      touched[index] = conditionText(exists.gist(region.context).coalesce(), toName());
    return {low, end};
  }

  void writeSizes() {
    std::set<int> sized = onDevice;
    sized.insert(pointersOnly.begin(), pointersOnly.end());
    sized.insert(inConstants.begin(), inConstants.end());
    for (int index : sized) {
      const Array& array = region.arrays[index];
      if (array.isScalar() && !plan.expansionOf(index)) continue;
      if (plan.expansionOf(index)) {
        writeExpandedSize(index);
        continue;
      }
      auto [first, end] = rowsOf(index);
      if (touched.count(index) && checked.insert(touched[index]).second)
        out.line("if (!({})) return region.stayOnHost(\"there is nothing to do\");", touched[index]);
      std::string width;
      for (std::size_t k = 1; k < array.extents.size(); ++k) {
        std::string extent = valueText(*array.extents[k], toName());
        bool plain =
            std::all_of(extent.begin(), extent.end(), [](char c) { return std::isalnum(c) || c == '_'; });
        width += (width.empty() ? "" : " * ") + (plain ? extent : "(" + extent + ")");
      }
      std::string size = names.of(array.name + " size"), from = names.of(array.name + " first");
      auto times = [&](const std::string& rows) {
        if (width.empty()) return rows;
        bool plain =
            std::all_of(rows.begin(), rows.end(), [](char c) { return std::isalnum(c) || c == '_'; });
        return (plain ? rows : "(" + rows + ")") + " * " + width;
      };
      out.line("const long {} = {};", size, times(end));
      sizes[index] = times(end);
      firstTexts[index] = times(first);
      firsts[index] = first == "0" ? "" : from;
      if (first != "0") out.line("const long {} = {};", from, times(first));
      if (first != "0")
        out.line("if ({} < 0) return region.stayOnHost(\"{} is used below its start\");", from, array.name);
    }
  }

  /// An array with a copy per iteration of some loops is all there; what is needed after is one copy of it.
  void writeExpandedSize(int index) {
    const Array& array = region.arrays[index];
    std::vector<std::string> factors;
    for (int loop : plan.expansionOf(index)->loops)
      factors.push_back("(" + valueText(sourceRange(region, loop).second, toName()) + ")");
    std::string copies = fmt::format("{}", fmt::join(factors, " * "));
    std::vector<std::string> extents = {"1"};
    for (const auto& extent : array.extents) {
      if (!extent)
        throw EmissionRefused(array.declaration,
                              "the size of a dimension of `" + array.name + "` is not known");
      extents.push_back("(" + valueText(*extent, toName()) + ")");
    }
    if (extents.size() > 1) extents.erase(extents.begin());
    std::string size = names.of(array.name + " size"), copy = names.of(array.name + " copy");
    out.line("const long {} = {};", copy, fmt::join(extents, " * "));
    out.line("const long {} = {} * {};", size, copies, copy);
    out.line("if ({} <= 0) return region.stayOnHost(\"there is nothing to do\");", size);
    firsts[index] = "";
    sizes[index] = fmt::format("{}", fmt::join(extents, " * "));
    firstTexts[index] = "0";
  }

  /// Where the copy of an expanded array begins that is there after the region, in elements.
  std::string lastCopy(int index) {
    const Array& array = region.arrays[index];
    std::string text;
    for (int loop : plan.expansionOf(index)->loops) {
      std::optional<isl::set> lasts;
      for (const Instances& final : facts.dependences.final) {
        const Statement& statement = region.statements[final.access.statement];
        if (final.access.in(region).array != index) continue;
        auto at = std::find(statement.loops.begin(), statement.loops.end(), loop);
        if (at == statement.loops.end())
          throw EmissionRefused(array.declaration,
                                "what `" + array.name + "` holds after the loops is not known");
        unsigned level = static_cast<unsigned>(at - statement.loops.begin());
        isl_set* one = isl_set_project_out(final.set.copy(), isl_dim_set, level + 1,
                                           static_cast<unsigned>(statement.loops.size()) - level - 1);
        one = isl_set_reset_tuple_id(isl_set_project_out(one, isl_dim_set, 0, level));
        lasts = lasts ? lasts->unite(own(one)) : own(one);
      }
      if (!lasts || !own(isl_map_from_range(lasts->copy())).is_single_valued())
        throw EmissionRefused(array.declaration,
                              "what `" + array.name + "` holds after the loops is not known");
      auto [first, count] = sourceRange(region, loop);
      isl::pw_aff last = own(isl_set_dim_max(lasts->copy(), 0)).gist_params(region.context).coalesce();
      std::string at = "(" + valueText(last.sub(first).coalesce(), toName()) + ")";
      text = text.empty() ? at : fmt::format("({} * ({}) + {})", text, valueText(count, toName()), at);
    }
    return text + " * " + names.of(array.name + " copy");
  }

  std::string bytes(int index) {
    const Array& array = region.arrays[index];
    std::string type = scalarType(array.element);
    if (plan.expansionOf(index)) return fmt::format("{} * sizeof({})", names.of(array.name + " copy"), type);
    if (array.isScalar()) return fmt::format("sizeof({})", type);
    std::string size = names.of(array.name + " size");
    std::string count = firsts[index].empty() ? size : "(" + size + " - " + firsts[index] + ")";
    return fmt::format("{} * sizeof({})", count, type);
  }

  std::string start(int index) {
    const Array& array = region.arrays[index];
    return names.of(array.name) + (array.isScalar() || firsts[index].empty() ? "" : " + " + firsts[index]);
  }

  void writeConditions() {
    for (const Condition& condition : region.conditions)
      if (condition.kind != Condition::Kind::NoOverlap && condition.holds) addCondition(*condition.holds);
    for (const Condition& condition : region.conditions) {
      if (condition.kind == Condition::Kind::NoOverlap) {
        int a = condition.arrays[0], b = condition.arrays[1];
        if (values.count(a) || values.count(b)) {
          int written = values.count(a) ? b : a;
          throw EmissionRefused(region.arrays[written].declaration,
                                "`" + region.arrays[written].name +
                                    "` may overlap a scalar that the region reads");
        }
        out.line("if (warploom::overlap({}, {}, {}, {})) return region.stayOnHost(\"{} and {} overlap\");",
                 start(a), bytes(a), start(b), bytes(b), region.arrays[a].name, region.arrays[b].name);
      } else if (!condition.holds) {
        throw EmissionRefused(condition.range, "it cannot be checked that " + condition.text);
      }
    }
    addCondition(plan.assumed.gist(region.context));
  }

  /// The values between the least and the greatest of a set of one dimension, as a number.
  std::string extentText(const isl::set& range) {
    isl::set whole = own(isl_set_remove_divs(range.copy())).coalesce();
    isl::pw_aff low = own(isl_set_dim_min(whole.copy(), 0)), high = own(isl_set_dim_max(whole.copy(), 0));
    isl::pw_aff count = high.sub(low).add_constant(1).gist_params(region.context).coalesce();
    return fmt::format("double({})", valueText(count, toName()));
  }

  /// Asks the runtime whether the device is worth it: by the number of instances, of launches and of bytes
  /// moved.
  void writeCosts() {
    std::vector<std::string> work;
    for (const KernelPlan& kernel : plan.kernels)
      for (int s : kernel.statements) {
        std::vector<std::string> factors;
        for (int loop : region.statements[s].loops)
          factors.push_back(
              fmt::format("double({})", valueText(sourceRange(region, loop).second.coalesce(), toName())));
        if (!factors.empty()) work.push_back(fmt::format("{}", fmt::join(factors, " * ")));
      }
    std::vector<std::string> launches;
    for (const KernelPlan& kernel : plan.kernels) {
      std::vector<std::string> factors;
      for (std::size_t k = 0; k < kernel.hostLoops.size(); ++k)
        factors.push_back(extentText(valuesIn(kernel.hostLoops[k], kernel.hostRuns[k])));
      launches.push_back(factors.empty() ? "1" : fmt::format("{}", fmt::join(factors, " * ")));
    }
    std::vector<std::string> moved;
    for (int array : onDevice) {
      if (!hasHostCopy(array) || region.arrays[array].isScalar()) continue;
      moved.push_back(fmt::format("{}{}", isOutput(array) ? "2 * " : "", bytes(array)));
    }
    out.line("const double instances = {};", fmt::join(summed(work), " + "));
    out.line("const double launches = {};", fmt::join(summed(launches), " + "));
    out.line("const double moved = {};", moved.empty() ? "0" : fmt::format("{}", fmt::join(moved, " + ")));
    out.line(
        "if (!region.worthwhile(instances, launches, moved)) return region.stayOnHost(\"too little work\");");
  }

  /// `terms` with equal ones put together.
  static std::vector<std::string> summed(const std::vector<std::string>& terms) {
    std::vector<std::string> order, result;
    std::map<std::string, int> count;
    for (const std::string& term : terms)
      if (count[term]++ == 0) order.push_back(term);
    for (const std::string& term : order)
      result.push_back(count[term] == 1 ? term
                       : term == "1"    ? std::to_string(count[term])
                                        : fmt::format("{} * {}", count[term], term));
    if (result.empty()) result.push_back("1");
    return result;
  }

  void addCondition(const isl::set& holds) {
    std::string text = conditionText(holds, toName());
    if (text == "1" || !checked.insert(text).second) return;
    out.line("if (!({0})) return region.stayOnHost(\"{0} does not hold\");", text);
  }

  void writeAllocation(int index) {
    const Array& array = region.arrays[index];
    std::string count = array.isScalar() && !plan.expansionOf(index)
                            ? "1"
                            : fmt::format("static_cast<std::size_t>({})", names.of(array.name + " size"));
    out.line("auto {} = region.array<{}>(\"{}\", {{{}}});", names.of(array.name + " device"),
             scalarType(array.element), array.name, count);
  }

  void writeCopy(int index, bool in) {
    const Array& array = region.arrays[index];
    std::string device = names.of(array.name + " device"), host = names.of(array.name);
    if (plan.expansionOf(index)) {
      // What the last iteration does not write is still what it was; of other copies everything is written
      // before it is read.
      if (in && isOutput(index))
        out.line("region.copyIn({} + {}, {}, {});", device, lastCopy(index), host, bytes(index));
      if (!in) out.line("region.copyOut({}, {} + {}, {});", host, device, lastCopy(index), bytes(index));
      return;
    }
    if (array.isScalar() || firsts[index].empty()) {
      if (in)
        out.line("region.copyIn({}, {});", device, host);
      else
        out.line("region.copyOut({}, {});", host, device);
    } else {
      std::string from = firsts[index];
      if (in)
        out.line("region.copyIn({0} + {2}, {1} + {2}, {3});", device, host, from, bytes(index));
      else
        out.line("region.copyOut({1} + {2}, {0} + {2}, {3});", device, host, from, bytes(index));
    }
  }

  /// Calls the kernels with indices of 32 bits where that is right, since it is faster: the source computes
  /// with such indices, and all sizes are so small that no subscript is larger.
  void writeIndexChoice() {
    bool narrow = std::all_of(region.loops.begin(), region.loops.end(),
                              [](const Loop& loop) { return loop.indexType.bits <= 32; }) &&
                  std::all_of(region.parameters.begin(), region.parameters.end(),
                              [](const Parameter& parameter) { return parameter.type.bits <= 32; });
    if (!narrow) {
      out.line("kernels(0L);");
      return;
    }
    std::vector<std::string> all, elements;
    for (const Parameter& parameter : region.parameters)
      all.push_back(names.ofParameter(parameter.name));
    for (int array : onDevice)
      if (sizes.count(array)) elements.push_back(names.of(region.arrays[array].name + " size"));
    out.line("if (warploom::fitInt({{{}}}, {{{}}})) kernels(0);", fmt::join(all, ", "),
             fmt::join(elements, ", "));
    out.line("else kernels(0L);");
  }

  /// Writes `node`, inside the loops `around`, where `context` is known.
  void writeHost(const HostNode& node, std::vector<ScheduledLoop> around, const isl::set& context) {
    if (node.kernel >= 0) return writeLaunch(plan.kernels[node.kernel], calls[node.kernel]);
    LoopBounds bounds = boundsOf(*node.loop, fixed(node.runs, around), context);
    auto [first, last] = hostRange(bounds);
    long step = bounds.step;
    if (around.empty() && repeats(node)) {
      // The same launches every time: they are recorded once.
      out.open("region.repeat({}, [&]",
               step == 1 ? countText(first, last)
                         : fmt::format("({}) / {} + 1", differenceText(first, last), step));
      for (const HostNode& child : node.children)
        writeHost(child, {*node.loop}, bounds.context);
      out.close(");");
      return;
    }
    std::string index = variableFor(region, *node.loop, node.runs, names);
    hostVariables[node.loop->name] = index;
    out.open("for (long {0} = {1}; {0} <= {2}; {3})", index, first, last,
             step == 1 ? "++" + index : fmt::format("{} += {}", index, step));
    around.push_back(*node.loop);
    for (const HostNode& child : node.children)
      writeHost(child, around, bounds.context);
    out.close();
  }

  static std::string differenceText(const std::string& first, const std::string& last) {
    return first == "0" ? last : fmt::format("{} - ({})", last, first);
  }
  static std::string countText(const std::string& first, const std::string& last) {
    const std::string minusOne = " - 1";
    if (first == "0" && last.size() > minusOne.size() &&
        last.compare(last.size() - minusOne.size(), minusOne.size(), minusOne) == 0)
      return last.substr(0, last.size() - minusOne.size());
    return differenceText(first, last) + " + 1";
  }

  /// True when every iteration of a host loop is the same launches with the same arguments.
  bool repeats(const HostNode& node) {
    const std::string value = variableFor(region, *node.loop, node.runs, names);
    return std::all_of(node.children.begin(), node.children.end(), [&](const HostNode& child) {
      if (child.kernel < 0) return false;
      const KernelCall& call = calls[static_cast<std::size_t>(child.kernel)];
      std::string texts = call.onlyIf;
      for (const std::string& size : call.grid)
        texts += " " + size;
      return call.hostLoops.empty() && !std::regex_search(texts, std::regex("\\b" + value + "\\b"));
    });
  }

  /// The least and the greatest value of a host loop as text.
  std::pair<std::string, std::string> hostRange(const LoopBounds& bounds) {
    if (isl_pw_aff_n_piece(bounds.high.get()) == 0) return {"0", "-1"};
    std::string first = valueText(bounds.low, toName()), last = valueText(bounds.high, toName());
    if (bounds.onlyFor)
      last = fmt::format("({} ? {} : {} - 1)", conditionText(*bounds.onlyFor, toName()), last, first);
    return {first, last};
  }

  void writeLaunch(const KernelPlan& kernel, const KernelCall& call) {
    std::string arguments;
    for (const std::string& argument : call.arguments)
      arguments += ", " + argument;
    for (const std::string& loop : call.hostLoops)
      arguments += fmt::format(", Index({})", hostVariables.at(loop));
    if (call.onlyIf != "1") out.open("if ({})", call.onlyIf);
    out.line("region.launch({{dim3({}), dim3({})}}, {}{});", fmt::join(call.grid, ", "),
             fmt::join(call.block, ", "), names.of("kernel " + kernel.name) + "<Index>", arguments);
    if (call.onlyIf != "1") out.close();
  }

  /// What the region changes, for those who compare: the same sizes as in the launcher.
  void writeOutputs() {
    out.open("extern \"C\" void {}_outputs({}{}void (*visit)(void* context, const char* name, void* data, "
             "unsigned long count, const char* type), void* context)",
             launcher, signature, signature.empty() ? "" : ", ");
    // Every region's function takes what its launcher takes, whether it needs it or not.
    for (const std::string& name : parameterNames)
      out.line("(void){};", name);
    for (int array : onDevice) {
      if (!isOutput(array)) continue;
      const Array& object = region.arrays[array];
      std::string type = scalarType(object.element), count = "1", data = names.of(object.name);
      out.open("");
      if (!object.isScalar()) {
        out.line("const long size = {};", sizes[array]);
        bool fromStart = firstTexts[array].rfind("0", 0) == 0;
        if (!fromStart) out.line("const long first = {};", firstTexts[array]);
        out.open("if ({}size > 0)", touched.count(array) ? "(" + touched[array] + ") && " : "");
        data += fromStart ? "" : " + first";
        count = fromStart ? "static_cast<unsigned long>(size)" : "static_cast<unsigned long>(size - first)";
      }
      out.line("visit(context, \"{}\", {}, {}, \"{}\");", object.name, data, count, type);
      if (!object.isScalar()) out.close();
      out.close();
    }
    out.close();
    out.line();
  }

  const Region& region;
  const Facts& facts;
  const RegionPlan& plan;
  std::string launcher;
  TextWriter& out;
  Names names;
  std::vector<KernelCall> calls;
  std::set<int> onDevice, inConstants, values, pointersOnly;
  std::map<std::string, std::string> hostVariables; ///< by the names of the host's loops
  std::map<int, std::string> firsts;            ///< the variable that holds the first element used; empty: 0
  std::map<int, std::string> sizes, firstTexts; ///< as expressions over the launcher's parameters
  std::map<int, std::string> touched; ///< the condition under which any of the array is used, unless always
  std::set<std::string> checked;
  std::vector<std::string> parameterNames;
  std::string signature;
};

} // namespace

void writeRegion(const Region& region, const Facts& facts, const RegionPlan& plan,
                 const std::string& launcher, TextWriter& out, GeneratedRegion& generated) {
  RegionWriter(region, facts, plan, launcher, out).write(generated);
}

} // namespace warploom
