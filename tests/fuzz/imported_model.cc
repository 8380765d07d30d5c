// SPDX-License-Identifier: Apache-2.0
// Whole models of other programs, as files that a mutation keeps readable. A model that is imported must be
// read again and used.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>

#include "pipeline/foreign/import_model.h"
#include "pipeline/tasks/classifier.h"
#include "pipeline/tasks/embedder.h"
#include "pipeline/tasks/filler.h"
#include "pipeline/tasks/generator.h"
#include "pipeline/tasks/scorer.h"
#include "pipeline/translation/length_limits.h"
#include "pipeline/translation/translator.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/json_mutation.h"
#include "tests/fuzz/model_files.h"
#include "tests/fuzz/model_mutation.h"

namespace gloss {
namespace {

const std::vector<std::string> kLines{"the cat sat on the mat", "a", "",
                                      "cab >>deu<< <mask> [MASK] </s> zz\u00fc"};
constexpr std::int64_t kMostWeights = 1 << 18;

/// Inputs that were imported, from which most mutations start: most inputs that reach something new are
/// models with one more mistake, and a second mistake behind it reaches nothing.
class KnownModels {
 public:
  void add(ModelFiles files) {
    ++count_;
    if (models_.size() < kMost) return models_.push_back(std::move(files));
    // The first ones are the seeds.
    models_[kFirst + static_cast<std::size_t>(count_) % (kMost - kFirst)] = std::move(files);
  }
  const std::vector<ModelFiles>& models() const { return models_; }
  std::int64_t count() const { return count_; }

 private:
  static constexpr std::size_t kMost = 512, kFirst = 64;
  std::vector<ModelFiles> models_;
  std::int64_t count_ = 0;
};
KnownModels& known_models() {
  static KnownModels known;
  return known;
}

/// A directory in memory for the files of a model and for what they become.
class Workplace {
 public:
  Workplace() : folder_(in_memory()) { known_models(); }  // destroyed after this
  ~Workplace() { std::cerr << "stat::imported_and_used: " << known_models().count() << "\n"; }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  std::string foreign() const { return *folder_ / "foreign"; }
  std::string own() const {
    std::filesystem::remove_all(*folder_ / "own");
    std::filesystem::create_directories(*folder_ / "own");
    return *folder_ / "own";
  }

 private:
  static std::unique_ptr<TemporaryDirectory> in_memory() {
    ::setenv("TMPDIR", "/dev/shm", 1);
    return std::make_unique<TemporaryDirectory>();
  }
  std::unique_ptr<TemporaryDirectory> folder_;
};

void translate(const TextModels& models) {
  const TextModel& model = models.first();
  TranslationSettings settings;
  take_model_defaults(
      models, [](const void*) { return false; }, settings.search);
  settings.search.beam_size = std::min(settings.search.beam_size, 3);
  limit_lengths(models, settings);
  settings.search.max_length = std::min(settings.search.max_length, 6);
  settings.search.min_length = std::min(settings.search.min_length, settings.search.max_length);
  const Translator translator(models.decoder(), *model.source, *model.target, model.format.normalization,
                              settings, 1, model.frame);
  static_cast<void>(translator.translate(kLines));
}

void score(const TextModels& models, bool plain) {
  TranslationSettings settings;
  limit_lengths(models, settings);
  const std::vector<SentencePair> pairs{{plain ? "" : "the cat", "the mat sat"}, {"", ""}};
  static_cast<void>(Scorer(models, settings, 1).score(pairs));
}

/// Answers a few lines with a model.
void use(const std::string& directory) {
  TextModels models;
  models.weights = {1};
  models.members.push_back(read_text_model(directory, Weights::in_place));
  TextModel& model = models.members.front();
  if (model.model.parameters->count() > kMostWeights) return;
  Listener silent;
  pack(model, Precision::f32, 1, silent);
  const Form form = form_of(model.model.settings);
  if (form == Form::encoder_decoder) {
    const auto& languages = model.format.languages;
    const auto code = [&](const std::string& usual) {
      return usual.empty() && !languages.ids.empty() ? languages.ids.begin()->first : usual;
    };
    const bool of_target_only = languages.target_place == LanguageTokens::TargetPlace::source;
    choose_languages(models, {of_target_only ? "" : code(languages.source), code(languages.target)});
    translate(models);
    score(models, false);
  }
  if (form == Form::decoder) {
    GenerationSettings settings;
    settings.max_tokens = 3;
    static_cast<void>(Generator(models, settings, 1).continue_lines(kLines));
    score(models, true);
  }
  if (form == Form::classifier) static_cast<void>(Classifier(model, {}, 1).classify(kLines));
  if (form == Form::encoder) {
    static_cast<void>(Filler(model, {}, 1).fill(kLines));
    static_cast<void>(Embedder(model, {}, 1).embed(kLines));
  }
}

/// Numbers that overflow are the fault of the weights.
bool is_overflow(const std::string& message) { return message.find("finite") != std::string::npos; }

}  // namespace
}  // namespace gloss

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  using namespace gloss;
  std::minstd_rand random(seed);
  const std::vector<ModelFiles>& known = known_models().models();
  const bool again = !known.empty() && below(random, 4) != 0;
  ModelFiles files = again ? one_of(random, known) : unpacked(as_text(data, size));
  mutate(files, random, [](std::string& bytes) {
    const std::size_t before = bytes.size();
    bytes.resize(before + 64);
    bytes.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), before, bytes.size()));
  });
  const std::string changed = packed(files);
  if (changed.size() > most) return size;
  std::ranges::copy(changed, data);
  return changed.size();
}

/// Files of either input.
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size,
                                                 const std::uint8_t* other, std::size_t other_size,
                                                 std::uint8_t* out, std::size_t most, unsigned seed) {
  using namespace gloss;
  std::minstd_rand random(seed);
  ModelFiles files = unpacked(as_text(one, one_size));
  for (const InputModelFile& file : unpacked(as_text(other, other_size))) {
    const auto found = std::ranges::find(files, file.name, &InputModelFile::name);
    if (below(random, 3) != 0) continue;
    if (found == files.end()) {
      files.push_back(file);
    } else {
      *found = file;
    }
  }
  const std::string mixed = packed(files);
  if (mixed.size() > most) return 0;
  std::ranges::copy(mixed, out);
  return mixed.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gloss;
  static const Workplace place;
  ModelFiles files = unpacked(as_text(data, size));
  write_files(files, place.foreign());
  const std::string own = place.own();
  bool imported = false;
  read_untrusted([&] {
    Listener silent;
    write_foreign_model(read_foreign_model(place.foreign()), own, silent);
    imported = true;
  });
  if (!imported) return 0;
  try {
    use(own);
  } catch (const Error& error) {
    if (is_overflow(error.what())) return 0;
    std::cerr << "an imported model cannot be used: " << error.what() << "\n";
    std::abort();
  }
  known_models().add(std::move(files));
  return 0;
}
