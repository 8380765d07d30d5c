#include "pipeline/parallel_text.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"

namespace gloss {
namespace {

/// The number of lines of a file when all are read.
std::int64_t count_to_end(LineReader& reader) {
  std::string line;
  while (reader.next(line)) {
  }
  return reader.line_number();
}

std::string lines_text(std::int64_t count) { return concat(count, count == 1 ? " line" : " lines"); }

}  // namespace

Fields fields_of(ParallelFiles& files, const std::string& prefix, const std::string& what) {
  return {{prefix + "source", &files.source, concat("source side of the ", what, ", one sentence a line")},
          {prefix + "target", &files.target, concat("its translation, line by line")},
          {prefix + "tsv", &files.tsv, "instead of both: one file with lines 'source TAB target'"}};
}

void check(const ParallelFiles& files, const std::string& prefix) {
  const bool both = !files.source.empty() && !files.target.empty();
  const bool neither = files.source.empty() && files.target.empty();
  if (files.tsv.empty() ? !both : !neither) {
    throw UsageError(concat("expected --", prefix, "source and --", prefix, "target, or --", prefix,
                            "tsv; found ",
                            files.empty()          ? "none of them"
                            : !files.tsv.empty()   ? concat("--", prefix, "tsv beside the others")
                            : files.source.empty() ? concat("only --", prefix, "target")
                                                   : concat("only --", prefix, "source")));
  }
  for (const std::string& path : {files.source, files.target, files.tsv}) {
    std::error_code error;
    const bool there = path != "-" && std::filesystem::exists(path, error);
    if (path == "-" || (there && !std::filesystem::is_regular_file(path, error))) {
      throw UsageError(concat("--", prefix, files.tsv.empty() ? "source and target" : "tsv", ": found '",
                              path,
                              "', expected a regular file, since training reads its text more than once"));
    }
  }
}

PairReader::PairReader(const ParallelFiles& files)
    : source_(std::make_unique<LineReader>(files.tsv.empty() ? files.source : files.tsv)) {
  if (files.tsv.empty()) target_ = std::make_unique<LineReader>(files.target);
}

bool PairReader::next(SentencePair& pair) {
  if (!target_) return next_row(pair);
  const bool source = source_->next(pair.source);
  const bool target = target_->next(pair.target);
  if (source != target) {
    const std::int64_t sources = count_to_end(*source_), targets = count_to_end(*target_);
    throw InputError(concat(source_->name(), " has ", lines_text(sources), " but ", target_->name(), " has ",
                            targets, "; the lines of both must belong together"));
  }
  return source;
}

bool PairReader::next_row(SentencePair& pair) {
  if (!source_->next(pair.source)) return false;
  const auto tabs = std::count(pair.source.begin(), pair.source.end(), '\t');
  if (tabs != 1) {
    throw InputError(concat(source_->name(), ":", source_->line_number(), ": found ", tabs + 1,
                            tabs == 0 ? " column" : " columns", ", expected 2 (source TAB target)"));
  }
  const std::size_t tab = pair.source.find('\t');
  pair.target.assign(pair.source, tab + 1);
  pair.source.resize(tab);
  return true;
}

std::vector<SentencePair> read_pairs(const ParallelFiles& files) {
  PairReader reader(files);
  std::vector<SentencePair> pairs;
  for (SentencePair pair; reader.next(pair);) pairs.push_back(std::move(pair));
  return pairs;
}

}  // namespace gloss
