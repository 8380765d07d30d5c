#include <filesystem>

#include "base/error.h"
#include "base/threads.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "pipeline/shortlist_learning.h"
#include "pipeline/training_directory.h"

namespace gloss {

int run_shortlist(std::span<const std::string> arguments) {
  std::string model_directory, output;
  ParallelFiles files;
  ShortlistLearning learning;
  int threads = available_processors();
  Options options("shortlist", "-m DIR --source FILE --target FILE --output FILE",
                  "learn which pieces translate which, for faster translation");
  Fields places{{"model", &model_directory, "model, of which the vocabularies are taken", {}, 'm'}};
  for (Field& field : fields_of(files, "", "text to learn from")) places.push_back(std::move(field));
  places.push_back({"output", &output, "file to write", {}, 'o'});
  options.add("Files", places);
  options.add("Learning", fields_of(learning));
  options.add("Speed", {{"threads", &threads, "computes on so many threads", {1, 1024}, 'j'}});
  options.epilogue(
      "'gloss translate --shortlist FILE' then gives each line no other pieces than the\n"
      "most probable translations of its pieces, and the most frequent ones. The file\n"
      "fits all models with the same vocabularies.\n");
  if (!options.parse(arguments)) return 0;
  if (model_directory.empty()) throw UsageError("which model? Give its directory with -m DIR");
  if (output.empty() || output == "-") {
    throw UsageError("where shall the shortlist go? Give a file with --output FILE");
  }
  check(files, "");
  const TextModels models = read_text_models({model_directory}, {}, Form::encoder_decoder);
  const TextModel& model = models.first();
  Terminal terminal("shortlist", options.quiet());
  const std::filesystem::path folder = std::filesystem::path(output).parent_path();
  const IndexedPairs text(files, folder.empty() ? "." : folder.string(), terminal);
  const Shortlist shortlist = learn_shortlist(text, model, learning, threads, terminal);
  shortlist.write(output, *model.source, *model.target);
  terminal.note(concat("wrote ", output));
  return 0;
}

}  // namespace gloss
