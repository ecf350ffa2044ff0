#include "emit/KernelText.h"

#include "emit/AstText.h"
#include "support/Failure.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <map>

namespace warploom {

BlockShape blockShape(std::size_t dimensions) {
  // Three-dimensional grids use the two-dimensional block: consecutive threads along x matter, depth does
  // not.
  if (dimensions == 3) return {{"BLOCK_X", "BLOCK_Y", "1"}};
  if (dimensions == 2) return {{"BLOCK_X", "BLOCK_Y"}};
  return {{"BLOCK"}};
}

namespace {

/// How an index fixed outside isl's tree is called there.
std::string fixedName(const Region& region, int loop) {
  return "index " + region.loops[loop].index;
}

class KernelWriter {
public:
  KernelWriter(const Region& region, const Facts& facts, const KernelPlan& kernel, Names& names,
               TextWriter& out)
      : region(region), facts(facts), kernel(kernel), names(names), out(out),
        bodies(region, kernel, names, used) {
    fixed = kernel.hostLoops;
    fixed.insert(fixed.end(), kernel.mapped.begin(), kernel.mapped.end());
  }

  KernelCall write() {
    KernelCall call;
    for (int loop : kernel.hostLoops)
      rangeOf(loop); // isl may take for granted what the host's loops ensure
    used.parameters.clear();
    for (int loop : kernel.mapped)
      call.ranges.push_back(rangeOf(loop));
    isl_ast_node* tree = buildTree();
    // The body first: it decides which arguments there are.
    TextWriter body(false);
    writeNode(tree, body);
    isl_ast_node_free(tree);
    std::string inside = body.text();

    std::vector<std::string> parameters;
    for (const Parameter& parameter : region.parameters)
      if (used.parameters.count(parameter.name)) {
        parameters.push_back("long " + names.of(parameter.name));
        call.arguments.push_back(names.of(parameter.name));
      }
    for (int loop : kernel.hostLoops) {
      parameters.push_back("long " + names.of(fixedName(region, loop)));
      call.arguments.push_back(names.of(fixedName(region, loop)));
    }
    std::vector<bool> written = writtenArrays();
    for (int array : used.arrays) {
      if (kernel.placement[array] == Placement::Private && !savedArrays.count(array)) continue;
      const Array& object = region.arrays[array];
      std::string type = scalarType(object.element), name = names.of(object.name);
      if (kernel.placement[array] == Placement::Value) {
        parameters.push_back(type + " " + name);
        call.arguments.push_back(name);
        call.valueArrays.insert(array);
        continue;
      }
      call.deviceArrays.insert(array);
      bool saved = kernel.placement[array] == Placement::Private;
      if (saved) name = names.of(object.name + " out");
      parameters.push_back(fmt::format("{}{}* __restrict__ {}", written[array] ? "" : "const ", type, name));
      call.arguments.push_back(names.of(object.name + " device"));
    }

    BlockShape shape = blockShape(kernel.mapped.size());
    out.comment(describe());
    std::string bounds = kernel.mapped.empty() ? "1" : fmt::format("{}", fmt::join(shape.names, " * "));
    out.open("__global__ void __launch_bounds__({}) {}({})", bounds, names.of("kernel " + kernel.name),
             fmt::join(parameters, ", "));
    for (const Reduction& reduction : kernel.reductions)
      if (kernel.placement[reduction.array] == Placement::Partial) {
        std::string type = scalarType(region.arrays[reduction.array].element);
        out.line("{} {} = {}::identity<{}>();", type, names.of(region.arrays[reduction.array].name + " part"),
                 reductionFunctor(reduction.op), type);
      }
    writeGridLoops(call.ranges, shape, inside);
    for (const Reduction& reduction : kernel.reductions)
      if (kernel.placement[reduction.array] == Placement::Partial) writeCombination(reduction);
    out.close();
    out.line();
    return call;
  }

private:
  std::vector<bool> writtenArrays() const {
    std::vector<bool> written(region.arrays.size());
    for (int s : kernel.statements)
      for (const Access& access : region.statements[s].accesses)
        if (access.writes()) written[access.array] = true;
    return written;
  }

  std::string describe() const {
    if (kernel.mapped.empty())
      return fmt::format("{}, line {}: what is not parallel, by one thread.", region.function,
                         region.statements[kernel.statements.front()].range.line);
    std::vector<std::string> parts;
    const char* axes[] = {"x", "y", "z"};
    for (std::size_t k = 0; k < kernel.mapped.size(); ++k)
      parts.push_back(fmt::format("loop {} over {}", region.loops[kernel.mapped[k]].index,
                                  axes[kernel.mapped.size() - 1 - k]));
    std::string text = fmt::format("{}, line {}: {}", region.function,
                                   region.loops[kernel.mapped[0]].range.line, fmt::join(parts, ", "));
    for (const Reduction& reduction : kernel.reductions)
      text += fmt::format("; {} combined by {}", region.arrays[reduction.array].name, reduction.op);
    return text + ".";
  }

  /// The domain of `statement` with the indices of the host's and the mapped loops as parameters.
  isl::set fixedDomain(const Statement& statement) const {
    isl_set* set = statement.domain.copy();
    for (std::size_t k = 0; k < fixed.size() && k < statement.loops.size(); ++k) {
      isl_space* space = isl_space_add_param_id(
          isl_space_params_alloc(islContext().get(), 0),
          isl_id_alloc(islContext().get(), fixedName(region, fixed[k]).c_str(), nullptr));
      set = isl_set_align_params(set, space);
      int at = isl_set_find_dim_by_name(set, isl_dim_param, fixedName(region, fixed[k]).c_str());
      set = isl_set_equate(set, isl_dim_param, at, isl_dim_set, static_cast<int>(k));
    }
    return isl::manage(set);
  }

  /// The values of `loop`, one of the host's or a mapped one, given parameters and the host loops around it.
  IndexRange rangeOf(int loop) {
    std::size_t level = 0;
    while (fixed[level] != loop)
      ++level;
    isl_set* all = nullptr;
    for (int s : kernel.statements) {
      const Statement& statement = region.statements[s];
      isl_set* one = statement.domain.copy();
      for (std::size_t k = 0; k < std::min(level, kernel.hostLoops.size()); ++k) {
        isl_space* space = isl_space_add_param_id(
            isl_space_params_alloc(islContext().get(), 0),
            isl_id_alloc(islContext().get(), fixedName(region, kernel.hostLoops[k]).c_str(), nullptr));
        one = isl_set_align_params(one, space);
        int at = isl_set_find_dim_by_name(one, isl_dim_param, fixedName(region, kernel.hostLoops[k]).c_str());
        one = isl_set_equate(one, isl_dim_param, at, isl_dim_set, static_cast<int>(k));
      }
      unsigned dimensions = static_cast<unsigned>(statement.loops.size());
      one = isl_set_project_out(one, isl_dim_set, static_cast<unsigned>(level + 1),
                                dimensions - static_cast<unsigned>(level) - 1);
      one = isl_set_project_out(one, isl_dim_set, 0, static_cast<unsigned>(level));
      one = isl_set_reset_tuple_id(one);
      all = all ? isl_set_union(all, one) : one;
    }
    all = isl_set_coalesce(isl_set_remove_divs(all));
    isl::pw_aff low = isl::manage(isl_set_dim_min(isl_set_copy(all), 0));
    isl::pw_aff high = isl::manage(isl_set_dim_max(all, 0));
    low = simple(low);
    high = simple(high);
    auto rename = [&](const std::string& name) {
      used.parameters.insert(name);
      return names.of(name);
    };
    isl::pw_aff one = isl::manage(
        isl_pw_aff_zero_on_domain(isl_local_space_from_space(isl_pw_aff_get_domain_space(high.get()))));
    one = one.add_constant(1);
    // Only a single expression is told to isl: with several, each holds for some parameters only.
    if (low.isa_aff() && high.isa_aff()) bounds.emplace_back(loop, std::pair{low, high});
    return {valueText(low, rename), valueText(high.add(one), rename)};
  }

  /// `value` without what the context makes needless; one expression where there is only one.
  isl::pw_aff simple(const isl::pw_aff& value) const {
    isl::pw_aff result = value.gist_params(region.context).coalesce();
    if (isl_pw_aff_n_piece(result.get()) == 1) result = result.gist(result.domain());
    return result;
  }

  struct Instance {
    int statement;
    std::vector<std::string> indices; ///< as isl has them; names are replaced when it is printed
    isl_ast_expr* call;
  };

  static isl_ast_node* noteInstance(isl_ast_node* node, isl_ast_build* build, void* user) {
    auto* self = static_cast<KernelWriter*>(user);
    // The instance executed here, as a call S(i, j).
    isl_union_map* schedule = isl_ast_build_get_schedule(build);
    isl_map* map = isl_map_from_union_map(schedule);
    isl_pw_multi_aff* instance = isl_pw_multi_aff_from_map(isl_map_reverse(map));
    isl_ast_expr* call = isl_ast_build_call_from_pw_multi_aff(build, instance);
    std::string key = "instance " + std::to_string(self->instances.size());
    isl_ast_expr* callee = isl_ast_expr_get_op_arg(call, 0);
    isl_id* id = isl_ast_expr_get_id(callee);
    std::string name = isl_id_get_name(id);
    isl_id_free(id);
    isl_ast_expr_free(callee);
    Instance found{-1, {}, call};
    for (int s : self->kernel.statements)
      if (self->region.statements[s].name == name) found.statement = s;
    self->instances.push_back(found);
    return isl_ast_node_set_annotation(node, isl_id_alloc(islContext().get(), key.c_str(), nullptr));
  }

  isl_ast_node* buildTree() {
    isl_union_map* schedule = isl_union_map_empty(isl_space_params_alloc(islContext().get(), 0));
    isl::union_map order = originalOrder(region);
    isl_union_set* domain = isl_union_set_empty(isl_space_params_alloc(islContext().get(), 0));
    for (int s : kernel.statements)
      domain =
          isl_union_set_union(domain, isl_union_set_from_set(fixedDomain(region.statements[s]).release()));
    schedule = isl_union_map_union(schedule, isl_union_map_intersect_domain(order.copy(), domain));
    isl_set* context = region.context.copy();
    for (const auto& [loop, range] : bounds) {
      isl_id* id = isl_id_alloc(islContext().get(), fixedName(region, loop).c_str(), nullptr);
      isl_space* space =
          isl_space_add_param_id(isl_space_params_alloc(islContext().get(), 0), isl_id_copy(id));
      isl::pw_aff index = isl::manage(isl_pw_aff_from_aff(isl_aff_param_on_domain_space_id(space, id)));
      context = isl_set_intersect(context, index.ge_set(range.first).release());
      context = isl_set_intersect(context, index.le_set(range.second).release());
    }
    isl_ast_build* build = isl_ast_build_from_context(context);
    build = isl_ast_build_set_at_each_domain(build, noteInstance, this);
    isl_ast_node* tree = isl_ast_build_node_from_schedule_map(build, schedule);
    isl_ast_build_free(build);
    if (!tree) isl::exception::throw_last_error(islContext());
    return tree;
  }

  std::string rename(const std::string& name) {
    auto iterator = iterators.find(name);
    if (iterator != iterators.end()) return iterator->second;
    if (name.rfind("index ", 0) != 0) used.parameters.insert(name);
    return names.of(name);
  }

  std::string text(isl_ast_expr* expr) {
    std::string result = astText(expr, [this](const std::string& name) { return rename(name); });
    isl_ast_expr_free(expr);
    return result;
  }

  /// Some statement inside `node`.
  int statementIn(isl_ast_node* node) const {
    switch (isl_ast_node_get_type(node)) {
    case isl_ast_node_user: {
      isl_id* id = isl_ast_node_get_annotation(node);
      int number = std::stoi(std::string(isl_id_get_name(id)).substr(9));
      isl_id_free(id);
      return instances[static_cast<std::size_t>(number)].statement;
    }
    case isl_ast_node_for: {
      isl_ast_node* body = isl_ast_node_for_get_body(node);
      int found = statementIn(body);
      isl_ast_node_free(body);
      return found;
    }
    case isl_ast_node_if: {
      isl_ast_node* then = isl_ast_node_if_get_then(node);
      int found = statementIn(then);
      isl_ast_node_free(then);
      return found;
    }
    case isl_ast_node_block: {
      isl_ast_node_list* list = isl_ast_node_block_get_children(node);
      isl_ast_node* first = isl_ast_node_list_get_ast_node(list, 0);
      int found = statementIn(first);
      isl_ast_node_free(first);
      isl_ast_node_list_free(list);
      return found;
    }
    default:
      throw Failure(region.name(), "a syntax tree node of unknown kind");
    }
  }

  void writeNode(isl_ast_node* node, TextWriter& to) {
    switch (isl_ast_node_get_type(node)) {
    case isl_ast_node_user:
      return writeInstance(node, to);
    case isl_ast_node_block: {
      isl_ast_node_list* list = isl_ast_node_block_get_children(node);
      for (int k = 0; k < static_cast<int>(isl_ast_node_list_n_ast_node(list)); ++k) {
        isl_ast_node* child = isl_ast_node_list_get_ast_node(list, k);
        writeNode(child, to);
        isl_ast_node_free(child);
      }
      isl_ast_node_list_free(list);
      return;
    }
    case isl_ast_node_if: {
      to.open("if ({})", text(isl_ast_node_if_get_cond(node)));
      isl_ast_node* then = isl_ast_node_if_get_then(node);
      writeNode(then, to);
      isl_ast_node_free(then);
      if (isl_ast_node_if_has_else(node)) {
        to.reopen("else");
        isl_ast_node* otherwise = isl_ast_node_if_get_else(node);
        writeNode(otherwise, to);
        isl_ast_node_free(otherwise);
      }
      to.close();
      return;
    }
    case isl_ast_node_for:
      return writeFor(node, to);
    default:
      throw Failure(region.name(), "a syntax tree node of unknown kind");
    }
  }

  void writeFor(isl_ast_node* node, TextWriter& to) {
    isl_ast_expr* iterator = isl_ast_node_for_get_iterator(node);
    isl_id* id = isl_ast_expr_get_id(iterator);
    std::string name = isl_id_get_name(id);
    isl_id_free(id);
    isl_ast_expr_free(iterator);
    isl_ast_node* body = isl_ast_node_for_get_body(node);
    if (isl_ast_node_for_is_degenerate(node)) {
      iterators[name] = "(" + text(isl_ast_node_for_get_init(node)) + ")";
      writeNode(body, to);
    } else {
      // isl's c1, c3, ... are the loops at depth 0, 1, ...; a descending one counts upwards under another
      // name.
      std::size_t level = static_cast<std::size_t>(std::stoi(name.substr(1)) - 1) / 2;
      int loop = region.statements[statementIn(body)].loops[level];
      bool descending = region.loops[loop].step < 0;
      std::string given = names.of(fixedName(region, loop) + (descending ? " up" : ""));
      iterators[name] = given;
      std::string init = text(isl_ast_node_for_get_init(node));
      std::string condition = text(isl_ast_node_for_get_cond(node));
      std::string step = text(isl_ast_node_for_get_inc(node));
      to.open("for (long {0} = {1}; {2}; {3})", given, init, condition,
              step == "1" ? "++" + given : given + " += " + step);
      writeNode(body, to);
      to.close();
    }
    iterators.erase(name);
    isl_ast_node_free(body);
  }

  void writeInstance(isl_ast_node* node, TextWriter& to) {
    isl_id* id = isl_ast_node_get_annotation(node);
    int number = std::stoi(std::string(isl_id_get_name(id)).substr(9));
    isl_id_free(id);
    const Instance& instance = instances[static_cast<std::size_t>(number)];
    const Statement& statement = region.statements[instance.statement];
    std::vector<std::string> renamed;
    for (std::size_t k = 0; k < statement.loops.size(); ++k) {
      isl_ast_expr* index = isl_ast_expr_get_op_arg(instance.call, static_cast<int>(k) + 1);
      std::string value = text(index);
      std::string name = names.of(fixedName(region, statement.loops[k]));
      if (value != name && value != "(" + name + ")")
        renamed.push_back(fmt::format("const long {} = {};", name, value));
    }
    std::string guards = bodies.guards(instance.statement);
    std::string body = bodies.statement(instance.statement);
    std::string save = saveText(instance.statement);
    if (!renamed.empty()) to.open("");
    for (const std::string& line : renamed)
      to.line(line);
    if (!guards.empty()) to.open("if ({})", guards);
    to.line(body);
    if (!save.empty()) to.lines(save);
    if (!guards.empty()) to.close();
    if (!renamed.empty()) to.close();
    isl_ast_expr_free(instance.call);
    instances[static_cast<std::size_t>(number)].call = nullptr;
  }

  /// A private value that is used after the kernel leaves it from the instance that wrote it last.
  std::string saveText(int s) {
    const Statement& statement = region.statements[s];
    std::string result;
    for (std::size_t a = 0; a < statement.accesses.size(); ++a) {
      const Access& access = statement.accesses[a];
      if (!access.writes() || kernel.placement[access.array] != Placement::Private) continue;
      const Array& array = region.arrays[access.array];
      if (array.storage == Array::Storage::Predicate) continue;
      isl::set last = isl::manage(isl_set_empty(statement.domain.space().release()));
      AccessRef self{s, static_cast<int>(a)};
      if (array.liveAfter)
        for (const Instances& final : facts.dependences.final)
          if (final.access == self) last = last.unite(final.set);
      for (const Dependence& dependence : facts.dependences.all) {
        bool leaves = dependence.kind == Dependence::Kind::Flow && dependence.source == self &&
                      std::find(kernel.statements.begin(), kernel.statements.end(),
                                dependence.sink.statement) == kernel.statements.end();
        if (leaves) last = last.unite(dependence.relation.domain());
      }
      if (last.is_empty()) continue;
      if (!array.isScalar()) throw Failure(region.name(), "a private array that is needed later");
      savedArrays.insert(access.array);
      used.arrays.insert(access.array);
      // Over the names of the indices.
      isl_set* moved = last.coalesce().gist(statement.domain).release();
      for (std::size_t k = statement.loops.size(); k-- > 0;) {
        isl_id* index =
            isl_id_alloc(islContext().get(), fixedName(region, statement.loops[k]).c_str(), nullptr);
        unsigned at = static_cast<unsigned>(isl_set_dim(moved, isl_dim_param));
        moved = isl_set_move_dims(moved, isl_dim_param, at, isl_dim_set, static_cast<unsigned>(k), 1);
        moved = isl_set_set_dim_id(moved, isl_dim_param, at, index);
      }
      std::string condition = conditionText(isl::manage(isl_set_params(moved)),
                                            [this](const std::string& name) { return rename(name); });
      result +=
          fmt::format("if ({}) *{} = {};\n", condition, names.of(array.name + " out"), names.of(array.name));
    }
    return result;
  }

  void writeGridLoops(const std::vector<IndexRange>& ranges, const BlockShape& shape,
                      const std::string& inside) {
    const char* axes[] = {"x", "y", "z"};
    for (std::size_t k = 0; k < kernel.mapped.size(); ++k) {
      std::size_t axis = kernel.mapped.size() - 1 - k;
      std::string index = names.of(fixedName(region, kernel.mapped[k]));
      std::string offset = ranges[k].first == "0" ? "" : ranges[k].first + " + ";
      out.open("for (long {0} = {1}blockIdx.{2} * long({3}) + threadIdx.{2}; {0} < {4}; {0} += gridDim.{2} * "
               "long({3}))",
               index, offset, axes[axis], shape.names[axis], ranges[k].end);
    }
    for (std::size_t a = 0; a < region.arrays.size(); ++a) {
      bool isPrivate = kernel.placement[a] == Placement::Private && used.arrays.count(static_cast<int>(a));
      if (!isPrivate) continue;
      const Array& array = region.arrays[a];
      std::string extents;
      for (const auto& extent : array.extents)
        extents += "[" + valueText(*extent, [](const std::string& name) { return name; }) + "]";
      out.line("{} {}{};", scalarType(array.element), names.of(array.name), extents);
    }
    out.lines(inside);
    for (std::size_t k = 0; k < kernel.mapped.size(); ++k)
      out.close();
  }

  void writeCombination(const Reduction& reduction) {
    const Array& array = region.arrays[reduction.array];
    std::string part = names.of(array.name + " part"), functor = reductionFunctor(reduction.op);
    out.line("{0} = warploom::blockReduce({0}, {1}());", part, functor);
    std::string type = scalarType(array.element);
    bool native =
        reduction.op == "+" && (type == "float" || type == "double" || type == "int" || type == "unsigned");
    if (native)
      out.line("if (threadIdx.x == 0) atomicAdd({}, {});", names.of(array.name), part);
    else
      out.line("if (threadIdx.x == 0) warploom::atomicUpdate({}, {}, {}());", names.of(array.name), part,
               functor);
  }

  const Region& region;
  const Facts& facts;
  const KernelPlan& kernel;
  Names& names;
  TextWriter& out;
  UsedNames used;
  BodyText bodies;
  std::vector<int> fixed; ///< host loops, then mapped loops
  std::vector<std::pair<int, std::pair<isl::pw_aff, isl::pw_aff>>> bounds;
  std::vector<Instance> instances;
  std::map<std::string, std::string> iterators;
  std::set<int> savedArrays;
};

} // namespace

KernelCall writeKernel(const Region& region, const Facts& facts, const KernelPlan& kernel, Names& names,
                       TextWriter& out) {
  return KernelWriter(region, facts, kernel, names, out).write();
}

} // namespace warploom
