// SPDX-License-Identifier: Apache-2.0

#include "pipeline/records/record_files.h"

#include "base/error.h"
#include "base/text.h"
#include "pipeline/reading/text_files.h"

namespace gloss {

std::string RecordFiles::text() const { return join(paths(), ", "); }

std::vector<std::string> RecordFiles::paths() const {
  std::vector<std::string> given;
  for (const std::string* const path : {&source, &target, &tsv, &jsonl, &tmx, &zip, &plain}) {
    if (!path->empty()) given.push_back(*path);
  }
  return given;
}

Fields fields_of(RecordFiles& files) {
  const auto file = [](const char* name, std::string& path, const char* help) {
    return Field{name, &path, help, {}, 0, "FILE", kFreeOnResume};
  };
  Fields fields{
      file("source", files.source, "source side of the text, one sentence per line"),
      file("target", files.target, "target side of the text; line N translates line N of the source"),
      file("tsv", files.tsv, "text with lines 'source TAB target', and further columns, which are kept"),
      file("jsonl", files.jsonl, "text with a JSON object per line"),
      file("tmx", files.tmx, "translation memory"),
      file("zip", files.zip, "zip archive with a file per language (Moses format of OPUS)"),
      file("input", files.plain, "text of one language, one sentence per line"),
      {"languages", &files.languages, "languages of source and target, such as en fr", {}, 'l', "NAME"},
      {"columns",
       &files.columns,
       "columns of source and target: numbers from 1, names in the first line of --tsv, or members of the "
       "objects of --jsonl",
       {},
       0,
       "NAME"},
      {"header", &files.header, "the first line of --tsv has the names of the columns, and is kept"},
      {"skip_broken", &files.skip_broken, "count lines and units that have no pair, instead of stopping"},
      line_limit_field(files.max_line_bytes, "cut")};
  fields[6].letter = 'i';
  return fields;
}

void check(const RecordFiles& files) {
  const bool two = !files.source.empty() || !files.target.empty();
  const std::size_t places = files.paths().size() - (!files.source.empty() && !files.target.empty() ? 1 : 0);
  if (places != 1) {
    throw UsageError(
        concat("expected --source and --target, or one of --tsv, --jsonl, --tmx, --zip and --input; ",
               places == 0 ? "found none of them" : "found " + join(files.paths(), " and ")));
  }
  if (two && (files.source.empty() || files.target.empty())) {
    throw UsageError(
        concat("expected --source and --target; found only --", files.source.empty() ? "target" : "source"));
  }
  const std::size_t sides = files.plain.empty() ? 2 : 1;
  if (!files.languages.empty() && files.languages.size() != sides) {
    throw UsageError(concat("--languages: found ", files.languages.size(), ", expected ",
                            sides == 2 ? "2: that of the source and that of the target" : "1"));
  }
  if (!files.columns.empty() && files.tsv.empty() && files.jsonl.empty()) {
    throw UsageError("--columns is for --tsv and --jsonl");
  }
  if (!files.columns.empty() && (files.columns.size() != 2 || files.columns[0] == files.columns[1])) {
    throw UsageError(concat("--columns: found ", join(files.columns, ", "),
                            ", expected 2 different ones: that of the source and that of the target"));
  }
  if (files.header && files.tsv.empty()) throw UsageError("--header is for --tsv");
  expect_standard_input_once(files.paths());
  if (files.zip == "-") throw UsageError("--zip: found '-', expected the name of a file");
}

}  // namespace gloss
