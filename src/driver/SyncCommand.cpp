#include "driver/SyncCommand.h"

#include "sync/command/Command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

namespace warploom {

void addSync(CLI::App& app, std::optional<ExitStatus>& status) {
  auto compiling = std::make_shared<sync::SyncOptions>();
  CLI::App* command =
      app.add_subcommand("sync", "Compile a synchronous system (AIF, Quartz or Lustre) to CUDA or C");
  command
      ->add_option("file", compiling->file, "The system: AIF as text or XML, Quartz (.qrz) or Lustre (.lus)")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--target", compiling->target, "cuda, cpu (the same text, run by the CPU execution) or c")
      ->check(CLI::IsMember({"cuda", "cpu", "c"}))
      ->type_name("TARGET");
  command->add_option("-o,--output", compiling->output, "Where to write the program")->type_name("FILE");
  command
      ->add_option("--steps", compiling->steps, "Make a program that runs so many steps; negative: for ever")
      ->type_name("N");
  command->add_option("--instances", compiling->instances, "So many copies of the system at once")
      ->check(CLI::PositiveNumber)
      ->type_name("K");
  command->add_flag("--check", compiling->check, "Compile range checks and assertions in");
  command->add_flag("--in-place", compiling->inPlace, "Delayed actions in place, cycles broken by copies");
  command->add_flag("--baseline", compiling->baseline, "Group exactly equal actions only");
  command->add_flag("--normalise", compiling->normalise,
                    "Print the normalised system and stop; with -o into a file, as XML if its name says so");
  command
      ->add_option("--dot", compiling->dot,
                   "Write the graph of the dependences, with components and groups, for graphviz and stop")
      ->type_name("FILE");
  const char* proof = "Proofs";
  CLI::Option* prove =
      command
          ->add_flag("--prove", compiling->prove,
                     "Look for runs that violate assertions, and prove by induction that there are none")
          ->group(proof);
  command->add_option("--depth", compiling->depth, "Look at so many steps")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str()
      ->type_name("N")
      ->needs(prove)
      ->group(proof);
  command->add_option("--effort", compiling->effort, "Give up a question after so many million solver steps")
      ->check(CLI::Range(1, 4000))
      ->capture_default_str()
      ->type_name("N")
      ->needs(prove)
      ->group(proof);
  command->callback(
      [compiling, &status] { status = ExitStatus(int(sync::compile(*compiling, std::cout, std::cerr))); });
}

} // namespace warploom
