// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/test_set.h"

#include <algorithm>
#include <map>

#include "base/counted.h"
#include "base/error.h"
#include "base/lines.h"
#include "pipeline/metrics/segment_files.h"
#include "tokenizer/white_space.h"

namespace gloss {
namespace {

constexpr std::string_view kOfTheSameText = "; expected one line per segment in both";

std::string without_end(const std::string& line) { return std::string(trim_end(line)); }

/// Splits a line at tabs into at most `columns` texts; further tabs belong to the last one.
std::vector<std::string> columns_of(std::string_view line, int columns) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (static_cast<int>(parts.size()) + 1 < columns) {
    const std::size_t tab = line.find('\t', start);
    if (tab == std::string_view::npos) break;
    parts.emplace_back(line.substr(start, tab - start));
    start = tab + 1;
  }
  parts.emplace_back(line.substr(start));
  return parts;
}

/// Reads the systems of standard input, one per column; the first line determines their number.
void read_columns(const std::vector<std::string>& lines, const std::string& name, TestSet& test) {
  const std::size_t count = lines.empty() ? 1 : split(trim_end(lines[0]), '\t').size();
  test.systems.assign(count, {});
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<std::string> parts = split(lines[i], '\t');
    if (parts.size() != count) parts = split(trim_end(lines[i]), '\t');  // ignores trailing tabs
    if (parts.size() != count) {
      throw InputError(
          concat(name, ", line ", i + 1, " has ", counted(std::ssize(parts), "column"),
                 " separated by tabs; expected ", count,
                 " as in the first line. If tabs are part of the text, give a file for each system "
                 "(--input)"));
    }
    for (std::size_t system = 0; system < count; ++system)
      test.systems[system].push_back(without_end(parts[system]));
  }
  for (std::size_t system = 0; system < count; ++system) test.names.push_back(concat("System ", system + 1));
}

/// Advice if a file has its segments as columns of a single line instead of as lines.
std::string transposed_advice(const std::string& path, const std::vector<std::string>& lines,
                              std::size_t wanted) {
  if (lines.size() != 1 || wanted < 2) return "";
  const std::size_t columns = split(lines[0], '\t').size();
  if (columns < 2) return "";
  return concat("; the only line of ", input_name(path), " has ", columns,
                " columns separated by tabs: write each segment on a separate line");
}

void check_lengths(const std::string& reference, const std::vector<std::string>& lines,
                   const std::string& system, const std::vector<std::string>& translations) {
  if (lines.size() == translations.size()) return;
  throw InputError(concat(input_name(reference), " has ", counted(std::ssize(lines), "line"), " but ",
                          input_name(system), " has ", translations.size(),
                          transposed_advice(reference, lines, translations.size()),
                          transposed_advice(system, translations, lines.size()), kOfTheSameText));
}

/// Leaves out empty references of segments that have others.
void remove_padding(TestSet& test, Listener& listener) {
  std::size_t padded = 0, first = 0;
  for (std::size_t i = 0; i < test.references.size(); ++i) {
    std::vector<std::string>& lines = test.references[i];
    const bool any = std::ranges::any_of(lines, [](const std::string& line) { return !line.empty(); });
    if (any && std::erase(lines, "") > 0 && padded++ == 0) first = i + 1;
  }
  if (padded > 0) {
    listener.note(concat(padded, padded == 1 ? " segment has" : " segments have",
                         " fewer references than others: empty ones (first line ", first,
                         ") are left out, as in sacreBLEU"));
  }
}

void check_references(const TestSet& test, Listener& listener) {
  std::size_t empty = 0, first = 0;
  for (std::size_t i = 0; i < test.references.size(); ++i) {
    if (test.references[i][0].empty() && empty++ == 0) first = i + 1;
  }
  if (empty > 0) {
    listener.warn(concat(
        empty, empty == 1 ? " segment has only an empty reference" : " segments have only empty references",
        " (first line ", first, "), which nothing can match; sacreBLEU refuses such a test set"));
  }
  if (test.references.size() == 1 && (test.references[0].size() > 1 || test.systems.size() > 1)) {
    listener.warn(concat("only one segment is scored, with ",
                         counted(std::ssize(test.references[0]), "reference"), " and ",
                         counted(std::ssize(test.systems), "system"),
                         "; if these are several segments, write each on a separate line"));
  }
}

/// Reads the document id of each segment, if there is a file of ids.
void read_documents(const std::string& path, TestSet& test, SegmentFiles& files) {
  if (path.empty()) return;
  const std::vector<std::string> ids = files.read(path, Marks::remove);
  if (ids.size() != test.references.size()) {
    throw InputError(concat(input_name(path), " has ", counted(std::ssize(ids), "line"), ", but there are ",
                            test.references.size(), " segments; expected one document id per segment"));
  }
  std::map<std::string, std::size_t> numbers;
  for (const std::string& id : ids)
    test.documents.push_back(numbers.try_emplace(id, numbers.size()).first->second);
}

/// Reads the source of each segment, if there is a file of them.
void read_source(const std::string& path, TestSet& test, SegmentFiles& files) {
  if (path.empty()) return;
  test.source = files.read(path, Marks::remove);
  if (test.source.size() == test.references.size()) return;
  throw InputError(concat(input_name(path), " has ", counted(std::ssize(test.source), "line"),
                          " but there are ", test.references.size(),
                          " segments; expected the source of each segment (--source)"));
}

}  // namespace

std::string TestSet::reference_count() const {
  for (const auto& lines : references) {
    if (lines.size() != references[0].size()) return "var";
  }
  return concat(references.empty() ? 0 : references[0].size());
}

TestSet read_test_set(const TestSetFiles& files, Listener& listener) {
  TestSet test;
  SegmentFiles segment_files(listener);
  const Marks marks = files.strip_byte_order_mark ? Marks::remove : Marks::keep;
  std::vector<std::string> raw;  // the first system for messages: its only line, or N empty lines
  if (files.systems.empty()) {
    raw = segment_files.read("-", marks);
    read_columns(raw, "standard input", test);
  }
  for (const std::string& path : files.systems) {
    std::vector<std::string> lines = segment_files.read(path, marks);
    if (raw.empty()) raw = lines.size() == 1 ? lines : std::vector<std::string>(lines.size());
    for (std::string& line : lines) line.resize(trim_end(line).size());
    test.systems.push_back(std::move(lines));
    test.names.push_back(path);
  }
  const std::string first_name = files.systems.empty() ? "-" : files.systems[0];
  for (std::size_t i = 0; i < test.systems.size(); ++i) {
    const std::string name = files.systems.empty() ? "-" : files.systems[i];
    if (!test.systems[i].empty()) continue;
    const bool misplaced = files.systems.empty() && files.references.size() > 1;
    throw InputError(concat(input_name(name), " is empty; expected translations",
                            misplaced ? concat("; ", files.references.back(),
                                               " was read as a further file of references: give translations "
                                               "with -i ",
                                               files.references.back())
                                      : ""));
  }

  const std::size_t segments = test.systems[0].size();
  for (const std::string& path : files.references) {
    std::vector<std::string> lines = segment_files.read(path, marks);
    check_lengths(path, lines, first_name, raw);
    test.references.resize(segments);
    for (std::size_t i = 0; i < segments; ++i) {
      lines[i].resize(trim_end(lines[i]).size());
      if (files.reference_columns == 1) {
        test.references[i].push_back(std::move(lines[i]));
      } else {
        for (std::string& part : columns_of(lines[i], files.reference_columns)) {
          test.references[i].push_back(std::move(part));
        }
      }
    }
  }
  for (std::size_t i = 1; i < files.systems.size(); ++i) {  // columns of one input have the same lines
    check_lengths(files.references[0], std::vector<std::string>(segments), files.systems[i], test.systems[i]);
  }
  remove_padding(test, listener);
  check_references(test, listener);

  read_documents(files.documents, test, segment_files);
  read_source(files.source, test, segment_files);
  return test;
}

TestSet read_answers(const TestSetFiles& files, Listener& listener) {
  TestSet test;
  SegmentFiles segment_files(listener);
  const bool known = !files.right_answers.empty();
  for (const std::string& line :
       known ? files.right_answers : segment_files.read(files.references[0], Marks::remove)) {
    test.references.push_back({line});
  }
  const std::vector<std::string> standard_input{"-"};
  for (const std::string& path : files.systems.empty() ? standard_input : files.systems) {
    std::vector<std::string> lines = segment_files.read(path, Marks::remove);
    if (lines.empty()) throw InputError(concat(input_name(path), " is empty; expected one answer per line"));
    if (lines.size() != test.references.size()) {
      throw InputError(concat(input_name(files.references[0]), " has ",
                              counted(std::ssize(test.references), known ? "question" : "line"), " but ",
                              input_name(path), " has ", lines.size(), kOfTheSameText));
    }
    test.systems.push_back(std::move(lines));
    test.names.push_back(input_name(path));
  }
  read_documents(files.documents, test, segment_files);
  return test;
}

void check_tokenization(const TestSet& test, const std::string& tokenizer, Listener& listener) {
  std::vector<std::string> untokenised, tokenised;
  for (std::size_t system = 0; system < test.systems.size(); ++system) {
    // In tokenised text, the punctuation mark at the end of a sentence is a separate token.
    std::size_t alone = 0, attached = 0;
    for (const std::string& line : test.systems[system]) {
      if (line.empty() || std::string_view(".!?").find(line.back()) == std::string_view::npos) continue;
      if (line.size() >= 2 && line[line.size() - 2] == ' ') ++alone;
      if (line.size() >= 2 && line[line.size() - 2] != ' ') ++attached;
    }
    const auto add = [&](std::vector<std::string>& names, std::size_t lines) {
      names.push_back(concat(test.names[system], " (", lines, lines == 1 ? " line)" : " lines)"));
    };
    if (tokenizer == "none" && attached > alone) add(untokenised, attached);
    const bool tokenizes = tokenizer != "none" && tokenizer != "char";
    if (tokenizes && (alone > attached || alone >= 100)) add(tokenised, alone);
  }
  if (!untokenised.empty()) {
    listener.warn(concat(
        "punctuation at the ends of lines is part of a word in ", join(untokenised, ", "),
        ", so the text looks untokenised, but --tokenize none does not tokenise it; tokenise it or use "
        "--tokenize 13a (--force hides this warning)"));
  }
  if (!tokenised.empty()) {
    listener.warn(concat("punctuation at the ends of lines is separate in ", join(tokenised, ", "),
                         ", so the text looks tokenised already, which may lower the score with --tokenize ",
                         tokenizer,
                         "; detokenise it, or use --tokenize none if the references are tokenised too "
                         "(--force hides this warning)"));
  }
}

}  // namespace gloss
