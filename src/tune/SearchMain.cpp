// The program that searches where a bundle lies: compiled there, with `kernels.cpp` of the bundle, by its
// script `tune`, which says all that depends on the machine. Warploom itself does not have it.
#include "tune/BundledKernels.h"
#include "tune/Machine.h"
#include "tune/ResultLines.h"

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace warploom {
namespace {

struct Options {
  CampaignOptions campaign;
  std::string here, work;
  bool isGood = true;
};

/// A number of `text`, which nothing follows; not good where it is none.
unsigned numberOf(const std::string& text, Options& options) {
  char* end = nullptr;
  const unsigned long value = std::strtoul(text.c_str(), &end, 10);
  if (text.empty() || *end || text[0] == '-') options.isGood = false;
  return static_cast<unsigned>(value);
}

Options optionsOf(int count, char** words) {
  Options options;
  options.here = words[1], options.work = words[2];
  CampaignOptions& campaign = options.campaign;
  std::string budget = bundle.budget;
  for (int k = 3; k < count && options.isGood; k += 2) {
    const std::string name = words[k], value = k + 1 < count ? words[k + 1] : "";
    if (name == "--budget")
      budget = value;
    else if (name == "--searcher")
      campaign.searcher = value;
    else if (name == "--seed")
      campaign.seed = numberOf(value, options);
    else if (name == "--jobs")
      campaign.jobs = numberOf(value, options);
    else if (name == "--limit")
      campaign.runs.seconds = numberOf(value, options);
    else if (const std::size_t slash = value.find('/'); name == "--worker" && slash != std::string::npos) {
      campaign.worker = numberOf(value.substr(0, slash), options);
      campaign.workers = numberOf(value.substr(slash + 1), options);
    } else
      options.isGood = false;
  }
  const std::optional<CampaignBudget> wanted = budgetOf(budget);
  bool known = false;
  for (const auto& [name, meaning] : searchers())
    known |= name == campaign.searcher;
  options.isGood &=
      wanted && known && campaign.jobs > 0 && campaign.runs.seconds > 0 && campaign.worker < campaign.workers;
  if (options.isGood) campaign.budget = *wanted;
  campaign.device = bundle.cuda ? gpuLimits() : cpuExecutionLimits();
  campaign.runs.arguments = bundle.arguments;
  campaign.runs.checkArguments = bundle.checkArguments;
  return options;
}

/// What the bundle's script `candidate` is told.
CandidateCommands commandsOf(const std::string& script, const std::string& form, const std::string& file) {
  return {[=](const std::vector<std::string>& flags, const std::filesystem::path& object) {
            std::vector<std::string> command = {"sh", script, form, "kernels", file, object.string()};
            command.insert(command.end(), flags.begin(), flags.end());
            return command;
          },
          [=](const std::filesystem::path& object, const std::filesystem::path& program) {
            return std::vector<std::string>{
                "sh", script, form, "link", file, object.string(), program.string()};
          }};
}

int search(const Options& options) {
  Search about;
  about.device = bundle.cuda ? gpuName() : cpuExecutionName();
  const char* compiler = std::getenv(bundle.cuda ? "NVCC" : "CXX");
  about.toolkit =
      bundle.cuda ? nvccVersion(compiler ? compiler : "nvcc") : compilerVersion(compiler ? compiler : "g++");
  about.toolkit += bundle.toolkitSuffix;
  about.sizes = bundle.sizes;
  if (about.device.empty()) {
    std::fputs("tune: there is no GPU\n", stderr);
    return 1;
  }
  const std::filesystem::path lines = std::filesystem::path(options.here) / "results.jsonl";
  ResultLines results(lines);
  const auto formsOf = [&](std::size_t file) {
    const std::string script = options.here + "/candidate", number = std::to_string(file);
    return CandidateForms{commandsOf(script, "checked", number), commandsOf(script, "timed", number),
                          !bundle.cuda || bundle.strict, bundle.cuda};
  };
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<TunedKernel> tuned =
      searchKernels(bundle.kernels, options.campaign, about, results, formsOf, options.work);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  printTable(tuned, about, lines.string(), took.count());
  return 0;
}

} // namespace
} // namespace warploom

int main(int count, char** words) {
  using namespace warploom;
  if (count < 3) return 2;
  const Options options = optionsOf(count, words);
  if (!options.isGood) {
    std::fputs("tune: the options are --budget N|TIME, --searcher NAME, --seed N, --jobs N, "
               "--limit SECONDS, --worker I/N with I from 0 to N-1, --arch ARCH\n",
               stderr);
    return 2;
  }
  try {
    return search(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tune: error: %s\n", error.what());
    return 1;
  }
}
