// With subword.cc the one door to SentencePiece.
#include <sentencepiece_trainer.h>

#include <map>
#include <set>
#include <unordered_map>

#include "base/error.h"
#include "tokenizer/quiet.h"
#include "tokenizer/subword.h"
#include "tokenizer/training_text.h"
#include "tokenizer/utf8.h"

namespace gloss {
namespace {

/// Gives the sentences to SentencePiece and frees each when it has been taken.
class Sentences : public sentencepiece::SentenceIterator {
 public:
  explicit Sentences(std::vector<std::string>& sentences) : sentences_(sentences) {}
  bool done() const override { return place_ >= sentences_.size(); }
  void Next() override { std::string().swap(sentences_[place_++]); }
  const std::string& value() const override { return sentences_[place_]; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  std::vector<std::string>& sentences_;
  std::size_t place_ = 0;
};

/// The symbols as one field of comma-separated values, which is how SentencePiece takes a list.
std::string comma_separated(const std::vector<std::string>& symbols) {
  std::string list;
  for (const std::string& symbol : symbols) {
    if (!list.empty()) list += ',';
    list += '"';
    for (const char byte : symbol) list += byte == '"' ? std::string("\"\"") : std::string(1, byte);
    list += '"';
  }
  return list;
}

void check_symbols(const std::vector<std::string>& symbols) {
  std::set<std::string> seen;
  for (const std::string& symbol : symbols) {
    const auto refuse = [&](std::string_view why) {
      throw UsageError(concat("the user symbol '", symbol, "' ", why));
    };
    if (symbol.empty()) refuse("is empty");
    if (!is_valid_utf8(symbol)) refuse("is not UTF-8");
    if (symbol.find_first_of(std::string_view(" \t\n\0", 4)) != std::string::npos) {
      refuse("has a space, tab, line end or NUL in it; symbols stand within words");
    }
    if (symbol.find("\xE2\x96\x81") != std::string::npos)
      refuse("has U+2581 in it, which stands for a space");
    if (symbol == "<unk>" || symbol == "<s>" || symbol == "</s>") refuse("is a special piece already");
    if (!seen.insert(symbol).second) refuse("is given twice");
  }
}

void tell(const TrainingTextCounts& counts, std::int64_t sampled, Listener& listener) {
  listener.note(concat("read ", counts.lines, " lines, ", counts.blank, " of them blank"));
  if (sampled < counts.parts) {
    listener.note(concat("learning from a random sample of ", sampled, " of ", counts.parts, " lines"));
  }
  if (counts.reserved > 0) {
    listener.note(concat(counts.reserved, " tabs, NUL and U+2585 taken as spaces"));
  }
  if (counts.cut > 0) listener.note(concat("overlong words cut in ", counts.cut, " places"));
}

/// What SentencePiece says when the characters alone take more pieces than asked for: "... 9 vs 31. ...".
InputError failure(const std::string& message, int size) {
  const std::size_t at = message.find(" vs ");
  if (message.find("smaller than required_chars") == std::string::npos || at == std::string::npos) {
    return InputError(concat("SentencePiece could not learn a vocabulary: ", message));
  }
  const std::size_t digits = message.find_first_not_of("0123456789", at + 4);
  const std::string fewest = message.substr(at + 4, digits - at - 4);
  return InputError(concat("the characters of the text alone take ", fewest, " pieces but only ", size,
                           " were asked for; ask for at least ", fewest,
                           " or give a smaller character coverage"));
}

std::string train(std::vector<std::string>& sentences, const SubwordSettings& settings) {
  std::unordered_map<std::string, std::string> specification{
      {"model_type", "bpe"},
      {"vocab_size", std::to_string(settings.size)},
      {"character_coverage", number_text(settings.character_coverage)},
      {"byte_fallback", settings.byte_fallback ? "true" : "false"},
      // Text is normalised before it comes here, so that training and use agree.
      {"normalization_rule_name", "identity"},
      {"unk_id", "0"},
      {"bos_id", "1"},
      {"eos_id", "2"},
      {"pad_id", "-1"},
      // Fewer pieces than asked for are noticed by the caller, who can then say how many there are.
      {"hard_vocab_limit", "false"},
      {"max_sentence_length", "1048576"},
      // Written into the model, and of no use to BPE, which is learned by one thread.
      {"num_threads", "1"},
  };
  if (!settings.user_symbols.empty()) {
    specification["user_defined_symbols"] = comma_separated(settings.user_symbols);
  }
  Sentences iterator(sentences);
  std::string bytes;
  const sentencepiece::util::Status status =
      sentencepiece::SentencePieceTrainer::Train(specification, &iterator, &bytes);
  if (!status.ok()) throw failure(status.ToString(), settings.size);
  return bytes;
}

}  // namespace

void silence_sentencepiece() {
  // The level of messages can only be set through the trainer's settings; without input this trains nothing.
  static const bool silent = [] {
    const std::unordered_map<std::string, std::string> only_level{{"minloglevel", "3"}};
    sentencepiece::SentencePieceTrainer::Train(only_level).IgnoreError();
    return true;
  }();
  (void)silent;
}

Fields fields_of(SubwordSettings& settings) {
  return {
      {"size", &settings.size, "pieces in the vocabulary, with the special ones", {4, 1'000'000}},
      {"character_coverage",
       &settings.character_coverage,
       "share of the text's characters that must have a piece",
       {0.98, 1}},
      {"byte_fallback", &settings.byte_fallback, "spell characters without a piece in bytes, not as <unk>"},
      {"user_symbol", &settings.user_symbols, "symbols that are always one piece"},
      {"sample_lines",
       &settings.sample_lines,
       "learn from at most so many lines, drawn at random",
       {1, 100'000'000}},
      {"seed", &settings.seed, "of the random choice of lines", {0}},
  };
}

Subwords learn_subwords(const std::function<bool(std::string&)>& next_line, const SubwordSettings& settings,
                        int threads, Listener& listener) {
  expects(threads > 0, "learn_subwords with ", threads, " threads");
  silence_sentencepiece();
  check_symbols(settings.user_symbols);
  TrainingText text(settings.sample_lines, static_cast<std::uint64_t>(settings.seed));
  for (std::string line; next_line(line);) {
    text.add(line);
    if (text.counts().lines % 10'000 == 0) listener.progress({text.counts().lines, 0, "lines", ""});
  }
  tell(text.counts(), static_cast<std::int64_t>(text.sentences().size()), listener);
  if (text.sentences().empty()) {
    throw InputError(concat("nothing to learn a vocabulary from: all ", text.counts().lines,
                            " lines of the text are empty or blank"));
  }
  Subwords subwords = Subwords::from_bytes(train(text.sentences(), settings), "the learned vocabulary");
  if (subwords.size() < settings.size) {
    throw InputError(concat("the text gives only ", subwords.size(), " pieces but ", settings.size,
                            " were asked for; ask for at most ", subwords.size(), " or give more text"));
  }
  return subwords;
}

}  // namespace gloss
