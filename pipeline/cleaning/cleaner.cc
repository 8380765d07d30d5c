// SPDX-License-Identifier: Apache-2.0

#include "pipeline/cleaning/cleaner.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "pipeline/identification/language_codes.h"

namespace gloss {
namespace {

/// The identifier of languages; null: they are not given or not known.
std::shared_ptr<const LanguageIdentifier> identifier_for(const std::vector<std::string>& languages) {
  const std::vector<std::string>& known = built_in_languages();
  const auto is_known = [&](const std::string& language) {
    return std::ranges::count(known, plain_language(language)) > 0;
  };
  if (languages.empty() || !std::ranges::all_of(languages, is_known)) return nullptr;
  return built_in_identifier({});
}

/// True if the rule has a value for text of one language.
bool is_for_one(const Rule& rule) { return rule.of_side != nullptr || rule.needs == Rule::Needs::identifier; }

/// Makes a text valid; returns the number of replacements.
std::int64_t make_valid(std::string& text) {
  if (is_valid_utf8(text)) return 0;
  std::string valid;
  const std::int64_t replaced = append_valid_utf8(text, valid);
  text = std::move(valid);
  return replaced;
}

}  // namespace

Cleaner::Cleaner(CleaningPlan plan, const std::vector<std::string>& languages) {
  setup_.languages = languages;
  setup_.identifier = identifier_for(languages);
  for (const Repair* const repair : plan.repairs) {
    if (repair->needs_languages && (setup_.identifier == nullptr || languages.size() < 2)) {
      left_out_.emplace_back(repair->name);
    } else {
      plan_.repairs.push_back(repair);
    }
  }
  for (const Check& check : plan.checks) {
    const Rule& rule = *check.rule;
    if ((rule.needs == Rule::Needs::languages && languages.empty()) ||
        (rule.needs == Rule::Needs::identifier && setup_.identifier == nullptr)) {
      left_out_.emplace_back(rule.name);
      continue;
    }
    RuleSetup setup = setup_;
    setup.text = check.text;
    if (rule.needs == Rule::Needs::pattern) setup.pattern = std::make_shared<const Pattern>(check.text);
    plan_.checks.push_back(check);
    setups_.push_back(std::move(setup));
  }
}

Verdict Cleaner::clean(PairRecord& record, bool one_language, bool all_values) const {
  Verdict verdict;
  if (!record.broken.empty() || record.cut) {
    verdict.check = record.cut ? Verdict::kCut : Verdict::kBroken;
    verdict.replaced = make_valid(record.source) + make_valid(record.target);
    verdict.value = static_cast<double>(record.source.size() + record.target.size());
    return verdict;
  }
  verdict.replaced = make_valid(record.source) + make_valid(record.target);
  for (std::size_t i = 0; i < plan_.repairs.size(); ++i) {
    const Repair& repair = *plan_.repairs[i];
    bool changed = false;
    if (repair.of_side != nullptr) {
      changed = repair.of_side(record.source, setup_, Side::source);
      if (!one_language) changed |= repair.of_side(record.target, setup_, Side::target);
    } else if (!one_language) {
      changed = repair.of_pair(record.source, record.target, setup_);
    }
    if (changed) verdict.repairs |= std::uint64_t{1} << i;
  }
  thread_local PairText pair;
  pair.one_language = one_language;
  pair.source.read(record.source);
  pair.target.read(record.target);
  const auto take = [&](std::size_t check, int side, double value) {
    if (all_values) verdict.values.push_back(value);
    if (verdict.check != Verdict::kKept || plan_.checks[check].bounds.hold(value)) return;
    verdict.check = static_cast<int>(check);
    verdict.side = side;
    verdict.value = value;
  };
  for (std::size_t i = 0; i < plan_.checks.size() && (all_values || verdict.check == Verdict::kKept); ++i) {
    const Rule& rule = *plan_.checks[i].rule;
    if (rule.of_side != nullptr) {
      take(i, 0, rule.of_side(pair.source, setups_[i], Side::source));
      if (!one_language && (all_values || verdict.check == Verdict::kKept)) {
        take(i, 1, rule.of_side(pair.target, setups_[i], Side::target));
      }
    } else if (!one_language || is_for_one(rule)) {
      take(i, -1, rule.of_pair(pair, setups_[i]));
    }
  }
  return verdict;
}

std::vector<std::string> Cleaner::value_names(bool one_language) const {
  std::vector<std::string> names;
  for (const Check& check : plan_.checks) {
    const std::string name(check.rule->name);
    if (check.rule->of_side == nullptr) {
      if (!one_language || is_for_one(*check.rule)) names.push_back(name);
    } else if (one_language) {
      names.push_back(name);
    } else {
      names.push_back(name + " (source)");
      names.push_back(name + " (target)");
    }
  }
  return names;
}

std::string_view Cleaner::reason(const Verdict& verdict) const {
  if (verdict.check == Verdict::kBroken) return "broken";
  if (verdict.check == Verdict::kCut) return "too_long";
  return verdict.check == Verdict::kKept ? ""
                                         : plan_.checks[static_cast<std::size_t>(verdict.check)].rule->name;
}

}  // namespace gloss
