#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pipeline/batched_search.h"
#include "pipeline/text_model.h"

namespace gloss {

/// How texts are continued.
struct GenerationSettings {
  GenerationSettings();
  SearchSettings search;
  SearchBatchSettings batches;
  int max_tokens = 100;
  std::string ban;  ///< file of phrases; empty: none
};
/// The settings of the search that texts without a source have.
Fields search_fields_of(GenerationSettings&);

/// A continued text.
struct GeneratedText {
  std::string prompt;          ///< as it was given, but for invalid UTF-8 and normalisation
  std::string text;            ///< what was added; the two of them are one line
  double score = 0;            ///< of the hypothesis
  double log_probability = 0;  ///< of what was added, the end counted
  int tokens = 0;              ///< added, the end not counted
  bool cut = false;            ///< the length limit ended it, or rules that left nothing
};

/// What became of a prompt.
struct GeneratedLine {
  std::vector<GeneratedText> texts;  ///< at least one, the best first
  int prompt_tokens = 0;
  int left_out = 0;           ///< of these, the first, which the model has no positions for
  std::int64_t replaced = 0;  ///< invalid UTF-8 sequences
};

/// Continues text with language models, which must live longer. What becomes of a line depends on nothing but
/// the line and, if tokens are drawn, its number: not on its neighbours, the batches or the number of
/// threads.
class Generator {
 public:
  /// Throws UsageError if the settings do not fit together or do not fit the vocabulary, InputError for the
  /// file of phrases.
  Generator(const TextModels&, const GenerationSettings&, int threads);

  /// As many results as prompts, in their order. A prompt that is empty, blank or without any token gives one
  /// empty text. `finished` is told how many are done, one call at a time. `first` is the number of the first
  /// prompt in all, from 0.
  std::vector<GeneratedLine> continue_lines(
      std::span<const std::string> prompts, const std::function<void(int lines)>& finished = [](int) {},
      std::int64_t first = 0) const;
  /// Lines that begin with nothing.
  std::vector<GeneratedLine> begin_lines(
      int count, const std::function<void(int lines)>& finished = [](int) {}, std::int64_t first = 0) const;

 private:
  /// A prompt made ready for the search.
  struct Prepared {
    std::string text;
    std::vector<TokenId> tokens;
    bool searched = false;  // else it stays empty
  };
  Prepared prepare(const std::string& prompt, GeneratedLine&) const;
  std::vector<GeneratedLine> search_all(std::span<const Prepared>, std::vector<GeneratedLine>,
                                        const std::function<void(int lines)>& finished,
                                        std::int64_t first) const;
  GeneratedText text_of(const Hypothesis&, const Prepared&) const;

  const TextModels& models_;
  GenerationSettings settings_;
  int threads_;
  int positions_;  // of all models
  TokenRules rules_;
};

}  // namespace gloss
