// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/link_metric.h"

#include <algorithm>
#include <array>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "base/lines.h"
#include "base/shown.h"
#include "pipeline/metrics/metric_table.h"
#include "tokenizer/white_space.h"

namespace gloss {
namespace {

using Links = std::vector<Link>;

std::string text_of(const Links& links) {
  std::vector<std::string> texts;
  for (const Link& link : links) texts.push_back(concat(link.source, link.sure ? '-' : 'p', link.target));
  return join(texts, " ");
}

/// Numbers of words of a sentence pair.
struct PairLength {
  std::size_t source = 0, target = 0;
};

std::vector<PairLength> read_pair_lengths(const std::string& path) {
  std::vector<PairLength> lengths;
  for (const std::string& line : read_lines(path)) {
    constexpr std::string_view kBars = "|||";
    const std::size_t tab = line.find('\t');
    const std::size_t sign = tab == std::string::npos ? line.find(kBars) : tab;
    if (sign == std::string::npos) {
      throw InputError(
          concat(input_name(path), ", line ", lengths.size() + 1,
                 " has neither ||| nor a tab; expected 'source ||| target' or source and target with a tab "
                 "between them"));
    }
    const auto words_in = [](std::string_view text) {
      std::vector<std::string_view> words;
      split_words(text, words);
      return words.size();
    };
    const std::string_view text = line;
    lengths.push_back(
        {words_in(text.substr(0, sign)), words_in(text.substr(sign + (tab == sign ? 1 : kBars.size())))});
  }
  return lengths;
}

void check_within(const Links& links, const PairLength& length, int first_word, const std::string& where) {
  for (const Link& link : links) {
    const auto source = index(link.source), target = index(link.target);
    if (source < length.source && target < length.target) continue;
    const bool of_source = source >= length.source;
    throw InputError(concat(where, ": the link ", link.source + first_word, link.sure ? "-" : "p",
                            link.target + first_word, " exceeds the ",
                            of_source ? length.source : length.target, " words of the ",
                            of_source ? "source" : "target", " sentence, counted from ", first_word));
  }
}

class LinkComparer : public Comparer {
 public:
  void set_references(std::span<const std::string> references) override {
    reference_ = parse_links(references[0], 0, "reference");
  }
  void compare(std::string_view hypothesis, std::span<double> figures) override {
    std::ranges::fill(figures, 0);
    const Links links = parse_links(hypothesis, 0, "system");
    auto gold = reference_.begin();
    for (const Link& link : links) {
      while (gold != reference_.end() && gold->words() < link.words()) ++gold;
      if (gold == reference_.end() || gold->words() != link.words()) continue;
      figures[0] += gold->sure ? 1 : 0;
      figures[1] += 1;
    }
    figures[2] = static_cast<double>(links.size());
    figures[3] = static_cast<double>(std::ranges::count_if(reference_, &Link::sure));
  }

 private:
  Links reference_;
};

template <class Number>
double score_of(LinkScore score, std::span<const Number> sums) {
  const auto sure = static_cast<double>(sums[0]), possible = static_cast<double>(sums[1]);
  const auto links = static_cast<double>(sums[2]), all_sure = static_cast<double>(sums[3]);
  const auto share = [](double part, double whole) { return whole > 0 ? 100 * part / whole : 0; };
  if (score == LinkScore::precision) return share(possible, links);
  if (score == LinkScore::recall) return share(sure, all_sure);
  return share(links + all_sure - sure - possible, links + all_sure);
}

}  // namespace

Fields fields_of(LinkSettings& settings) {
  return {
      {"reference_first_word",
       &settings.reference_first_word,
       "number of the first word of a sentence in REFERENCE",
       {0, 1}},
      {"system_first_word",
       &settings.system_first_word,
       "number of the first word of a sentence in the systems",
       {0, 1}},
      {"pairs",
       &settings.pairs,
       "sentence pairs of the alignments, to check the word numbers of links: 'source ||| target' or with a "
       "tab between them",
       {},
       0,
       "FILE"}};
}

TestSet read_links(const TestSetFiles& files, const LinkSettings& settings, Listener& listener) {
  TestSet test = read_answers(files, listener);
  std::vector<PairLength> lengths;
  if (!settings.pairs.empty()) {
    lengths = read_pair_lengths(settings.pairs);
    if (lengths.size() != test.references.size()) {
      throw InputError(concat(input_name(settings.pairs), " has ", counted(std::ssize(lengths), "line"),
                              " but ", input_name(files.references[0]), " has ", test.references.size(),
                              "; expected one sentence pair per alignment (--pairs)"));
    }
  }
  const auto checked = [&](const std::string& line, std::size_t i, int first_word, const std::string& file) {
    const std::string where = concat(file, ", line ", i + 1);
    Links links = parse_links(line, first_word, where);
    if (!lengths.empty()) check_within(links, lengths[i], first_word, where);
    return links;
  };
  const std::string reference_file = input_name(files.references[0]);
  bool any_sure = false;
  for (std::size_t i = 0; i < test.references.size(); ++i) {
    std::string& line = test.references[i][0];
    const Links links = checked(line, i, settings.reference_first_word, reference_file);
    any_sure = any_sure || std::ranges::any_of(links, &Link::sure);
    line = text_of(links);
  }
  if (!any_sure) {
    listener.warn(concat(reference_file, " has no sure link (such as 3-4), so recall is 0"));
  }
  for (std::size_t system = 0; system < test.systems.size(); ++system) {
    const std::string& file = test.names[system];
    for (std::size_t i = 0; i < test.references.size(); ++i) {
      std::string& line = test.systems[system][i];
      const Links links = checked(line, i, settings.system_first_word, file);
      const auto possible = std::ranges::find(links, false, &Link::sure);
      if (possible != links.end()) {
        throw InputError(concat(file, ", line ", i + 1, ": ", text_of({*possible}),
                                " (words numbered from 0) is a possible link; expected only sure links, such "
                                "as 3-4, from a system"));
      }
      line = text_of(links);
    }
  }
  return test;
}

std::string LinkMetric::name() const {
  if (score_ == LinkScore::precision) return "precision";
  return score_ == LinkScore::recall ? "recall" : "AER";
}

std::unique_ptr<Comparer> LinkMetric::comparer() const { return std::make_unique<LinkComparer>(); }

double LinkMetric::score(std::span<const double> sums) const { return score_of(score_, sums); }

double LinkMetric::sample_score(std::span<const float> sums) const { return score_of(score_, sums); }

namespace {

template <LinkScore score>
std::unique_ptr<Metric> of_links() {
  return std::make_unique<LinkMetric>(score);
}

constexpr auto kLinkMetrics = std::to_array<MetricKind<>>({{"aer", of_links<LinkScore::error_rate>},
                                                           {"precision", of_links<LinkScore::precision>},
                                                           {"recall", of_links<LinkScore::recall>}});

}  // namespace

const std::vector<std::string>& link_metric_names() {
  static const std::vector<std::string> names = names_of(kLinkMetrics);
  return names;
}

std::unique_ptr<Metric> make_link_metric(const std::string& name) {
  return kind_named(kLinkMetrics, name).make();
}

}  // namespace gloss
