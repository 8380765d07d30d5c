// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/tokenizer_pair.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/examples/piece_words.h"
#include "pipeline/examples/token_links.h"
#include "pipeline/examples/tokenizer_files.h"
#include "tokenizer/extend_vocabulary.h"

namespace gloss {
namespace {

/// Sample of lines that a vocabulary is learned from: needs well below 2 GiB of memory.
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

/// The settings for learning the vocabulary, except the seed.
SubwordSettings learned_settings(const TokenizerSettings& settings) {
  SubwordSettings learned;
  learned.type = settings.vocab_type;
  learned.size = settings.vocab_size;
  learned.at_most = settings.fewer_pieces;
  learned.sample_lines = kVocabularyLines;
  return learned;
}

void expect_end(const Subwords& subwords, const std::string& path) {
  if (subwords.end_id() >= 0) return;
  throw InputError(
      concat(path, " has no end token (</s>), but training needs it; use a model from 'gloss vocab'"));
}

/// The tokenizers of two files, or of one if the paths are equal.
Tokenizers load_pair(const std::string& source_path, const std::string& target_path) {
  const auto source = std::make_shared<const Subwords>(Subwords::load(source_path));
  if (source_path == target_path) return {source, source};
  const auto target = std::make_shared<const Subwords>(Subwords::load(target_path));
  return {source, source->bytes() == target->bytes() ? source : target};
}

}  // namespace

Fields fields_of(TokenizerSettings& settings) {
  Fields fields{
      {"tokenizer",
       &settings.tokenizer,
       "subword model of both sides, from 'gloss vocab'; without one, the training learns a vocabulary",
       {},
       't',
       "FILE"},
      {"source_tokenizer",
       &settings.source_tokenizer,
       "subword model of the source, if each side has its own",
       {},
       0,
       "FILE"},
      {"target_tokenizer",
       &settings.target_tokenizer,
       "subword model of the target, if each side has its own",
       {},
       0,
       "FILE"},
      {"vocab_type", vocabulary_type_choice(settings.vocab_type),
       "type of the learned vocabulary; no effect with a given subword model; one of"},
      {"vocab_size",
       &settings.vocab_size,
       "pieces in a learned vocabulary, both sides together; no effect with a given subword model",
       {4, 1'000'000}},
      {"normalization", choice(settings.normalization, {"none", "nfc", "nfkc"}),
       "Unicode normalisation of all text, in training and in translation"},
      {"bpe_dropout",
       &settings.bpe_dropout,
       "probability of skipping a BPE merge in training (BPE dropout); sampled again in each epoch",
       {0, 0.999}},
      {"bpe_dropout_side", choice(settings.bpe_dropout_side, {"both", "source", "target"}),
       "side of the text with BPE dropout"}};
  add_traits(fields, kFreeOnResume, settings.tokenizer, settings.source_tokenizer, settings.target_tokenizer);
  add_traits(fields, kTwoSided, settings.source_tokenizer, settings.target_tokenizer,
             settings.bpe_dropout_side);
  add_traits(fields, kLearnsVocabulary, settings.vocab_type, settings.vocab_size);
  return fields;
}

Fields plain_fields_of(TokenizerSettings& settings) {
  Fields fields = fields_of(settings);
  leave_out_traits(fields, kTwoSided);
  field_of(fields, settings.tokenizer).help =
      "subword model from 'gloss vocab'; without one, the training learns a vocabulary";
  field_of(fields, settings.vocab_size).help =
      "pieces in a learned vocabulary; no effect with a given subword model";
  field_of(fields, settings.normalization).help =
      "Unicode normalisation of all text, in training and in later use";
  return fields;
}

void check(const TokenizerSettings& settings) {
  const bool source = !settings.source_tokenizer.empty(), target = !settings.target_tokenizer.empty();
  if (!settings.tokenizer.empty() && (source || target)) {
    throw UsageError(
        "--tokenizer is for both sides and excludes --source-tokenizer and --target-tokenizer; leave one "
        "out");
  }
  if (source != target) {
    throw UsageError(concat("--", source ? "source" : "target", "-tokenizer needs --",
                            source ? "target" : "source",
                            "-tokenizer; for one model of both sides, use --tokenizer"));
  }
  if (!settings.learned()) return;
  check(learned_settings(settings));
  const bool merges =
      settings.vocab_type == VocabularyType::bpe || settings.vocab_type == VocabularyType::byte_bpe;
  if (settings.bpe_dropout > 0 && !merges) {
    throw UsageError("--bpe-dropout needs --vocab-type bpe or byte-bpe: other types have no merges");
  }
}

bool Tokenizers::share_pieces() const {
  if (shared()) return true;
  if (source->size() != target->size()) return false;
  for (int id = 0; id < source->size(); ++id) {
    if (source->piece(id) != target->piece(id)) return false;
  }
  return true;
}

Tokenizers load_tokenizers(const TokenizerSettings& settings) {
  const bool shared = settings.source_tokenizer.empty();
  const std::string& source = shared ? settings.tokenizer : settings.source_tokenizer;
  const std::string& target = shared ? settings.tokenizer : settings.target_tokenizer;
  Tokenizers tokenizers = load_pair(source, target);
  expect_end(*tokenizers.source, source);
  expect_end(*tokenizers.target, target);
  return tokenizers;
}

Tokenizers learn_tokenizers(const TokenizerSettings& settings, std::span<const WeightedText> texts,
                            std::int64_t seed, Listener& listener) {
  std::vector<std::string> names;
  for (const WeightedText& text : texts) names.push_back(text.pairs->text());
  LineByLine lines(texts);
  bool any = false;
  const auto next_line = [&](std::string& line) {
    const std::optional<std::string_view> next = lines.next();
    any = any || next;
    if (!any) {
      const bool stories =
          std::ranges::any_of(texts, [](const WeightedText& text) { return text.pairs->has_stories(); });
      throw InputError(concat(join(names, "; "), ": nothing to learn a vocabulary from: ",
                              stories ? "there are no questions" : "the text is empty"));
    }
    if (next) line = clean_text(*next, settings.normalization).text;
    return next.has_value();
  };
  SubwordSettings subword_settings = learned_settings(settings);
  subword_settings.seed = seed;
  listener.note(concat("learning a vocabulary of ", settings.fewer_pieces ? "up to " : "",
                       settings.vocab_size, " pieces from ", join(names, "; ")));
  const auto both =
      std::make_shared<const Subwords>(learn_subwords(next_line, subword_settings, 1, listener));
  return {both, both};
}

Tokenizers stored_tokenizers(const std::string& model_directory) {
  const TokenizerPaths files = tokenizer_paths(model_directory);
  Tokenizers tokenizers = load_pair(files.source, files.target);
  expect_sums(model_directory, files, *tokenizers.source, *tokenizers.target);
  return tokenizers;
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
    const std::string reason = dropout == 0 ? "" : subwords.reason_against_sampling();
    if (!reason.empty()) throw UsageError("--bpe-dropout: " + reason);
  };
  check_side(*tokenizers.source, settings.source_dropout());
  check_side(*tokenizers.target, settings.target_dropout());
}

LineEncoder line_encoder(const Subwords& subwords, Normalization normalization, double dropout,
                         LineFrame frame) {
  return [&subwords, normalization, dropout, frame = std::move(frame)](std::string_view line,
                                                                       Random* random) {
    const CleanText clean = clean_text(line, normalization);
    const bool samples = random != nullptr && dropout > 0;
    EncodedLine encoded{samples ? subwords.sample(clean.text, dropout, *random) : subwords.encode(clean.text),
                        clean.replaced};
    if (is_blank(clean.text)) encoded.tokens.clear();
    encoded.text_tokens = std::ssize(encoded.tokens);
    encoded.unknown = std::ranges::count(encoded.tokens, subwords.unknown_id());
    if (encoded.tokens.empty()) {
      encoded.tokens.push_back(subwords.end_id());  // no text
    } else {
      encoded.tokens = framed(frame, encoded.tokens, subwords.end_id());
    }
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

LineEncoder word_encoder(LineEncoder encoder, std::vector<std::string> texts, const LineFrame& frame) {
  const auto shared = std::make_shared<const std::vector<std::string>>(std::move(texts));
  return [encoder = std::move(encoder), shared, before = frame.before.size(), reversed = frame.reversed](
             std::string_view line, Random* random) {
    EncodedLine encoded = encoder(line, random);
    std::vector<std::string> spelled;
    for (std::int64_t i = 0; i < encoded.text_tokens; ++i) {
      spelled.push_back((*shared)[index(encoded.tokens[before + index(i)])]);
    }
    encoded.words.assign(encoded.tokens.size(), -1);
    if (spelled.empty()) return encoded;
    if (reversed) std::ranges::reverse(spelled);
    std::vector<int> words = words_of_tokens(spelled, line);
    if (reversed) std::ranges::reverse(words);
    std::ranges::copy(words, encoded.words.begin() + static_cast<std::ptrdiff_t>(before));
    return encoded;
  };
}

std::unique_ptr<const ExampleEncoder> pair_encoder(const TokenizerSettings& settings,
                                                   const Tokenizers& tokenizers, const CorpusSettings& corpus,
                                                   const PairFrame& frame) {
  LineEncoder source =
      line_encoder(*tokenizers.source, settings.normalization, settings.source_dropout(), frame.source);
  LineEncoder target =
      line_encoder(*tokenizers.target, settings.normalization, settings.target_dropout(), frame.of_target());
  if (corpus.links) {
    source = word_encoder(std::move(source), piece_texts(*tokenizers.source), frame.source);
    target = word_encoder(std::move(target), piece_texts(*tokenizers.target), frame.of_target());
  }
  return std::make_unique<PairEncoder>(std::move(source), std::move(target), corpus,
                                       settings.bpe_dropout > 0);
}

}  // namespace gloss
