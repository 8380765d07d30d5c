// SPDX-License-Identifier: Apache-2.0

#include "cli/options/offered_names.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "model/networks/mixers/mixers.h"
#include "pipeline/documents/protection.h"
#include "pipeline/metrics/evaluation.h"
#include "pipeline/metrics/label_metric.h"
#include "pipeline/metrics/link_metric.h"
#include "pipeline/metrics/tokenizers.h"
#include "tokenizer/sentences/sentence_rules.h"

namespace gloss {
namespace {

using Names = std::vector<std::string>;

/// The names for the options of fields, in one command or, without its name, in all.
struct OfferedNames {
  std::string_view command, fields;  ///< fields separated by spaces
  Names (*names)();
};

/// The metrics of all tasks, each once.
Names all_metrics() {
  Names all = metric_names();
  for (const Names& more : {label_metric_names(), link_metric_names()}) {
    std::ranges::copy_if(more, std::back_inserter(all),
                         [&](const std::string& name) { return std::ranges::count(all, name) == 0; });
  }
  return all;
}

/// Without "spm=FILE", whose value is a file.
Names tokenizers() {
  Names names = tokenizer_names();
  std::erase_if(names, [](const std::string& name) { return name.find('=') != std::string::npos; });
  return names;
}

template <bool causal>
Names mixers() {
  Names names = split(mixer_names(causal), ',');
  std::ranges::transform(names, names.begin(),
                         [](const std::string& name) { return std::string(trimmed(name)); });
  return names;
}

constexpr auto kOfferedNames =
    std::to_array<OfferedNames>({{"evaluate", "metrics", all_metrics},
                                 {"", "metrics metric mbr", [] { return metric_names(); }},
                                 {"", "tokenize valid_tokenize", tokenizers},
                                 {"", "encoder_mixers", mixers<false>},
                                 {"", "decoder_mixers", mixers<true>},
                                 {"", "protect", Protection::names},
                                 {"split", "language", SentenceRules::languages},
                                 {"", "split_language", SentenceRules::languages}});

}  // namespace

void offer_names(std::string_view command, std::string_view field, OptionDescription& option) {
  for (const OfferedNames& offered : kOfferedNames) {
    if (!offered.command.empty() && offered.command != command) continue;
    const Names fields = split(offered.fields, ' ');
    if (std::ranges::find(fields, field) == fields.end()) continue;
    option.kind = ValueKind::choice;
    option.choices = offered.names();
    return;
  }
}

}  // namespace gloss
