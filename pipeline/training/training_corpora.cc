// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/training_corpora.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/counted.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/index.h"
#include "pipeline/preparation/hold_out.h"

namespace gloss {

TrainingCorpora::TrainingCorpora(const CorpusMixSettings& settings, ParallelFiles validation,
                                 const std::string& output, Listener& listener)
    : output_(output), listener_(listener), record_(std::make_shared<nlohmann::json>()) {
  if (!validation.empty()) {
    validation = validation_of(settings, std::move(validation));
    validation.max_line_bytes = settings.max_line_bytes;
    validation_ = std::make_unique<IndexedPairs>(validation, output, listener);
  }
  std::vector<double> lines;
  nlohmann::json fingerprints = nlohmann::json::array(), alignments = nlohmann::json::array();
  for (const auto& [files, weight] : corpora_of(settings)) {
    texts_.push_back({std::make_shared<IndexedPairs>(files, output, listener), weight});
    lines.push_back(static_cast<double>(texts_.back().pairs->lines()) * weight);
    fingerprints.push_back(hexadecimal(texts_.back().pairs->fingerprint()));
    alignments.push_back(hexadecimal(texts_.back().pairs->links_fingerprint()));
  }
  *record_ = {{"training_text", fingerprints},
              {"validation_text", validation_ ? hexadecimal(validation_->fingerprint()) : ""}};
  if (!settings.guided_alignment.empty()) (*record_)["guided_alignment"] = alignments;
  if (settings.temperature == 1) return;
  const std::vector<double> balance = balance_of_languages(settings.languages, lines, settings.temperature);
  for (std::size_t i = 0; i < texts_.size(); ++i) texts_[i].weight *= balance[i];
}

void TrainingCorpora::hold_out(bool wanted, bool passage) {
  if (validation_) {
    warn_of_leaks(texts_, *validation_, listener_);
    return;
  }
  if (!wanted) return;
  const HoldOut chosen = passage ? choose_passage(texts_) : choose_hold_out(texts_, listener_);
  const IndexedPairs& text = *texts_[chosen.text].pairs;
  const std::string lines = text.noun() + "s";
  if (chosen.lines->empty()) {
    listener_.note(concat(
        text.text(), ": no ", lines, " are held out for validation, ",
        held_out_lines(text.lines()) > 0
            ? "since nearly all are repeated"
            : concat("since ", counted(text.lines(), "line"), text.lines() == 1 ? " is" : " are", " too few"),
        "; with ", text.is_parallel() ? "--valid-source and --valid-target" : "--valid-input",
        ", the best model is kept"));
    return;
  }
  listener_.note(concat(text.text(), ": ", passage ? "the last " : "", std::ssize(*chosen.lines), " of ",
                        text.lines(), " ", lines, " are held out for validation",
                        passage       ? ""
                        : chosen.near ? ", none with a near duplicate in the rest"
                                      : ", none with a copy in the rest",
                        "; to train on them too, give --no-hold-out"));
  (*record_)["held_out"] = {{"text", chosen.text}, {"lines", *chosen.lines}};
  take_held_out(chosen.text, chosen.lines);
}

void TrainingCorpora::take_held_out(std::size_t text, std::shared_ptr<const IndexedPairs::Lines> lines) {
  std::shared_ptr<const IndexedPairs>& pairs = texts_[text].pairs;
  validation_ = std::make_unique<IndexedPairs>(pairs->only(lines));
  pairs = std::make_shared<IndexedPairs>(pairs->without(std::move(lines)));
}

void TrainingCorpora::expect_same(const nlohmann::json& record, const std::string& checkpoint) {
  const auto expect = [&](const char* name, const std::string& text, const std::string& files) {
    const nlohmann::json none;
    if (record.is_object() && record.value(name, none) == record_->value(name, none)) return;
    throw UsageError(concat("the training in ", output_, " was started with another ", text, " than now: ",
                            files, "; restore it, choose another --output, or start over with --fresh"));
  };
  std::vector<std::string> names, alignments;
  for (const WeightedText& text : texts_) {
    names.push_back(text.pairs->text());
    if (!text.pairs->links().empty()) alignments.push_back(text.pairs->links());
  }
  expect("training_text", "training text", join(names, "; "));
  expect("validation_text", "validation text", validation_ ? validation_->text() : "none");
  expect("guided_alignment", "--guided-alignment", alignments.empty() ? "none" : join(alignments, "; "));
  recorded_ = recorded_findings(record, checkpoint);
  if (record.contains("held_out")) restore_held_out(record.at("held_out"), checkpoint);
  if (record.contains("lengths")) {
    lengths_ = read_lengths(record.at("lengths"), checkpoint + "/training.json: lengths");
  }
}

void TrainingCorpora::restore_held_out(const nlohmann::json& held_out, const std::string& checkpoint) {
  const std::string place = checkpoint + "/training.json: held_out";
  const auto whole = [&](const nlohmann::json& value, std::int64_t least, std::int64_t most) {
    if (value.is_number_integer() && value >= least && value <= most) return value.get<std::int64_t>();
    throw InputError(concat(place, ": expected a number from ", least, " to ", most));
  };
  if (!held_out.is_object() || !held_out.contains("text") || !held_out.contains("lines") ||
      !held_out.at("lines").is_array()) {
    throw InputError(concat(place, ": expected the number of a text and a list of lines"));
  }
  const std::int64_t text = whole(held_out.at("text"), 0, std::ssize(texts_) - 1);
  auto lines = std::make_shared<IndexedPairs::Lines>();
  std::int64_t least = 1;
  for (const nlohmann::json& line : held_out.at("lines")) {
    lines->push_back(whole(line, least, texts_[index(text)].pairs->lines()));
    least = lines->back() + 1;
  }
  (*record_)["held_out"] = held_out;
  take_held_out(index(text), lines);
}

std::vector<Findings> TrainingCorpora::recorded_findings(const nlohmann::json& record,
                                                         const std::string& checkpoint) const {
  const std::string file = checkpoint + "/training.json";
  const auto known = record.find("found");
  if (known == record.end() || !known->is_array() || known->size() != texts_.size()) {
    throw InputError(concat(file, ": expected a list \"found\" of ", texts_.size(), " texts"));
  }
  std::vector<Findings> all(texts_.size());
  for (std::size_t i = 0; i < all.size(); ++i) fields_from_json(fields_of(all[i]), known->at(i), file);
  return all;
}

void TrainingCorpora::survey(const ExampleEncoder& encoder, int threads) {
  nlohmann::json all = nlohmann::json::array();
  LengthCounts source, target, expansions;
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const IndexedPairs& text = *texts_[i].pairs;
    Findings found = recorded_.empty() ? gloss::survey(text, encoder, threads, listener_) : recorded_[i];
    encoder.report(found, text.text(), listener_);
    all.push_back(fields_to_json(fields_of(found)));
    tokens_ += std::llround(texts_[i].weight * static_cast<double>(found.longer_tokens));
    source.add(found.source_lengths);
    target.add(found.target_lengths);
    expansions.add(found.expansions);
  }
  (*record_)["found"] = all;
  if (recorded_.empty()) {
    lengths_ = {
        .source = source.lengths(), .target = target.lengths(), .expansion = expansion_of(expansions)};
  }
  if (lengths_.known()) (*record_)["lengths"] = lengths_json(lengths_);
}

}  // namespace gloss
