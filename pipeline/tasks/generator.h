// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pipeline/reading/line_report.h"
#include "pipeline/search/parallel_search.h"
#include "pipeline/text_models/text_model.h"

namespace gloss {

/// Settings for continuing texts.
struct GenerationSettings {
  GenerationSettings();
  SearchSettings search;
  SearchBatchSettings batches;
  int max_tokens = 100;
  std::string ban;  ///< file of banned phrases; empty: none
};
/// The fields of the search settings that apply to texts without a source, and those of generation.
Fields search_fields_of(GenerationSettings&);

/// A continued text.
struct GeneratedText {
  std::string prompt;          ///< the prompt, with invalid UTF-8 replaced and text normalised
  std::string text;            ///< the continuation; prompt and text form one line
  double score = 0;            ///< of the hypothesis
  double log_probability = 0;  ///< of the continuation with its end token
  int tokens = 0;              ///< number of added tokens without the end token
  bool cut = false;            ///< true if the length limit or the rules ended the text
};

/// The continuations of a prompt.
struct GeneratedLine : LineReport {    // if a prompt is too long, its first tokens are left out
  std::vector<GeneratedText> texts{};  ///< at least one, the best first
};

/// Continues text with language models, which must outlive the generator. The result depends on the line
/// alone and, with sampling, on its number: not on other lines, the batches or the number of threads.
class Generator {
 public:
  /// Throws UsageError if the settings contradict one another or do not fit the vocabulary, InputError if the
  /// file of phrases is invalid.
  Generator(const TextModels&, const GenerationSettings&, int threads);

  /// One result per prompt, in their order. A prompt that is blank or has no tokens gives one empty text.
  /// `finished` receives the number of newly finished lines; its calls never overlap. `first` is the number
  /// of the first prompt in the whole input, counted from 0.
  std::vector<GeneratedLine> continue_lines(
      std::span<const std::string> prompts, const std::function<void(int lines)>& finished = [](int) {},
      std::int64_t first = 0) const;
  /// Generates `count` lines from empty prompts.
  std::vector<GeneratedLine> begin_lines(
      int count, const std::function<void(int lines)>& finished = [](int) {}, std::int64_t first = 0) const;

 private:
  /// A tokenised prompt.
  struct Prepared {
    std::string text;
    std::vector<TokenId> tokens;
    bool searched = false;  // false: the result is empty
  };
  Prepared prepare(const std::string& prompt, GeneratedLine&) const;
  std::vector<GeneratedLine> search_all(std::span<const Prepared>, std::vector<GeneratedLine>,
                                        const std::function<void(int lines)>& finished,
                                        std::int64_t first) const;
  GeneratedText text_of(const Hypothesis&, const Prepared&) const;

  const TextModels& models_;
  GenerationSettings settings_;
  int threads_;
  int positions_;  // minimum over all models
  TokenRules rules_;
};

}  // namespace gloss
