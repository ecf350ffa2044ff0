#include "emit/ExprText.h"

#include "emit/Names.h"
#include "model/CharacterFunctions.h"
#include "model/MathFunctions.h"
#include "support/Failure.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace warploom {

namespace {

/// `text` as a value of `type`, without the narrowing that braces forbid.
std::string converted(const std::string& text, const Type& type) {
  std::string name = scalarType(type);
  return name.empty() ? text : fmt::format("static_cast<{}>({})", name, text);
}

/// The parts of `node` for a field of `type[extents...]`, of which `rank` are already chosen.
std::string partsText(const Expr& node, const Type& type, const std::vector<long>& extents, std::size_t rank,
                      const LeafText& leaf);

/// `source::point{1, 2}`
std::string structText(const Expr& node, const LeafText& leaf) {
  if (!node.type.record) throw Failure("emit", "a struct without a layout: " + node.type.spelling);
  std::string text;
  for (std::size_t k = 0; k < node.operands.size(); ++k) {
    const Field& field = node.type.record->fields.at(k);
    text += (k ? ", " : "") + partsText(*node.operands[k], field.type, field.extents, 0, leaf);
  }
  return typeName(node.type) + "{" + text + "}";
}

std::string partsText(const Expr& node, const Type& type, const std::vector<long>& extents, std::size_t rank,
                      const LeafText& leaf) {
  if (rank == extents.size())
    return node.kind == Expr::Kind::Aggregate ? structText(node, leaf)
                                              : converted(cudaText(node, leaf).text, type);
  std::string text;
  for (std::size_t k = 0; k < node.operands.size(); ++k)
    text += (k ? ", " : "") + partsText(*node.operands[k], type, extents, rank + 1, leaf);
  return "{" + text + "}";
}

/// True when C brings operand `k` of `node` and another one to a common type.
bool isConverted(const Expr& node, std::size_t k) {
  if (node.kind == Expr::Kind::Binary) return !isLogical(node.text);
  if (node.kind == Expr::Kind::Conditional) return k > 0;
  return node.kind == Expr::Kind::Assign && k == 1 && node.text != "=";
}

/// True when the value of `expr` is computed from an index, other than by way of memory.
bool usesIndex(const Expr& expr) {
  switch (expr.kind) {
  case Expr::Kind::Index:
  case Expr::Kind::Affine:
  case Expr::Kind::Local:
    return true;
  case Expr::Kind::Access:
  case Expr::Kind::Call:
  case Expr::Kind::Cast:
    return false;
  default:
    return std::any_of(expr.operands.begin(), expr.operands.end(),
                       [](const ExprPtr& operand) { return usesIndex(*operand); });
  }
}

std::string callText(const Expr& node, const LeafText& leaf) {
  for (const auto& [known, name] :
       {std::pair{bitsOf, "bitsOf"}, {signedBitsOf, "signedBitsOf"}, {withBits, "withBits"}})
    if (node.text == known) {
      std::string text = fmt::format("warploom::{}", name);
      if (known != withBits) text += "<" + scalarType(node.type) + ">";
      for (std::size_t k = 0; k < node.operands.size(); ++k)
        text += (k == 0 ? "(" : ", ") + cudaText(*node.operands[k], leaf).text;
      return text + ")";
    }
  if (node.text == copiesBits)
    return fmt::format("warploom::sameBits<{}, {}>({})", scalarType(node.type),
                       scalarType(node.operands[0]->type), cudaText(*node.operands[0], leaf).text);
  std::string text = node.text;
  const std::string builtin = "__builtin_";
  const std::string_view ofComplex = node.function ? std::string_view() : complexFunction(node.text);
  if (!ofComplex.empty())
    text = ofComplex; // found by the type of its argument
  else if (node.text == makesComplex)
    text = scalarType(node.type);
  else if (node.function)
    text = functionName(*node.function);
  else if (const std::string_view known = characterFunction(node.text); !known.empty())
    text = fmt::format("warploom::{}", known);
  else if (text.rfind(builtin, 0) == 0)
    text = text == "__builtin_isinf_sign" ? "warploom::isinf_sign" : text.substr(builtin.size());
  text += "(";
  static const std::set<std::string> ofIntegers = {"abs", "labs", "llabs"};
  for (std::size_t k = 0; k < node.operands.size(); ++k) {
    const Type& type = node.operands[k]->type;
    std::string argument = cudaText(*node.operands[k], leaf).text;
    // C converts an argument to the parameter's type; C++ would choose another function.
    const bool takesInteger = text.rfind("ldexp", 0) == 0 || text.rfind("scalb", 0) == 0;
    const bool converts = node.type.isFloating() && !(takesInteger && k == 1) &&
                          (type.isInteger() || (type.isFloating() && type.bits != node.type.bits));
    if (!ofComplex.empty() && type.kind != Type::Kind::Complex)
      argument =
          fmt::format("warploom::Complex<{}>({})", node.text.back() == 'f' ? "float" : "double", argument);
    bool isOther = type.kind != node.type.kind || type.bits != node.type.bits;
    if (ofIntegers.count(node.text) && isOther && !node.function)
      argument = converted(argument, node.type);
    else if (converts && !node.function)
      argument = scalarType(node.type) + "(" + argument + ")";
    text += (k ? ", " : "") + argument;
  }
  return text + ")";
}

} // namespace

std::string subscriptsText(const Expr& node, std::size_t first, const LeafText& leaf) {
  std::string text;
  for (std::size_t k = first; k < node.operands.size(); ++k)
    text += "[" + cudaText(*node.operands[k], leaf).text + "]";
  return text;
}

ExprText cudaText(const Expr& node, const LeafText& leaf) {
  auto operand = [&](std::size_t k) {
    ExprText text = cudaText(*node.operands[k], leaf);
    // An index may have 64 bits, where C converts an int to the unsigned type of the other operand.
    const Expr& one = *node.operands[k];
    bool isWider = isConverted(node, k) && one.type.kind == Type::Kind::SignedInt && usesIndex(one) &&
                   std::any_of(node.operands.begin(), node.operands.end(), [](const ExprPtr& other) {
                     return other->type.kind == Type::Kind::UnsignedInt && other->type.bits == 32;
                   });
    return isWider && one.type.bits <= 32 ? ExprText{converted(text.text, one.type)} : text;
  };
  switch (node.kind) {
  case Expr::Kind::Literal:
    return {node.text, node.text[0] == '-' ? ExprText::unary : ExprText::primary};
  case Expr::Kind::Index:
  case Expr::Kind::Affine:
  case Expr::Kind::Access:
  case Expr::Kind::Local:
    return leaf(node);
  case Expr::Kind::Unary:
    return {node.text + operand(0).atLeast(ExprText::primary), ExprText::unary};
  case Expr::Kind::Binary: {
    int strength = bindingStrength(node.text);
    return {operand(0).atLeast(strength) + " " + node.text + " " + operand(1).atLeast(strength + 1),
            strength};
  }
  case Expr::Kind::Conditional:
    return {operand(0).atLeast(ExprText::choice + 1) + " ? " + operand(1).text + " : " +
                operand(2).atLeast(ExprText::choice),
            ExprText::choice};
  case Expr::Kind::Cast:
    return {"(" + scalarType(node.type) + ")" + operand(0).atLeast(ExprText::unary), ExprText::unary};
  case Expr::Kind::Call:
    return {callText(node, leaf), ExprText::primary};
  case Expr::Kind::Member:
    return {operand(0).atLeast(ExprText::primary) + "." + plainName(node.text) +
                subscriptsText(node, 1, leaf),
            ExprText::primary};
  case Expr::Kind::Aggregate:
    return {structText(node, leaf), ExprText::primary};
  case Expr::Kind::Assign:
    return {operand(0).text + " " + node.text + " " + operand(1).text, ExprText::lowest};
  case Expr::Kind::Opaque:
    break;
  }
  throw Failure("emit", "an expression that should have been refused: " + node.text);
}

namespace {

/// `i += 1` as one writes it.
std::string stepText(const Expr& step, const LeafText& leaf) {
  const Expr& by = *step.operands[1];
  bool byOne = by.kind == Expr::Kind::Literal && by.text == "1" && (step.text == "+=" || step.text == "-=");
  // C++ has no ++ of a bool.
  if (!byOne || step.operands[0]->type.kind == Type::Kind::Bool) return cudaText(step, leaf).text;
  return (step.text == "+=" ? "++" : "--") + cudaText(*step.operands[0], leaf).atLeast(ExprText::primary);
}

} // namespace

void writeCode(const Code& code, const LeafText& leaf,
               const std::function<std::string(const std::string&)>& nameOf, TextWriter& to) {
  auto write = [&](const Code& part) { writeCode(part, leaf, nameOf, to); };
  // What stands in the braces of an `if` or a loop needs none of its own.
  auto inside = [&](const Code& part) {
    if (part.kind != Code::Kind::Block) return write(part);
    for (const CodePtr& child : part.children)
      write(*child);
  };
  auto value = [&] { return cudaText(*code.value, leaf).text; };
  auto declaration = [&](const Code& of) {
    std::string text = typeName(of.type) + " " + nameOf(of.name);
    for (long extent : of.extents)
      text += fmt::format("[{}]", extent);
    if (!of.value) return text + ";";
    return text + " = " +
           (of.extents.empty() ? cudaText(*of.value, leaf).text
                               : partsText(*of.value, of.type, of.extents, 0, leaf)) +
           ";";
  };
  auto loop = [&](const Code& of, const std::string& first) {
    std::string steps, condition = of.value ? cudaText(*of.value, leaf).text : "";
    for (const ExprPtr& step : of.steps)
      steps += (steps.empty() ? "" : ", ") + stepText(*step, leaf);
    if (of.testsLast)
      to.open("do");
    else if (steps.empty() && of.value && first == ";")
      to.open("while ({})", condition);
    else
      to.open("for ({}{};{})", first, condition.empty() ? "" : " " + condition,
              steps.empty() ? "" : " " + steps);
    inside(*of.children[0]);
    to.close(of.testsLast ? fmt::format(" while ({});", condition) : "");
  };
  switch (code.kind) {
  case Code::Kind::Block: {
    // `for (int i = 0; ...)`
    const auto& parts = code.children;
    bool isFor = parts.size() == 2 && parts[0]->kind == Code::Kind::Declare && parts[0]->value &&
                 parts[1]->kind == Code::Kind::Loop && !parts[1]->testsLast;
    if (isFor) return loop(*parts[1], declaration(*parts[0]));
    to.open("");
    inside(code);
    to.close();
    return;
  }
  case Code::Kind::Declare:
    to.line(declaration(code));
    return;
  case Code::Kind::Evaluate:
    to.line(stepText(*code.value, leaf) + ";");
    return;
  case Code::Kind::If:
    to.open("if ({})", value());
    inside(*code.children[0]);
    if (code.children.size() > 1) {
      to.reopen("else");
      inside(*code.children[1]);
    }
    to.close();
    return;
  case Code::Kind::Loop:
    return loop(code, ";");
  case Code::Kind::Break:
    to.line("break;");
    return;
  case Code::Kind::Continue:
    to.line("continue;");
    return;
  case Code::Kind::Return:
    to.line(code.value ? "return " + value() + ";" : "return;");
    return;
  }
}

} // namespace warploom
