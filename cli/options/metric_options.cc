// SPDX-License-Identifier: Apache-2.0

#include "cli/options/metric_options.h"

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/letter_case.h"

namespace gloss {

void MetricOptions::add_to(Options& options) {
  BleuSettings& bleu = settings_.bleu;
  ChrfSettings& chrf = settings_.chrf;
  TerSettings& ter = settings_.ter;
  const auto add = [&](const std::string& heading, Fields fields) {
    by_metric_.emplace_back(heading, fields);
    options.add(heading, std::move(fields));
  };
  add("BLEU",
      {{"tokenize", &bleu.tokenize,
        "tokenizer: 13a (mteval; default for most languages), intl, zh, ja-mecab, char, none (the text is "
        "tokenised), spm=FILE (pieces of a SentencePiece model), flores101=FILE, flores200=FILE, "
        "spBLEU-1K=FILE (sacreBLEU's models) (-tok)"},
       {"language_pair",
        &language_pair_,
        "languages, such as en-zh: the targets zh, ja and ko have default tokenizers of their own",
        {},
        'l',
        "PAIR"},
       {"lowercase", &bleu.lowercase, "ignore case (-lc)"},
       {"smooth_method",
        choice(bleu.smooth_method, {"none", "floor", "add-k", "exp"}),
        "smoothing of n-gram orders without a match: none, count --smooth-value, add it to all "
        "orders, or halve each time",
        {},
        's'},
       {"smooth_value",
        &smooth_value_,
        "value for the smoothing methods floor (by default 0.1) and add-k (by default 1)",
        {0, 1e9}},
       {"max_ngram_order", &bleu.max_order, "length of the longest n-gram", {1, 100}},
       {"effective_order", &bleu.effective_order,
        "ignore n-gram orders that the text is too short for; always done for single sentences"}});
  add("chrF",
      {{"chrf_char_order", &chrf.char_order, "length of the longest character n-gram", {0, 100}},
       {"chrf_word_order", &chrf.word_order, "length of the longest word n-gram; 2 gives chrF++", {0, 100}},
       {"chrf_beta", &chrf.beta, "weight of recall relative to precision", {0, 1000}},
       {"chrf_whitespace", &chrf.whitespace, "count white space as characters"},
       {"chrf_lowercase", &chrf.lowercase, "ignore case"},
       {"chrf_eps_smoothing", &chrf.eps_smoothing,
        "average over all n-gram orders, as chrF++.py, NLTK and Moses do, not only over those present"}});
  add("TER",
      {{"ter_case_sensitive", &ter.case_sensitive, "distinguish upper and lower case"},
       {"ter_asian_support", &ter.asian_support,
        "treat Chinese characters as words, and full-width punctuation as punctuation with --ter-no-punct "
        "and --ter-normalized"},
       {"ter_no_punct", &ter.no_punct, "remove punctuation"},
       {"ter_normalized", &ter.normalized, "replace entities and split off punctuation"}});
  const std::pair<const char*, const char*> spellings[] = {
      {"-tok", "--tokenize"},       {"-lc", "--lowercase"},       {"-sv", "--smooth-value"},
      {"-cc", "--chrf-char-order"}, {"-cw", "--chrf-word-order"}, {"--smooth", "--smooth-method"}};
  for (const auto& [spelling, option] : spellings) options.alias(spelling, option);
}

Fields MetricOptions::fields() const {
  Fields all;
  for (const auto& [metric, fields] : by_metric_) append(all, fields);
  return all;
}

void MetricOptions::note_unused(const Options& options, std::span<const std::string> used,
                                Listener& listener) const {
  for (const auto& [metric, fields] : by_metric_) {
    if (std::ranges::find(used, lower_case(metric)) != used.end()) continue;
    for (const Field& field : fields) {
      if (!options.given()(address_of(field))) continue;
      listener.note(concat("--", option_name(field.name), " has no effect: it is an option of ", metric,
                           ", which is not computed"));
    }
  }
}

MetricSettings MetricOptions::settings(const Options& options, std::span<const std::string> used,
                                       Listener& listener) const {
  note_unused(options, used, listener);
  MetricSettings settings = settings_;
  const bool with_bleu = std::ranges::find(used, "bleu") != used.end();
  if (with_bleu && options.given(smooth_value_)) {
    const Smoothing method = settings.bleu.smooth_method;
    if (method == Smoothing::floor || method == Smoothing::add_k) {
      settings.bleu.smooth_value = smooth_value_;
    } else {
      listener.note("--smooth-value has no effect without --smooth-method floor or add-k");
    }
  }
  const std::size_t dash = language_pair_.find('-');
  if (!options.given(settings_.bleu.tokenize) && dash != std::string::npos) {
    const std::string target = language_pair_.substr(dash + 1);
    if (target == "zh") settings.bleu.tokenize = "zh";
    if (target == "ja") settings.bleu.tokenize = "ja-mecab";
    if (target == "ko") settings.bleu.tokenize = "ko-mecab";
  }
  if (settings.chrf.char_order + settings.chrf.word_order == 0) {
    throw UsageError("--chrf-char-order and --chrf-word-order are both 0; expected one of them above 0");
  }
  return settings;
}

Seed seed_from(const Options& options, const std::string& seed) {
  const char* variable = std::getenv("SACREBLEU_SEED");
  return seed_of(!options.given(seed) && variable != nullptr ? variable : seed);
}

std::vector<std::string> distinct_names(std::vector<std::string> names, bool keep_order) {
  if (!keep_order) std::sort(names.begin(), names.end());
  std::vector<std::string> distinct;
  for (const std::string& name : names) {
    if (std::find(distinct.begin(), distinct.end(), name) == distinct.end()) distinct.push_back(name);
  }
  return distinct;
}

std::vector<std::unique_ptr<Metric>> make_metrics(const std::vector<std::string>& names,
                                                  const MetricSettings& settings, bool keep_order) {
  std::vector<std::unique_ptr<Metric>> metrics;
  for (const std::string& name : distinct_names(names, keep_order))
    metrics.push_back(make_metric(name, settings));
  return metrics;
}

}  // namespace gloss
