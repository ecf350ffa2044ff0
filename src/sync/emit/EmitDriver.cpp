// A plain-text driver for generated programs: numbers in, numbers out. It makes a generated file a program
// one can pipe data through, and it is what the tests run.
#include "sync/emit/CodeText.h"
#include "sync/emit/Emit.h"

namespace warploom::sync {

namespace {

class DriverText {
public:
  DriverText(const Folding& folding, bool isCuda, const EmitOptions& with)
      : code(folding, isCuda ? Language::Cuda : Language::C), cuda(isCuda), options(with) {}

  std::string write() {
    out.line();
    out.line("#include <stdio.h>");
    out.line();
    scan();
    print();
    if (cuda)
      driveCuda();
    else
      driveC();
    return out.text();
  }

private:
  std::string type(const char* name) const {
    return cuda ? fmt::format("{}::{}", code.name, name) : code.scoped(name);
  }
  std::string reference(const char* name, const char* variable) const {
    return cuda ? fmt::format("{}& {}", type(name), variable) : fmt::format("{}* {}", type(name), variable);
  }

  void scan() {
    out.comment("The input cells of one step, in order of declaration; false at the end of the text.");
    out.open("static inline bool {}_scan(FILE* file, {})", code.name, reference("Inputs", "in"));
    bool any = false;
    for (std::size_t i = 0; i < code.members.size(); ++i) {
      const Variable& variable = code.system.variables[i];
      if (!variable.isInput()) continue;
      any = true;
      const bool array = !variable.type.extents.empty();
      if (array)
        out.open("for (int i = 0; i < {}; ++i)", variable.type.cellCount());
      else
        out.open("");
      const bool real = variable.type.scalar.base == ScalarType::Base::Real;
      out.line(real ? "double value;" : "long long value;");
      out.line("if (fscanf(file, \"{}\", &value) != 1) return false;", real ? "%lf" : "%lld");
      const std::string cell = code.access(int(i), array ? "i" : "0");
      if (real)
        out.line("{} = value;", cell);
      else if (variable.type.scalar.isBool())
        out.line("{} = value != 0;", cell);
      else
        out.line("{} = ({})value;", cell, code.elementType(variable));
      out.close();
    }
    if (!any) {
      out.line("(void)file;");
      out.line("(void)in;");
    }
    out.line("return true;");
    out.close();
    out.line();
  }

  void print() {
    const std::string out_ = cuda ? "out." : "out->";
    out.comment("The output cells of one step, on a line.");
    out.open("static inline void {}_print(FILE* file, const {})", code.name, reference("Outputs", "out"));
    bool any = false;
    for (std::size_t i = 0; i < code.members.size(); ++i) {
      const Variable& variable = code.system.variables[i];
      if (!variable.isOutput()) continue;
      any = true;
      const bool array = !variable.type.extents.empty();
      const bool real = variable.type.scalar.base == ScalarType::Base::Real;
      const std::string cell = out_ + code.members[i] + (array ? "[i]" : "");
      out.line("{}fprintf(file, \"{} \", {}{});",
               array ? fmt::format("for (int i = 0; i < {}; ++i) ", variable.type.cellCount()) : "",
               real ? "%.17g" : "%lld", real ? "" : "(long long)", cell);
    }
    if (!any) out.line("(void)out;");
    out.line("fprintf(file, \"\\n\");");
    out.close();
    out.line();
  }

  void driveC() {
    out.open("static inline int {}_drive(FILE* input, FILE* output, long steps)", code.name);
    out.line("static {} x;", type("System"));
    out.line("static {} in;", type("Inputs"));
    out.line("static {} out;", type("Outputs"));
    out.line("{}_reset(&x);", code.name);
    out.open("for (long k = 0; k != steps && {}_scan(input, &in); ++k)", code.name);
    out.line("const int violated = {}_step(&x, &in, &out);", code.name);
    out.open("if (violated != 0)");
    if (code.hasReports)
      out.line("fprintf(output, \"violated %s %ld\\n\", {}[violated - 1], k + 1);",
               code.scoped("assertions"));
    out.line("return 1;");
    out.close();
    out.line("{}_print(output, &out);", code.name);
    out.close();
    out.line("return 0;");
    out.close();
  }

  void driveCuda() {
    out.open("static inline int {}_drive(FILE* input, FILE* output, int mode, long steps, long instances)",
             code.name);
    out.line("using namespace {};", code.name);
    out.line("Result result{0, nullptr};");
    out.line("std::vector<Inputs> in;");
    out.line("std::vector<Outputs> out;");
    out.open("if (mode == 0)");
    out.line("Machine machine;");
    out.line("result = runSteps(");
    out.line("    machine, steps, [&](Inputs& given) {{ return {}_scan(input, given); }},", code.name);
    out.line("    [&](const Outputs& taken) {{ {}_print(output, taken); }});", code.name);
    out.close();
    out.open("else");
    out.line("Inputs given;");
    out.line("std::memset(static_cast<void*>(&given), 0, sizeof given);");
    out.line("const long wanted = mode == 2 ? steps * instances : steps;");
    out.line("for (long k = 0; k != wanted && {}_scan(input, given); ++k) in.push_back(given);", code.name);
    out.open("if (mode == 1)");
    out.line("Machine machine;");
    out.line("result = runBatch(machine, in, out);");
    out.close();
    if (options.instances) {
      out.open("else");
      out.line("Instances many(instances);");
      out.line("result = runInstances(many, in, out);");
      out.close();
    }
    out.line("const long perStep = mode == 2 ? instances : 1;");
    out.open("for (std::size_t k = 0; k < out.size(); ++k)");
    out.line("if (result.violated != nullptr && static_cast<long>(k) / perStep + 1 >= result.steps) break;");
    out.line("{}_print(output, out[k]);", code.name);
    out.close();
    out.close();
    out.line("if (result.violated == nullptr) return 0;");
    out.line("fprintf(output, \"violated %s %ld\\n\", result.violated, result.steps);");
    out.line("return 1;");
    out.close();
  }

  const CodeText code;
  const bool cuda;
  const EmitOptions& options;
  TextWriter out;
};

} // namespace

std::string emitDriver(const Folding& folding, bool cuda, const EmitOptions& options) {
  return DriverText(folding, cuda, options).write();
}

std::string emitMain(const Folding& folding, bool cuda, long steps, long instances) {
  const std::string name = CodeText(folding, cuda ? Language::Cuda : Language::C).name;
  TextWriter out;
  out.line();
  out.open("int main(void)");
  if (!cuda)
    out.line("return {}_drive(stdin, stdout, {});", name, steps);
  else
    out.line("return {}_drive(stdin, stdout, {}, {}, {});", name, instances > 1 ? 2 : 0, steps, instances);
  out.close();
  return out.text();
}

} // namespace warploom::sync
