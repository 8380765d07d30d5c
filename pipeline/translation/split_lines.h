// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "tokenizer/sentences/sentence_splitter.h"
#include "tokenizer/subword.h"

namespace gloss {

/// How lines of several sentences are read.
struct ParagraphSettings {
  bool split = false;      ///< each sentence is answered for itself
  std::string language{};  ///< of the text, such as "de"; empty: that of the model if it has one
  std::string rules{};     ///< file of more rules; empty: none
};
/// `help`: what `--split` does.
Fields fields_of(ParagraphSettings&, const std::string& help);
/// Throws UsageError for options of --split without it. `others`: what else splits text, for the message.
void check(const ParagraphSettings&, const std::string& others = "");

/// The splitter for a language that an option names. Throws UsageError, which begins with the option.
SentenceSplitter named_splitter(const std::string& language, const std::string& option);

/// The splitter for a text. `source_language`: the model's name for the language of the source, such as
/// "eng_Latn"; empty, or no language that is known: the rules that hold for all. Throws UsageError and
/// InputError as SentenceSplitter does.
SentenceSplitter sentence_splitter(const ParagraphSettings&, const std::string& source_language);

/// Splits lines into the parts that a model reads: sentences, and parts of sentences that are too long.
class LineSplitter {
 public:
  /// `subwords` must outlive this object. Sentences of more than `longest` tokens are divided.
  LineSplitter(SentenceSplitter splitter, const Subwords& subwords, int longest)
      : splitter_(std::move(splitter)), subwords_(subwords), longest_(longest) {}

  /// The parts of a line, each with the white space that follows it; at least one. Joined, they are the line.
  std::vector<std::string_view> parts(const std::string& line) const;
  /// The number of sentences of a line.
  int sentences(const std::string& line) const { return static_cast<int>(splitter_.split(line).size()); }

 private:
  SentenceSplitter splitter_;
  const Subwords& subwords_;
  int longest_;
};

/// The parts of all lines, one after the other.
struct SplitLines {
  /// The lines must outlive this object.
  SplitLines(const LineSplitter&, std::span<const std::string> lines);

  std::vector<std::string> texts{};         ///< without the white space between them
  std::vector<std::string_view> sources{};  ///< with it
  std::vector<std::size_t> ends{};          ///< for each line: the number of parts up to its end

  /// The first part of a line.
  std::size_t begin(std::size_t line) const { return line == 0 ? 0 : ends[line - 1]; }
};

/// Progress in lines, from progress in parts that are finished in any order: the lines that are done are
/// about as many as the share of parts.
std::function<void(int parts)> progress_of(const SplitLines&, const std::function<void(int lines)>& finished);

}  // namespace gloss
