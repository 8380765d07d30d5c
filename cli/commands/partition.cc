// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>

#include "base/checksum.h"
#include "base/counted.h"
#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "base/output.h"
#include "base/threads.h"
#include "cli/lines/record_pass.h"
#include "cli/options/compute_options.h"
#include "cli/options/options.h"
#include "cli/process/terminal.h"
#include "cli/process/with_ranks.h"
#include "cli/table/commands.h"
#include "pipeline/preparation/duplicates.h"
#include "pipeline/preparation/partition.h"
#include "pipeline/records/two_passes.h"
#include "pipeline/runs/stream_report.h"

namespace gloss {
namespace {

struct PartitionRequest {
  RecordFiles files;
  std::string output, valid, test, document, stratify;
  std::int64_t seed = 1, mebibytes = 512;
  double similarity = kNearlySame;
  int threads = available_processors();
};

/// The parts of a text, in the order of PartitionRequest's sizes.
constexpr auto kParts = std::to_array<const char*>({"train", "valid", "test"});

void add_options(Options& options, PartitionRequest& request) {
  options.usage("-o DIR --valid N [--test N] [OPTION...]", "divide text into sets without leaks");
  options.add("Pairs", fields_of(request.files));
  options.add("Sets", {{"valid",
                        &request.valid,
                        "size of the validation set: a number of lines, or a share such as 2%",
                        {},
                        0,
                        "N"},
                       {"test", &request.test, "size of the test set", {}, 0, "N"},
                       {"document",
                        &request.document,
                        "column with the document of a line: documents are not divided",
                        {},
                        0,
                        "COLUMN"},
                       {"stratify",
                        &request.stratify,
                        "column of whose values each set has its share, such as the origin of a line",
                        {},
                        0,
                        "COLUMN"},
                       {"similarity",
                        &request.similarity,
                        "least share of runs of five letters that near duplicates have in common",
                        {0.3, 1}},
                       {"seed", &request.seed, "random seed", {0}}});
  options.add("Output and resources",
              {{"output",
                &request.output,
                "directory for the sets: train.tsv, valid.tsv and test.tsv, or with --source a file per side",
                {},
                'o',
                "DIR"},
               {"memory", &request.mebibytes, "MiB for sorting", {1, 1e7}, 0, "N"},
               threads_field(request.threads)});
  options.epilogue(
      "Lines that repeat or nearly repeat one another on one side are a cluster, and so\n"
      "are the lines of a document and all that repeat them. A cluster is in one set. The\n"
      "order of the lines stays. The same text, seed and sizes give the same sets.");
  options.common({&request.files.source, &request.files.target, &request.files.tsv, &request.files.plain,
                  &request.valid, &request.test, &request.document, &request.stratify, &request.seed,
                  &request.output});
  options.example("Set 2000 pairs aside for validation and for a test",
                  "gloss partition --tsv all.tsv --valid 2000 --test 2000 -o sets");
  options.example("Keep documents whole, and take 1 % of each origin",
                  "gloss partition --tsv all.tsv --document 3 --stratify 4 --valid 1% -o sets");
}

/// The lines of a set of this size: "2000", or "2%" of all.
std::int64_t lines_of(const std::string& size, std::int64_t all, const std::string& option) {
  if (size.empty()) return 0;
  double number = 0;
  const bool share = size.ends_with('%');
  const bool parsed = parse_number(std::string_view(size).substr(0, size.size() - (share ? 1 : 0)), number);
  if (!parsed || !(number >= 0) || (share ? number > 100 : number > 1e15)) {
    throw UsageError(
        concat(option, ": found '", size, "', expected a number of lines, or a share such as 2%"));
  }
  return static_cast<std::int64_t>(share ? number / 100 * static_cast<double>(all) : number);
}

/// What the first pass finds of a record.
struct FoundRecord {
  SearchedLine source, target;
  ByteHash document;
  std::string stratum{};
  bool left_out = false;
};

struct SearchedText {
  SearchedText(const DuplicateSettings& by_source, const DuplicateSettings& by_target)
      : source(by_source), target(by_target) {}
  DuplicateSearch source, target;
  std::vector<std::uint32_t> strata;
  std::map<ByteHash, std::uint32_t> documents;  // and the first line of each
  std::vector<std::uint32_t> document_of;       // that first line, for each line
  std::vector<bool> left_out;
};

void read_all(TwoPasses& records, const PartitionRequest& request, SearchedText& text, StreamReport& report) {
  const auto column = [&](const std::string& name, const char* option) {
    return name.empty() ? std::optional<std::size_t>() : other_column(records.columns(), name, option);
  };
  const auto document = column(request.document, "--document"),
             stratum = column(request.stratify, "--stratify");
  const auto value = [&](const PairRecord& record, std::size_t place, std::int64_t number) {
    if (place < record.other.size()) return record.other[place];
    throw InputError(concat(records.place(number), ": the column of --document or --stratify is missing"));
  };
  std::map<std::string, std::uint32_t> strata;
  for_each_record<FoundRecord>(
      records, request.threads, report,
      [&](const PairRecord& record, std::int64_t number) {
        FoundRecord found;
        found.left_out = record.cut || !record.broken.empty();
        if (found.left_out) return found;
        found.source = text.source.prepare(record.source, record.target);
        if (!records.columns().one_language) found.target = text.target.prepare(record.source, record.target);
        if (document) found.document = byte_hash(value(record, *document, number));
        if (stratum) found.stratum = value(record, *stratum, number);
        return found;
      },
      [&](const FoundRecord& found) {
        const auto line = static_cast<std::uint32_t>(text.source.lines());
        if (found.left_out) {
          text.source.pass_over();
          text.target.pass_over();
        } else {
          text.source.add(found.source);
          if (records.columns().one_language) {
            text.target.pass_over();
          } else {
            text.target.add(found.target);
          }
        }
        text.left_out.push_back(found.left_out);
        if (stratum) {
          text.strata.push_back(
              strata.emplace(found.stratum, static_cast<std::uint32_t>(strata.size())).first->second);
        }
        if (document) {
          text.document_of.push_back(
              found.left_out ? line : text.documents.emplace(found.document, line).first->second);
        }
      });
}

/// The files of one set.
struct SetFiles {
  explicit SetFiles(const std::string& path) : rows(path) {}
  Output rows;
  std::optional<Output> targets{};
};

/// Names such as DIR/train.tsv, or DIR/train.en and DIR/train.de.
std::array<std::string, 2> set_paths(const PartitionRequest& request, const char* part) {
  const std::string path = concat(request.output, "/", part, ".");
  const RecordFiles& files = request.files;
  if (files.source.empty()) return {path + (files.plain.empty() ? "tsv" : "txt"), ""};
  const bool named = files.languages.size() == 2;
  return {path + (named ? files.languages[0] : "source"), path + (named ? files.languages[1] : "target")};
}

int partition(const Options& options, PartitionRequest& request, Ranks& ranks) {
  check(request.files);
  if (request.output.empty()) throw UsageError("--output DIR is required: the directory for the sets");
  if (request.valid.empty() && request.test.empty()) {
    throw UsageError("expected --valid N, --test N or both: the sizes of the sets");
  }
  lines_of(request.valid, 0, "--valid");
  lines_of(request.test, 0, "--test");
  if (!ranks.first()) return 0;  // all of the work is that of the first rank
  Terminal terminal("partition", options.quiet());
  fit_threads(request.threads, terminal);
  make_writable_directory(request.output);
  std::vector<std::unique_ptr<SetFiles>> sets;
  TwoPasses records(request.files);
  for (const char* const part : kParts) {
    const auto [rows, targets] = set_paths(request, part);
    for (const std::string& path : request.files.paths()) {
      for (const std::string& name : {rows, targets}) {
        if (!name.empty() && same_regular_file(name, path)) {
          throw UsageError(concat("--output: ", name, " is also an input; choose another directory"));
        }
      }
    }
    sets.push_back(std::make_unique<SetFiles>(rows));
    if (!targets.empty()) sets.back()->targets.emplace(targets);
  }
  const DuplicateSettings by_source{.key = DuplicateKey::source,
                                    .near = true,
                                    .similarity = request.similarity,
                                    .names_decide = false,
                                    .memory = request.mebibytes << 20,
                                    .threads = request.threads};
  DuplicateSettings by_target = by_source;
  by_target.key = DuplicateKey::target;
  SearchedText text(by_source, by_target);
  StreamReport report(records, terminal);
  read_all(records, request, text, report);
  std::vector<std::uint32_t> clusters = text.source.clusters(terminal);
  join_clusters(clusters, text.target.clusters(terminal));
  if (!text.document_of.empty()) join_clusters(clusters, text.document_of);
  const auto left_out = std::ranges::count(text.left_out, true);
  const std::int64_t all = text.source.lines() - left_out;
  const std::vector<std::int64_t> sizes{lines_of(request.valid, all, "--valid"),
                                        lines_of(request.test, all, "--test")};
  if (sizes[0] + sizes[1] > all) {
    throw InputError(concat(request.files.text(), " has ", all, " ", records.unit(),
                            ", fewer than the sets of ", sizes[0], " and ", sizes[1]));
  }
  const Partition chosen =
      choose_sets(clusters, text.strata, text.left_out, sizes, static_cast<std::uint64_t>(request.seed));
  records.rewind();
  PairRecord record;
  for (const auto& set : sets) {
    if (!set->targets && !records.columns().names.empty()) set->rows.line(records.columns().header());
  }
  for (std::size_t line = 0; line < chosen.set_of.size() && records.next(record); ++line) {
    if (text.left_out[line]) continue;
    SetFiles& set = *sets[chosen.set_of[line]];
    write_record(record, records.columns(), set.rows, set.targets ? &*set.targets : nullptr);
  }
  records.expect_unchanged();
  for (const auto& set : sets) {
    set->rows.close();
    if (set->targets) set->targets->close();
  }
  terminal.note(concat(all, " ", records.unit(), " in ", counted(chosen.clusters, "cluster"),
                       ", the largest of ", chosen.largest, ": ", chosen.sizes[0], " train, ",
                       chosen.sizes[1], " valid, ", chosen.sizes[2], " test",
                       left_out > 0 ? concat(", ", left_out, " left out") : ""));
  for (std::size_t set = 0; set < sizes.size(); ++set) {
    if (chosen.sizes[set + 1] == sizes[set]) continue;
    terminal.warn(concat("the ", kParts[set + 1], " set has ", chosen.sizes[set + 1], " of ", sizes[set], " ",
                         records.unit(),
                         ": no other cluster fits; ask for more lines or a higher --similarity"));
  }
  return 0;
}

int run_partition(const Options& options, PartitionRequest& request) {
  return with_ranks([&](Ranks& ranks) { return partition(options, request, ranks); });
}

}  // namespace

Work declare_partition(Options& options) {
  return work_on<PartitionRequest>(options, add_options, run_partition);
}

}  // namespace gloss
