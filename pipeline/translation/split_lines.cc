// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/split_lines.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "tokenizer/sentences/sentence_division.h"
#include "tokenizer/sentences/sentence_lines.h"

namespace gloss {

Fields fields_of(ParagraphSettings& settings, const std::string& help) {
  return {{"split", &settings.split, help},
          {"split_language",
           &settings.language,
           "language of the text for --split, such as de; default: that of the model, if it has one",
           {},
           0,
           "CODE"},
          {"split_rules",
           &settings.rules,
           "file of abbreviations and other words for --split ('gloss split --help')",
           {},
           0,
           "FILE"}};
}

void check(const ParagraphSettings& settings, const std::string& others) {
  if (settings.split || (settings.language.empty() && settings.rules.empty())) return;
  throw UsageError(
      concat(settings.language.empty() ? "--split-rules" : "--split-language", " requires --split", others));
}

SentenceSplitter named_splitter(const std::string& language, const std::string& option) {
  try {
    return SentenceSplitter(language);
  } catch (const UsageError& error) {
    throw UsageError(concat(option, ": ", error.what()));
  }
}

SentenceSplitter sentence_splitter(const ParagraphSettings& settings, const std::string& source_language) {
  std::string language = settings.language;
  if (language.empty()) {
    language = source_language;
    std::erase(language, '_');  // "__de__"
    if (!UnicodeSentences::knows(language))
      language = UnicodeSentences::knows(source_language) ? source_language : "";
  }
  SentenceSplitter splitter = named_splitter(language, "--split-language");
  if (!settings.rules.empty()) splitter.add_rules(settings.rules);
  return splitter;
}

std::vector<std::string_view> LineSplitter::parts(const std::string& line) const {
  const auto tokens = [this](std::string_view text) {
    // A token has a byte or more.
    return std::ssize(text) <= longest_ ? std::ssize(text) : std::ssize(subwords_.encode(text));
  };
  std::vector<std::string_view> parts;
  for (const std::string_view sentence : splitter_.split(line)) {
    for (const std::string_view part : divided(sentence, longest_, tokens)) parts.push_back(part);
  }
  if (parts.empty()) parts.emplace_back(line);
  return parts;
}

SplitLines::SplitLines(const LineSplitter& splitter, std::span<const std::string> lines) {
  for (const std::string& line : lines) {
    const std::vector<std::string_view> parts = splitter.parts(line);
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const bool last = part + 1 == parts.size();
      texts.emplace_back(last ? parts[part] : without_trailing_space(parts[part]));
      sources.push_back(parts[part]);
    }
    ends.push_back(texts.size());
  }
}

std::function<void(int parts)> progress_of(const SplitLines& split,
                                           const std::function<void(int lines)>& finished) {
  return
      [&split, finished, parts_done = std::ptrdiff_t{0}, lines_done = std::ptrdiff_t{0}](int parts) mutable {
        parts_done += parts;
        const std::ptrdiff_t now = std::ssize(split.ends) * parts_done / std::ssize(split.texts);
        if (now > lines_done) finished(static_cast<int>(now - lines_done));
        lines_done = now;
      };
}

}  // namespace gloss
