#include "pipeline/metrics/test_set.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/lines.h"
#include "pipeline/metrics/words.h"
#include "tokenizer/utf8.h"

namespace gloss {
namespace {

constexpr std::string_view kOfTheSameText = "; line by line they are to be of the same text";

/// The lines of a file as valid UTF-8, without a byte order mark.
std::vector<std::string> clean_lines(const std::string& path, Listener& listener) {
  std::vector<std::string> lines = read_lines(path);
  std::size_t damaged = 0, first_damaged = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_valid_utf8(lines[i])) continue;
    if (damaged++ == 0) first_damaged = i + 1;
    lines[i] = valid_utf8(lines[i]);
  }
  if (damaged > 0) {
    listener.warn(concat(input_name(path), ": ", damaged, damaged == 1 ? " line is" : " lines are",
                         " not UTF-8 (the first is line ", first_damaged, "); what is not became U+FFFD"));
  }
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (!lines.empty() && lines[0].starts_with(kMark)) {
    lines[0].erase(0, kMark.size());
    listener.warn(
        concat(input_name(path), " starts with a byte order mark, which was left out of its first line"));
  }
  return lines;
}

std::string without_end(const std::string& line) { return std::string(trim_end(line)); }

/// At most `columns` texts divided by tabs; further tabs belong to the last one.
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

/// The systems of standard input, as many as its first line has columns.
void read_columns(const std::vector<std::string>& lines, const std::string& name, TestSet& test) {
  const std::size_t count = lines.empty() ? 1 : split(trim_end(lines[0]), '\t').size();
  test.systems.assign(count, {});
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<std::string> parts = split(lines[i], '\t');
    if (parts.size() != count) parts = split(trim_end(lines[i]), '\t');  // blanks at the end are no column
    if (parts.size() != count) {
      throw InputError(concat(name, ", line ", i + 1, " has ", parts.size(),
                              " columns divided by tabs, the first line ", count,
                              "; give each system in a file of its own (--input) if a tab is text"));
    }
    for (std::size_t system = 0; system < count; ++system)
      test.systems[system].push_back(without_end(parts[system]));
  }
  for (std::size_t system = 0; system < count; ++system) test.names.push_back(concat("System ", system + 1));
}

/// What may have gone wrong if one file has a single line and the other as many lines as that has columns.
std::string transposed_advice(const std::string& path, const std::vector<std::string>& lines,
                              std::size_t wanted) {
  if (lines.size() != 1 || wanted < 2) return "";
  const std::size_t columns = split(lines[0], '\t').size();
  if (columns < 2) return "";
  return concat("; the one line of ", input_name(path), " has ", columns,
                " columns divided by tabs: write each segment on a "
                "line of its own");
}

void check_lengths(const std::string& reference, const std::vector<std::string>& lines,
                   const std::string& system, const std::vector<std::string>& translations) {
  if (lines.size() == translations.size()) return;
  throw InputError(concat(input_name(reference), " has ", lines.size(),
                          lines.size() == 1 ? " line" : " lines", " but ", input_name(system), " has ",
                          translations.size(), transposed_advice(reference, lines, translations.size()),
                          transposed_advice(system, translations, lines.size()), kOfTheSameText));
}

void check_references(const TestSet& test, Listener& listener) {
  std::size_t empty = 0, first = 0;
  for (std::size_t i = 0; i < test.references.size(); ++i) {
    const bool any = std::any_of(test.references[i].begin(), test.references[i].end(),
                                 [](const std::string& line) { return line.empty(); });
    if (any && empty++ == 0) first = i + 1;
  }
  if (empty > 0) {
    listener.warn(concat(empty,
                         empty == 1 ? " segment has an empty reference" : " segments have empty references",
                         " (the first is line ", first, "); nothing can match there"));
  }
  if (test.references.size() == 1 && (test.references[0].size() > 1 || test.systems.size() > 1)) {
    listener.warn(concat("only one segment is scored, with ", test.references[0].size(), " references and ",
                         test.systems.size(),
                         " systems; if these are the segments of a test set, write each on a line "
                         "of its own"));
  }
}

/// Reads the document of each segment, if there is a file of them.
void read_documents(const std::string& path, TestSet& test, Listener& listener) {
  if (path.empty()) return;
  const std::vector<std::string> ids = clean_lines(path, listener);
  if (ids.size() != test.references.size()) {
    throw InputError(concat(input_name(path), " has ", ids.size(), " lines but there are ",
                            test.references.size(), " segments; expected the id of each segment's document"));
  }
  std::map<std::string, std::size_t> numbers;
  for (const std::string& id : ids)
    test.documents.push_back(numbers.try_emplace(id, numbers.size()).first->second);
}

}  // namespace

std::string input_name(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string TestSet::reference_count() const {
  for (const auto& lines : references) {
    if (lines.size() != references[0].size()) return "var";
  }
  return concat(references.empty() ? 0 : references[0].size());
}

TestSet read_test_set(const TestSetFiles& files, Listener& listener) {
  TestSet test;
  std::vector<std::string> raw;  // of the first system, for messages: its one line, or as many empty ones
  if (files.systems.empty()) {
    raw = clean_lines("-", listener);
    read_columns(raw, "standard input", test);
  }
  for (const std::string& path : files.systems) {
    std::vector<std::string> lines = clean_lines(path, listener);
    if (raw.empty()) raw = lines.size() == 1 ? lines : std::vector<std::string>(lines.size());
    for (std::string& line : lines) line.resize(trim_end(line).size());
    test.systems.push_back(std::move(lines));
    test.names.push_back(path);
  }
  const std::string first_name = files.systems.empty() ? "-" : files.systems[0];
  for (std::size_t i = 0; i < test.systems.size(); ++i) {
    const std::string name = files.systems.empty() ? "-" : files.systems[i];
    if (test.systems[i].empty())
      throw InputError(concat(input_name(name), " has no line; expected translations to score"));
  }

  const std::size_t segments = test.systems[0].size();
  for (const std::string& path : files.references) {
    std::vector<std::string> lines = clean_lines(path, listener);
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
  for (std::size_t i = 1; i < test.systems.size(); ++i) {
    check_lengths(files.references[0], std::vector<std::string>(segments), files.systems[i], test.systems[i]);
  }
  check_references(test, listener);

  read_documents(files.documents, test, listener);
  return test;
}

TestSet read_answers(const TestSetFiles& files, Listener& listener) {
  TestSet test;
  for (std::string& line : clean_lines(files.references[0], listener))
    test.references.push_back({std::move(line)});
  const std::vector<std::string> standard_input{"-"};
  for (const std::string& path : files.systems.empty() ? standard_input : files.systems) {
    std::vector<std::string> lines = clean_lines(path, listener);
    if (lines.empty()) throw InputError(concat(input_name(path), " has no line; expected answers to score"));
    if (lines.size() != test.references.size()) {
      throw InputError(concat(input_name(files.references[0]), " has ", test.references.size(), " lines but ",
                              input_name(path), " has ", lines.size(), kOfTheSameText));
    }
    test.systems.push_back(std::move(lines));
    test.names.push_back(input_name(path));
  }
  read_documents(files.documents, test, listener);
  return test;
}

void check_tokenization(const TestSet& test, const std::string& tokenizer, Listener& listener) {
  for (std::size_t system = 0; system < test.systems.size(); ++system) {
    // Sentences that end in a mark tell: it stands alone in tokenised text.
    std::size_t alone = 0, attached = 0;
    for (const std::string& line : test.systems[system]) {
      if (line.empty() || std::string_view(".!?").find(line.back()) == std::string_view::npos) continue;
      if (line.size() >= 2 && line[line.size() - 2] == ' ') ++alone;
      if (line.size() >= 2 && line[line.size() - 2] != ' ') ++attached;
    }
    if (tokenizer == "none" && attached > alone) {
      listener.warn(
          concat(test.names[system], ": ", attached,
                 " lines end in a mark that is part of a word, so the "
                 "text looks untokenised, but it is scored as it is (--tokenize none); tokenise it or "
                 "leave --tokenize at 13a; --force silences this"));
    }
    if (tokenizer != "none" && tokenizer != "char" && (alone > attached || alone >= 100)) {
      listener.warn(
          concat(test.names[system], ": ", alone,
                 " lines end in a mark that stands alone, so the text looks "
                 "tokenised already, which may hurt the score (--tokenize ",
                 tokenizer,
                 "); detokenise it, or use --tokenize none for tokens on both sides; --force silences "
                 "this"));
    }
  }
}

}  // namespace gloss
