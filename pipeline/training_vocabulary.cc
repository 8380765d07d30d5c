#include "pipeline/training_vocabulary.h"

#include <filesystem>
#include <optional>
#include <set>
#include <vector>

#include "base/error.h"
#include "tokenizer/extend_vocabulary.h"

namespace gloss {
namespace {

/// Lines that a vocabulary is learned from: learning from them takes well below 2 GiB.
constexpr std::int64_t kVocabularyLines = 2'000'000;

/// The lines of all texts, each source line followed by its translation if there is one.
class LineByLine {
 public:
  explicit LineByLine(std::span<const WeightedText> texts) : texts_(texts) {}

  std::optional<std::string_view> next() {
    while (text_ == of_pair_.size()) {
      if (!next_pair()) return std::nullopt;
    }
    return of_pair_[text_++];
  }

 private:
  bool next_pair() {
    while (pair_ == block_.pairs.size()) {
      if (texts_.empty()) return false;
      if (number_ == texts_.front().pairs->blocks()) {
        texts_ = texts_.subspan(1);
        number_ = 0;
        continue;
      }
      block_ = texts_.front().pairs->read(number_++);
      pair_ = 0;
    }
    of_pair_ = texts_.front().pairs->texts_of(block_.pairs[pair_++]);
    text_ = 0;
    return true;
  }

  std::span<const WeightedText> texts_;
  std::int64_t number_ = 0;  // of the next block
  PairBlock block_;
  std::size_t pair_ = 0;  // the next one
  std::vector<std::string_view> of_pair_;
  std::size_t text_ = 0;  // of these, the next one
};

/// How the vocabulary is learned, but for the seed.
SubwordSettings learned_settings(const TokenizerSettings& settings) {
  SubwordSettings learned;
  learned.type = settings.vocab_type;
  learned.size = settings.vocab_size;
  learned.sample_lines = kVocabularyLines;
  return learned;
}

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
      {"vocab_type", vocabulary_type_choice(settings.vocab_type),
       "without any: what the pieces of a model learned from the training text are, as --type of 'gloss "
       "vocab'"},
      {"vocab_size", &settings.vocab_size, "and how many there are, for both sides together", {4, 1'000'000}},
      {"normalization", choice(settings.normalization, {"none", "nfc", "nfkc"}),
       "Unicode normalisation of all text, in training as later in translation"},
      {"bpe_dropout",
       &settings.bpe_dropout,
       "leaves each BPE merge out with this probability, anew in each epoch; not when validating or "
       "translating",
       {0, 0.999}},
      {"bpe_dropout_side", choice(settings.bpe_dropout_side, {"both", "source", "target"}),
       "text that it is for"}};
}

Fields plain_fields_of(TokenizerSettings& settings) {
  const std::set<std::string> of_pairs{"source_tokenizer", "target_tokenizer", "bpe_dropout_side"};
  Fields fields = fields_of(settings);
  std::erase_if(fields, [&](const Field& field) { return of_pairs.contains(field.name); });
  for (Field& field : fields) {
    if (field.name == "tokenizer") field.help = "subword model, as 'gloss vocab' makes it";
    if (field.name == "vocab_size") field.help = "without one: pieces of a model learned from the text";
    if (field.name == "normalization") field.help = "Unicode normalisation of all text, now and later";
    if (field.name == "bpe_dropout") {
      field.help = "leaves each BPE merge out with this probability, anew in each epoch; not when validating";
    }
  }
  return fields;
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
  if (!settings.learned()) return;
  check(learned_settings(settings));
  const bool merges =
      settings.vocab_type == VocabularyType::bpe || settings.vocab_type == VocabularyType::byte_bpe;
  if (settings.bpe_dropout > 0 && !merges) {
    throw UsageError("--bpe-dropout leaves out merges, which only --vocab-type bpe and byte-bpe have");
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

Tokenizers learn_tokenizers(const TokenizerSettings& settings, std::span<const WeightedText> texts,
                            std::int64_t seed, Listener& listener) {
  std::vector<std::string> names;
  for (const WeightedText& text : texts) names.push_back(text.pairs->text());
  LineByLine lines(texts);
  const auto next_line = [&](std::string& line) {
    const std::optional<std::string_view> next = lines.next();
    if (next) line = clean_text(*next, settings.normalization).text;
    return next.has_value();
  };
  SubwordSettings subword_settings = learned_settings(settings);
  subword_settings.seed = seed;
  listener.note(concat("learning a vocabulary of ", settings.vocab_size, " pieces from ", join(names, "; ")));
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

Tokenizers with_symbols(const Tokenizers& tokenizers, const std::vector<std::string>& symbols) {
  const auto extended = [&](const std::shared_ptr<const Subwords>& old) {
    const std::vector<std::string> missing = missing_symbols(*old, symbols);
    return missing.empty() ? old
                           : std::make_shared<const Subwords>(extend_vocabulary(*old, missing).subwords);
  };
  const auto source = extended(tokenizers.source);
  return {source, tokenizers.shared() ? source : extended(tokenizers.target)};
}

void check_dropout(const TokenizerSettings& settings, const Tokenizers& tokenizers) {
  const auto check_side = [](const Subwords& subwords, double dropout) {
    if (dropout == 0) return;
    try {
      Random random(1);
      subwords.sample("a", dropout, random);
    } catch (const InputError& error) {
      throw UsageError(concat("--bpe-dropout: ", error.what()));
    }
  };
  check_side(*tokenizers.source, settings.source_dropout());
  check_side(*tokenizers.target, settings.target_dropout());
}

LineEncoder line_encoder(const Subwords& subwords, Normalization normalization, double dropout) {
  return [&subwords, normalization, dropout](std::string_view line, Random* random) {
    const CleanText clean = clean_text(line, normalization);
    const bool samples = random != nullptr && dropout > 0;
    EncodedLine encoded{samples ? subwords.sample(clean.text, dropout, *random) : subwords.encode(clean.text),
                        clean.replaced};
    if (is_blank(clean.text)) encoded.tokens.clear();
    encoded.tokens.push_back(subwords.end_id());
    return encoded;
  };
}

LineEncoder counting_encoder(const Subwords& subwords, Normalization normalization, double dropout) {
  const LineEncoder encoder = line_encoder(subwords, normalization, dropout);
  return [&subwords, encoder](std::string_view line, Random* random) {
    EncodedLine encoded = encoder(line, random);
    if (random != nullptr) return encoded;
    const std::span<const int> text(encoded.tokens.data(), encoded.tokens.size() - 1);
    encoded.characters = count_characters(subwords.decode(text)) + 1;
    return encoded;
  };
}

std::unique_ptr<const ExampleEncoder> pair_encoder(const TokenizerSettings& settings,
                                                   const Tokenizers& tokenizers,
                                                   const CorpusSettings& corpus) {
  return std::make_unique<PairEncoder>(
      line_encoder(*tokenizers.source, settings.normalization, settings.source_dropout()),
      line_encoder(*tokenizers.target, settings.normalization, settings.target_dropout()), corpus,
      settings.bpe_dropout > 0);
}

}  // namespace gloss
