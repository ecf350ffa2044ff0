#include "emit/Launcher.h"

#include "emit/AstText.h"
#include "model/MathFunctions.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <map>

namespace warploom {

namespace {

class RegionWriter {
public:
  RegionWriter(const Region& region, const Facts& facts, const RegionPlan& plan, std::string launcher,
               TextWriter& out)
      : region(region), facts(facts), plan(plan), launcher(std::move(launcher)), out(out) {}

  void write(GeneratedRegion& generated) {
    checkTypes();
    for (const Parameter& parameter : region.parameters)
      names.of(parameter.name);
    for (const Array& array : region.arrays)
      names.of(array.name);
    for (const KernelPlan& kernel : plan.kernels)
      calls.push_back(writeKernel(region, facts, kernel, names, out));
    collectArrays();
    writeSignature(generated);
    out.open("extern \"C\" int {}({})", launcher, signature);
    out.line("warploom::Region region(\"{}\");", region.name());
    out.line("if (!region.useDevice()) return 0;");
    writeSizes();
    writeConditions();
    out.line();
    for (int array : onDevice)
      writeAllocation(array);
    for (int array : onDevice)
      if (hasHostCopy(array)) writeCopy(array, true);
    out.line();
    for (const HostNode& node : plan.host)
      writeHost(node);
    out.line();
    for (int array : onDevice)
      if (isOutput(array)) writeCopy(array, false);
    out.line("return region.finish();");
    out.close();
    out.line();
    writeOutputs();
  }

private:
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
      values.insert(call.valueArrays.begin(), call.valueArrays.end());
    }
    for (const Condition& condition : region.conditions)
      if (condition.kind == Condition::Kind::NoOverlap)
        for (int array : condition.arrays)
          if (!onDevice.count(array) && !values.count(array)) pointersOnly.insert(array);
  }

  bool hasHostCopy(int array) const { return region.arrays[array].storage != Array::Storage::Predicate; }

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
      parameters.push_back("long " + names.of(parameter.name));
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
    return [this](const std::string& name) { return names.of(name); };
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
    isl::pw_aff first = isl::manage(isl_set_dim_min(isl_set_copy(all), 0));
    isl::pw_aff last = isl::manage(isl_set_dim_max(all, 0));
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
    for (int index : sized) {
      const Array& array = region.arrays[index];
      if (array.isScalar()) continue;
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

  std::string bytes(int index) {
    const Array& array = region.arrays[index];
    std::string type = scalarType(array.element);
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
    for (const KernelPlan& kernel : plan.kernels)
      for (int loop : kernel.mapped)
        if (facts.loops[loop].parallelFor) addCondition(*facts.loops[loop].parallelFor);
  }

  void addCondition(const isl::set& holds) {
    std::string text = conditionText(holds, toName());
    if (text == "1" || !checked.insert(text).second) return;
    out.line("if (!({0})) return region.stayOnHost(\"{0} does not hold\");", text);
  }

  void writeAllocation(int index) {
    const Array& array = region.arrays[index];
    std::string count =
        array.isScalar() ? "1" : fmt::format("static_cast<std::size_t>({})", names.of(array.name + " size"));
    out.line("auto {} = region.array<{}>(\"{}\", {{{}}});", names.of(array.name + " device"),
             scalarType(array.element), array.name, count);
  }

  void writeCopy(int index, bool in) {
    const Array& array = region.arrays[index];
    std::string device = names.of(array.name + " device"), host = names.of(array.name);
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

  void writeHost(const HostNode& node) {
    if (node.kernel >= 0) return writeLaunch(plan.kernels[node.kernel], calls[node.kernel]);
    const Loop& loop = region.loops[node.loop];
    auto [first, last] = hostRange(node.loop);
    std::string index = names.of("index " + loop.index);
    if (loop.step > 0)
      out.open("for (long {0} = {1}; {0} <= {2}; {0} += {3})", index, first, last, loop.step);
    else
      out.open("for (long {0} = {2}; {0} >= {1}; {0} -= {3})", index, first, last, -loop.step);
    for (const HostNode& child : node.children)
      writeHost(child);
    out.close();
  }

  /// The least and the greatest value of a host loop's index, given the loops around it.
  std::pair<std::string, std::string> hostRange(int loop) {
    isl_set* all = nullptr;
    for (const Statement& statement : region.statements) {
      auto at = std::find(statement.loops.begin(), statement.loops.end(), loop);
      if (at == statement.loops.end() || statement.kind == Statement::Kind::Kill) continue;
      unsigned level = static_cast<unsigned>(at - statement.loops.begin());
      isl_set* one = statement.domain.copy();
      for (unsigned k = 0; k < level; ++k) {
        std::string outer = "index " + region.loops[statement.loops[k]].index;
        isl_space* space = isl_space_add_param_id(isl_space_params_alloc(islContext().get(), 0),
                                                  isl_id_alloc(islContext().get(), outer.c_str(), nullptr));
        one = isl_set_align_params(one, space);
        int position = isl_set_find_dim_by_name(one, isl_dim_param, outer.c_str());
        one = isl_set_equate(one, isl_dim_param, position, isl_dim_set, static_cast<int>(k));
      }
      unsigned dimensions = static_cast<unsigned>(statement.loops.size());
      one = isl_set_project_out(one, isl_dim_set, level + 1, dimensions - level - 1);
      one = isl_set_project_out(one, isl_dim_set, 0, level);
      one = isl_set_reset_tuple_id(one);
      all = all ? isl_set_union(all, one) : one;
    }
    all = isl_set_coalesce(all);
    isl::pw_aff low = isl::manage(isl_set_dim_min(isl_set_copy(all), 0));
    isl::pw_aff high = isl::manage(isl_set_dim_max(all, 0));
    isl::set exists = high.domain();
    low = low.gist_params(region.context).coalesce();
    high = high.gist_params(region.context).coalesce();
    std::string first = valueText(low, toName()), last = valueText(high, toName());
    bool plain = isl_pw_aff_n_piece(low.get()) == 1 && isl_pw_aff_n_piece(high.get()) == 1;
    if (!plain) {
      std::string condition = conditionText(exists.gist(region.context), toName());
      first = condition + " ? " + first + " : 0";
      last = condition + " ? " + last + " : -1";
    }
    return {first, last};
  }

  void writeLaunch(const KernelPlan& kernel, const KernelCall& call) {
    BlockShape shape = blockShape(kernel.mapped.size());
    std::vector<std::string> grid;
    for (std::size_t axis = 0; axis < kernel.mapped.size(); ++axis) {
      const IndexRange& range = call.ranges[kernel.mapped.size() - 1 - axis];
      grid.push_back(fmt::format("warploom::blocks({}, {}, {})", range.first, range.end, shape.names[axis]));
    }
    std::string arguments =
        call.arguments.empty() ? "" : fmt::format(", {}", fmt::join(call.arguments, ", "));
    std::string name = names.of("kernel " + kernel.name);
    if (kernel.mapped.empty()) {
      out.line("region.launch({{dim3(1), dim3(1)}}, {}{});", name, arguments);
      return;
    }
    out.line("region.launch({{dim3({}), dim3({})}}, {}{});", fmt::join(grid, ", "),
             fmt::join(shape.names, ", "), name, arguments);
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
  std::set<int> onDevice, values, pointersOnly;
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
