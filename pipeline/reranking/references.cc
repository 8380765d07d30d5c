// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reranking/references.h"

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "pipeline/reading/text_reader.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

/// Throws InputError if a file of references begins as an n-best list does.
void expect_no_list(const std::string& first_line, const std::string& name) {
  if (!first_line.starts_with("0 ||| ")) return;
  throw InputError(concat(name,
                          " is an n-best list, not a file of references; all words after --references "
                          "(-r), up to the next option, are files of references: the list is --input (-i) or "
                          "standard input"));
}

}  // namespace

ReferenceLines::ReferenceLines(const std::vector<std::string>& files) {
  for (const std::string& path : files) {
    TextReader reader(path);
    std::vector<std::string> lines;
    for (std::string line; reader.next(line);) lines.push_back(clean_text(line, Normalization::none).text);
    if (!lines.empty()) expect_no_list(lines.front(), reader.name());
    if (name_.empty()) {
      name_ = reader.name();
      lines_.resize(lines.size());
    }
    if (lines.size() != lines_.size()) {
      throw InputError(concat(reader.name(), " has ", counted(std::ssize(lines), "line"), ", but ", name_,
                              " has ", lines_.size(), "; expected a reference for each source line"));
    }
    for (std::size_t line = 0; line < lines.size(); ++line) lines_[line].push_back(std::move(lines[line]));
  }
}

std::span<const std::string> ReferenceLines::of(std::int64_t source_line) const {
  if (source_line < std::ssize(lines_)) return lines_[index(source_line)];
  throw InputError(concat(name_, " has ", counted(std::ssize(lines_), "line"),
                          ", but the list has translations of source line ", source_line,
                          ", counted from 0; expected a reference for each source line"));
}

void ReferenceLines::expect_lines(std::int64_t source_lines) const {
  if (source_lines == std::ssize(lines_)) return;
  throw InputError(concat(name_, " has ", counted(std::ssize(lines_), "line"), ", but the list has only ",
                          counted(source_lines, "source line"),
                          "; expected a reference for each source line"));
}

}  // namespace gloss
