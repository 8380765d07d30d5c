#include "pipeline/training_vocabulary.h"

#include <filesystem>

#include "base/error.h"

namespace gloss {
namespace {

std::shared_ptr<const Subwords> load(const std::string& path) {
  auto subwords = std::make_shared<const Subwords>(Subwords::load(path));
  if (subwords->begin_id() < 0 || subwords->end_id() < 0) {
    throw InputError(
        concat(path,
               " has no begin or no end token (<s>, </s>), which translation needs; 'gloss vocab' "
               "makes models that have them"));
  }
  return subwords;
}

}  // namespace

Fields fields_of(TokenizerSettings& settings) {
  return {
      {"tokenizer", &settings.tokenizer, "subword model for both sides, as 'gloss vocab' makes it", {}, 't'},
      {"source_tokenizer", &settings.source_tokenizer, "instead: subword model of the source"},
      {"target_tokenizer", &settings.target_tokenizer, "and of the target"},
      {"vocab_size",
       &settings.vocab_size,
       "without any: pieces of a model for both sides learned from the training text",
       {4, 1'000'000}},
      {"normalization", choice(settings.normalization, {"none", "nfc", "nfkc"}),
       "Unicode normalisation of all text, in training as later in translation"}};
}

void check(const TokenizerSettings& settings) {
  const bool source = !settings.source_tokenizer.empty(), target = !settings.target_tokenizer.empty();
  if (!settings.tokenizer.empty() && (source || target)) {
    throw UsageError("--tokenizer is for both sides: found also --source-tokenizer or --target-tokenizer");
  }
  if (source != target) {
    throw UsageError(concat("expected --source-tokenizer and --target-tokenizer together, found only --",
                            source ? "source" : "target", "-tokenizer; --tokenizer is for both sides"));
  }
}

Tokenizers load_tokenizers(const TokenizerSettings& settings) {
  if (settings.source_tokenizer.empty()) {
    const auto both = load(settings.tokenizer);
    return {both, both};
  }
  const auto source = load(settings.source_tokenizer), target = load(settings.target_tokenizer);
  return {source, source->bytes() == target->bytes() ? source : target};
}

Tokenizers learn_tokenizers(const TokenizerSettings& settings, const ParallelFiles& files, std::int64_t seed,
                            Listener& listener) {
  PairReader reader(files);
  SentencePair pair;
  bool target_waits = false;
  const auto next_line = [&](std::string& line) {
    target_waits = !target_waits;
    if (target_waits && !reader.next(pair)) return false;
    line = clean_text(target_waits ? pair.source : pair.target, settings.normalization).text;
    return true;
  };
  SubwordSettings subword_settings;
  subword_settings.size = settings.vocab_size;
  subword_settings.seed = seed;
  listener.note(concat("learning a vocabulary of ", settings.vocab_size, " pieces from ", files.text()));
  const auto both =
      std::make_shared<const Subwords>(learn_subwords(next_line, subword_settings, 1, listener));
  return {both, both};
}

Tokenizers stored_tokenizers(const std::string& model_directory) {
  TokenizerSettings files;
  files.tokenizer = model_directory + "/tokenizer.model";
  if (!std::filesystem::exists(files.tokenizer)) {
    files.tokenizer.clear();
    files.source_tokenizer = model_directory + "/source.model";
    files.target_tokenizer = model_directory + "/target.model";
  }
  return load_tokenizers(files);
}

LineEncoder line_encoder(const Subwords& subwords, Normalization normalization) {
  return [&subwords, normalization](std::string_view line) {
    const CleanText clean = clean_text(line, normalization);
    EncodedLine encoded{subwords.encode(clean.text), clean.replaced};
    if (is_blank(clean.text)) encoded.tokens.clear();
    encoded.tokens.push_back(subwords.end_id());
    return encoded;
  };
}

}  // namespace gloss
