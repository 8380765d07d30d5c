// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/corpus_mix.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "base/error.h"
#include "base/shown.h"
#include "pipeline/reading/text_files.h"

namespace gloss {
namespace {

constexpr double kSmallest = 0.001, kLargest = 1000;

std::string files_text(std::size_t count) { return concat(count, count == 1 ? " file" : " files"); }

double corpus_weight(const std::string& text) {
  double weight = 0;
  if (parse_number(text, weight) && weight >= kSmallest && weight <= kLargest) return weight;
  throw UsageError(concat("--corpus-weights: found ", shown(text), ", expected a number from ", kSmallest,
                          " to ", kLargest));
}

Field corpus_weights_field(CorpusMixSettings& settings) {
  return {"corpus_weights",
          &settings.corpus_weights,
          "number of passes over each corpus per epoch, such as 1 4 or 0.5; default: 1",
          {kSmallest, kLargest},
          0,
          "X"};
}

/// `item`: what has a weight, such as "pair".
Field line_weights_field(CorpusMixSettings& settings, const char* item) {
  return {"line_weights",
          &settings.line_weights,
          concat("loss weight of each ", item, "; one file per corpus with one number per line"),
          {},
          0,
          "FILE"};
}

/// Adds the option that all corpora have.
void add_line_limit(Fields& fields, CorpusMixSettings& settings) {
  fields.push_back(line_limit_field(settings.max_line_bytes, "skip"));
  add_traits(fields, kFreeOnResume | kOptional, settings.max_line_bytes);
}

/// Throws UsageError unless a list is empty or has one item for each corpus.
void expect_one_for_each(const std::vector<std::string>& items, std::size_t corpora, const char* option) {
  if (items.empty() || items.size() == corpora) return;
  throw UsageError(concat(option, ": found ", items.size(), " for ", corpora,
                          corpora == 1 ? " corpus" : " corpora", ", expected one for each corpus"));
}

}  // namespace

Fields fields_of(CorpusMixSettings& settings) {
  Fields fields{
      {"source",
       &settings.source,
       "source side of the training text, one sentence per line; each file is a corpus",
       {},
       0,
       "FILE"},
      {"target",
       &settings.target,
       "target side of the training text; line N translates line N of --source",
       {},
       0,
       "FILE"},
      {"tsv",
       &settings.tsv,
       "training text with lines 'source TAB target'; replaces --source and --target",
       {},
       0,
       "FILE"},
      corpus_weights_field(settings),
      line_weights_field(settings, "pair"),
      {"guided_alignment",
       &settings.guided_alignment,
       "train an attention head to follow word alignments; one file per corpus with a line of links "
       "such as 0-0 1-2 for each pair, as 'gloss align --statistical' writes",
       {},
       0,
       "FILE"}};
  add_traits(fields, kFreeOnResume, settings.source, settings.target, settings.tsv, settings.line_weights,
             settings.guided_alignment);
  add_line_limit(fields, settings);
  return fields;
}

Fields plain_fields_of(CorpusMixSettings& settings) {
  Fields fields{
      {"input", &settings.plain, "training text; each file is a corpus", {}, 'i', "FILE"},
      corpus_weights_field(settings),
      {"languages", &settings.languages,
       "language of each corpus (denoise), such as en de; adds symbols such as <en> to the vocabulary and "
       "puts them in front of the noisy text"},
      {"language_temperature",
       &settings.temperature,
       "sampling temperature of the languages; above 1, languages with less text are sampled more often, in "
       "proportion to lines^(1/X)",
       {1, 1000}}};
  add_traits(fields, kFreeOnResume, settings.plain);
  add_line_limit(fields, settings);
  return fields;
}

void check_languages(const std::vector<std::string>& languages) {
  for (const std::string& language : languages) {
    const bool named = !language.empty() && std::ranges::all_of(language, [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '-' || c == '_';
    });
    if (!named) {
      throw UsageError(concat("--languages: found ", shown(language),
                              ", expected names of letters, digits and hyphens, such as en or pt-BR"));
    }
  }
}

std::vector<double> balance_of_languages(const std::vector<std::string>& languages,
                                         const std::vector<double>& lines, double temperature) {
  std::map<std::string, double> lines_of;
  double all = 0, sum = 0;
  for (std::size_t i = 0; i < languages.size(); ++i) {
    lines_of[languages[i]] += lines[i];
    all += lines[i];
  }
  for (const auto& [language, count] : lines_of) sum += std::pow(count, 1 / temperature);
  std::vector<double> factors;
  for (const std::string& language : languages) {
    const double count = lines_of[language];
    factors.push_back(count == 0 ? 1 : std::pow(count, 1 / temperature) / sum * all / count);
  }
  return factors;
}

Fields labelled_fields_of(CorpusMixSettings& settings) {
  Fields fields{
      {"input",
       &settings.labelled,
       "training text with lines 'label TAB text' (or 'label TAB text TAB text'), or images: lines 'path TAB "
       "label' or an idx archive; each file is a corpus",
       {},
       'i',
       "FILE"},
      corpus_weights_field(settings),
      line_weights_field(settings, "line")};
  add_traits(fields, kFreeOnResume, settings.labelled, settings.line_weights);
  add_line_limit(fields, settings);
  return fields;
}

Field item_labels_field(CorpusMixSettings& settings) {
  return {"labels",
          &settings.item_labels,
          "labels of the images of --input, if that is an idx archive: another one",
          {},
          0,
          "FILE",
          kFreeOnResume};
}

Fields story_fields_of(CorpusMixSettings& settings) {
  Fields fields{
      {"input",
       &settings.stories,
       "training text: lines 'story TAB question TAB answer' with | between sentences, or a file of "
       "the bAbI tasks; each file is a corpus",
       {},
       'i',
       "FILE"},
      corpus_weights_field(settings)};
  add_traits(fields, kFreeOnResume, settings.stories);
  add_line_limit(fields, settings);
  return fields;
}

namespace {

/// The corpora: of plain text, labelled text, stories or parallel text.
std::vector<WeightedFiles> files_of(const CorpusMixSettings& settings) {
  std::vector<WeightedFiles> corpora;
  for (const std::string& path : settings.plain) corpora.push_back({{.plain = path}});
  for (const std::string& path : settings.labelled) {
    corpora.push_back({settings.items ? ParallelFiles{.items = path} : ParallelFiles{.labelled = path}});
  }
  for (const std::string& path : settings.stories) corpora.push_back({{.stories = path}});
  if (!corpora.empty()) return corpora;
  const bool rows = !settings.tsv.empty();
  if (rows ? !settings.source.empty() || !settings.target.empty()
           : settings.source.empty() || settings.target.empty()) {
    const auto first = [](const std::vector<std::string>& files) {
      return files.empty() ? "" : files.front();
    };
    check(ParallelFiles{first(settings.source), first(settings.target), first(settings.tsv), ""}, "");
  }
  if (settings.source.size() != settings.target.size()) {
    throw UsageError(concat("--source has ", files_text(settings.source.size()), " and --target ",
                            files_text(settings.target.size()),
                            "; expected a target file for each source file"));
  }
  corpora.resize(rows ? settings.tsv.size() : settings.source.size());
  for (std::size_t i = 0; i < corpora.size(); ++i) {
    ParallelFiles& files = corpora[i].files;
    (rows ? files.tsv : files.source) = rows ? settings.tsv[i] : settings.source[i];
    if (!rows) files.target = settings.target[i];
    check(files, "");
    if (settings.items) files = with_items(std::move(files));
  }
  return corpora;
}

}  // namespace

std::vector<WeightedFiles> corpora_of(const CorpusMixSettings& settings) {
  std::vector<WeightedFiles> corpora = files_of(settings);
  expect_one_for_each(settings.corpus_weights, corpora.size(), "--corpus-weights");
  expect_one_for_each(settings.line_weights, corpora.size(), "--line-weights");
  expect_one_for_each(settings.guided_alignment, corpora.size(), "--guided-alignment");
  expect_one_for_each(settings.languages, corpora.size(), "--languages");
  expect_one_for_each(settings.item_labels, corpora.size(), "--labels");
  check_languages(settings.languages);
  for (std::size_t i = 0; i < corpora.size(); ++i) {
    corpora[i].files.max_line_bytes = settings.max_line_bytes;
    if (!settings.languages.empty()) corpora[i].files.language = settings.languages[i];
    if (!settings.item_labels.empty()) corpora[i].files.item_labels = settings.item_labels[i];
    if (!settings.line_weights.empty()) corpora[i].files.line_weights = settings.line_weights[i];
    if (!settings.guided_alignment.empty()) corpora[i].files.links = settings.guided_alignment[i];
    if (!settings.corpus_weights.empty()) corpora[i].weight = corpus_weight(settings.corpus_weights[i]);
  }
  return corpora;
}

ParallelFiles validation_of(const CorpusMixSettings& settings, ParallelFiles files) {
  const bool named = !files.empty() && files.items.empty();
  return settings.items && named ? with_items(std::move(files)) : files;
}

}  // namespace gloss
