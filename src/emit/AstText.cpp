#include "emit/AstText.h"

#include "support/Failure.h"
#include "support/IslC.h"
#include "support/Piecewise.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/local_space.h>
#include <isl/set.h>
#include <isl/val.h>
#include <optional>
#include <vector>

namespace warploom {

namespace {

// Binding strengths as in C; larger binds tighter.
constexpr int choice = 1, either = 2, both = 3, equality = 4, order = 5, sum = 6, product = 7, unary = 8,
              primary = 9;

struct Text {
  std::string text;
  int strength;
};

std::string atLeast(const Text& part, int strength) {
  return part.strength < strength ? "(" + part.text + ")" : part.text;
}

Text textOf(isl_ast_expr* expr, const Rename& rename);

std::vector<Text> arguments(isl_ast_expr* expr, const Rename& rename) {
  std::vector<Text> result;
  for (int k = 0; k < static_cast<int>(isl_ast_expr_get_op_n_arg(expr)); ++k) {
    isl_ast_expr* argument = isl_ast_expr_get_op_arg(expr, k);
    result.push_back(textOf(argument, rename));
    isl_ast_expr_free(argument);
  }
  return result;
}

Text binary(const std::vector<Text>& parts, const std::string& symbol, int strength) {
  return {atLeast(parts[0], strength) + " " + symbol + " " + atLeast(parts[1], strength + 1), strength};
}

Text call(const std::string& function, const std::vector<Text>& parts) {
  // Two at a time: the functions take two arguments.
  std::string text = parts[0].text;
  for (std::size_t k = 1; k < parts.size(); ++k)
    text = fmt::format("{}({}, {})", function, text, parts[k].text);
  return {text, primary};
}

/// `larger >= smaller + 1`, as isl likes to write it, in the way people do: `smaller < larger`. Nothing when
/// `smaller` is no such sum.
std::optional<Text> strictly(const Text& smaller, const Text& larger) {
  const std::string one = " + 1";
  bool isNext = smaller.strength == sum && smaller.text.size() > one.size() &&
                smaller.text.compare(smaller.text.size() - one.size(), one.size(), one) == 0;
  if (!isNext) return std::nullopt;
  std::string before = smaller.text.substr(0, smaller.text.size() - one.size());
  return Text{before + " < " + atLeast(larger, order + 1), order};
}

bool isNumber(const std::string& text) {
  return std::isdigit(static_cast<unsigned char>(text[0])) != 0;
}

Text textOf(isl_ast_expr* expr, const Rename& rename) {
  switch (isl_ast_expr_get_type(expr)) {
  case isl_ast_expr_id: {
    isl_id* id = isl_ast_expr_get_id(expr);
    std::string name = rename(isl_id_get_name(id));
    isl_id_free(id);
    return {name, primary};
  }
  case isl_ast_expr_int: {
    isl_val* value = isl_ast_expr_get_val(expr);
    std::string text = printed(own(value));
    return {text, text[0] == '-' ? unary : primary};
  }
  case isl_ast_expr_op:
    break;
  default:
    throw Failure("emission", "an expression of unknown kind");
  }
  std::vector<Text> parts = arguments(expr, rename);
  switch (isl_ast_expr_get_op_type(expr)) {
  case isl_ast_op_and:
  case isl_ast_op_and_then:
    return binary(parts, "&&", both);
  case isl_ast_op_or:
  case isl_ast_op_or_else:
    return binary(parts, "||", either);
  case isl_ast_op_max:
    return call("warploom::larger", parts);
  case isl_ast_op_min:
    return call("warploom::smaller", parts);
  case isl_ast_op_minus:
    return {"-" + atLeast(parts[0], primary), unary};
  case isl_ast_op_add:
    // Not `-a + b`.
    if (parts[0].strength == unary && parts[0].text[0] == '-' && parts[1].text[0] != '-')
      return binary({parts[1], {parts[0].text.substr(1), primary}}, "-", sum);
    return binary(parts, "+", sum);
  case isl_ast_op_sub:
    return binary(parts, "-", sum);
  case isl_ast_op_mul:
    return binary(parts, "*", product);
  case isl_ast_op_div: // exact
  case isl_ast_op_pdiv_q:
    return binary(parts, "/", product); // of a value that is not negative
  case isl_ast_op_pdiv_r:               // of a value that is not negative
  case isl_ast_op_zdiv_r:               // compared with zero only
    return binary(parts, "%", product);
  case isl_ast_op_fdiv_q:
    return call("warploom::floorDivide", parts);
  case isl_ast_op_cond:
  case isl_ast_op_select:
    return {atLeast(parts[0], either) + " ? " + atLeast(parts[1], choice) + " : " + atLeast(parts[2], choice),
            choice};
  case isl_ast_op_eq:
    return binary(parts, "==", equality);
  case isl_ast_op_le:
    if (auto strict = strictly(parts[0], parts[1])) return *strict;
    return binary(parts, "<=", order);
  case isl_ast_op_lt:
    return binary(parts, "<", order);
  case isl_ast_op_ge:
    if (auto strict = strictly(parts[1], parts[0])) return *strict;
    // What is compared first, with what it is compared to.
    if (parts[1].strength == primary && parts[0].strength < primary && !isNumber(parts[1].text))
      return binary({parts[1], parts[0]}, "<=", order);
    return binary(parts, ">=", order);
  case isl_ast_op_gt:
    return binary(parts, ">", order);
  default:
    throw Failure("emission", "an operation of unknown kind");
  }
}

isl::aff zeroBeside(const isl::aff& value) {
  return own(isl_aff_zero_on_domain(isl_local_space_from_space(isl_aff_get_domain_space(value.get()))));
}

/// The whole numbers nearest to the factors of `value`, which has no quotients in it.
isl::aff wholeFactors(const isl::aff& value) {
  isl_aff* result = zeroBeside(value).release();
  for (isl_dim_type type : {isl_dim_param, isl_dim_in})
    for (int k = 0; k < isl_aff_dim(value.get(), type); ++k) {
      isl_val* half = isl_val_div_ui(isl_val_one(islContext().get()), 2);
      isl_val* factor = isl_aff_get_coefficient_val(value.get(), type, k);
      result = isl_aff_set_coefficient_val(result, type, k, isl_val_floor(isl_val_add(factor, half)));
    }
  return own(isl_aff_set_constant_val(result, isl_val_floor(isl_aff_get_constant_val(value.get()))));
}

/// `value` with factors near zero in its quotients by large numbers. isl writes floor((t - u) / 9) as
/// floor((t + 8u) / 9) - u, and with a large number for 9 no integer may hold the product.
isl::aff withSmallFactors(const isl::aff& value) {
  constexpr long large = 1 << 16;
  isl::aff result = zeroBeside(value);
  for (isl_dim_type type : {isl_dim_param, isl_dim_in})
    for (int k = 0; k < isl_aff_dim(value.get(), type); ++k)
      result = own(isl_aff_set_coefficient_val(result.release(), type, k,
                                               isl_aff_get_coefficient_val(value.get(), type, k)));
  result = own(isl_aff_set_constant_val(result.release(), isl_aff_get_constant_val(value.get())));
  for (int k = 0; k < isl_aff_dim(value.get(), isl_dim_div); ++k) {
    isl_val* times = isl_aff_get_coefficient_val(value.get(), isl_dim_div, k);
    if (isl_val_is_zero(times)) {
      isl_val_free(times);
      continue;
    }
    const isl::aff inside = own(isl_aff_get_div(value.get(), k));
    isl_val* by = isl_aff_get_denominator_val(inside.get());
    const bool isLarge = isl_val_cmp_si(by, large) > 0;
    isl_val_free(by);
    const isl::aff divided = withSmallFactors(inside);
    isl::aff quotient = isLarge ? wholeFactors(divided) : zeroBeside(value);
    quotient = quotient.add(divided.sub(quotient).floor());
    result = result.add(own(isl_aff_scale_val(quotient.release(), times)));
  }
  return result;
}

isl::pw_aff withSmallFactors(const isl::pw_aff& value) {
  using Pieces = std::vector<std::pair<isl::set, isl::aff>>;
  Pieces pieces;
  auto note = [](isl_set* where, isl_aff* what, void* all) {
    static_cast<Pieces*>(all)->emplace_back(isl::manage(where), isl::manage(what));
    return isl_stat_ok;
  };
  if (isl_pw_aff_foreach_piece(value.get(), note, &pieces) != isl_stat_ok) throwIslError();
  isl::pw_aff result = own(isl_pw_aff_empty(isl_pw_aff_get_space(value.get())));
  for (const auto& [where, what] : pieces) {
    isl_pw_aff* piece = isl_pw_aff_alloc(where.copy(), withSmallFactors(what).release());
    result = own(isl_pw_aff_union_add(result.release(), piece));
  }
  return result;
}

} // namespace

std::string astText(isl_ast_expr* expr, const Rename& rename) {
  return textOf(expr, rename).text;
}

std::string valueText(const isl::pw_aff& value, const Rename& rename) {
  if (isl_pw_aff_n_piece(value.get()) == 0) return "0";
  if (std::optional<Extreme> extreme = extremeOf(value))
    return fmt::format("warploom::{}({}, {})", extreme->isLeast ? "smaller" : "larger",
                       valueText(extreme->pieces[0], rename), valueText(extreme->pieces[1], rename));
  isl_ast_build* build = isl_ast_build_alloc(islContext().get());
  isl_ast_expr* expr = isl_ast_build_expr_from_pw_aff(build, withSmallFactors(value).release());
  isl_ast_build_free(build);
  if (!expr) throwIslError();
  Text text = textOf(expr, rename);
  isl_ast_expr_free(expr);
  // A choice must hold together wherever the value is put.
  return atLeast(text, sum);
}

bool isPlain(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return std::isalnum(c) || c == '_'; });
}

std::string asFactor(const std::string& text) {
  return isPlain(text) ? text : "(" + text + ")";
}

std::string conditionText(const isl::set& set, const Rename& rename) {
  isl_ast_build* build = isl_ast_build_alloc(islContext().get());
  isl_ast_expr* expr = isl_ast_build_expr_from_set(build, set.params().release());
  isl_ast_build_free(build);
  if (!expr) throwIslError();
  std::string text = astText(expr, rename);
  isl_ast_expr_free(expr);
  return text;
}

} // namespace warploom
