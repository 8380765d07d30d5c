// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/learning_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json.h"

namespace gloss {
namespace {

// The figures that follow are those of docs/training_advice.md, where they are explained and measured.

constexpr std::int64_t kFewLines = 200'000, kManyLines = 2'000'000;

// Vocabulary: kUsualPieces for kUsualWords; with more words it grows more slowly.
constexpr double kUsualWords = 700'000, kUsualPieces = 8000;
constexpr double kPiecesBelow = 0.5, kPiecesAbove = 0.3;
/// Each character has a piece, also those that the sample lacks.
constexpr double kPiecesPerCharacter = 2;
constexpr int kSizes[] = {500, 1000, 2000, 3000, 4000, 6000, 8000, 12'000, 16'000, 24'000, 32'000};

// Length: kUsualUpdates for kUsualTokens on the longer sides of the pairs.
constexpr double kUsualTokens = 435'000, kUsualUpdates = 2100, kUpdatesGrow = 0.6;
constexpr std::int64_t kFewestUpdates = 200, kMostUpdates = 100'000;
/// The growth of the vocabulary of natural text; a text with less is known sooner.
constexpr double kNaturalGrowth = 0.6, kLeastShare = 0.3;
/// With fewer different words, which may be letters or symbols, growth says nothing.
constexpr std::int64_t kFewWords = 500;

// Batches.
constexpr int kBatch = 4096, kSmallestBatch = 1024;
constexpr double kBatchesPerEpoch = 60;
/// The factor on the number of updates with half the batch.
constexpr double kHalfBatch = 1.75;
/// With a time limit, a network is made smaller unless it has these numbers of updates,
constexpr double kSmallUpdates = 2000, kBaseUpdates = 10'000;
/// and then the updates are, until there are as many as these.
constexpr std::int64_t kEnoughUpdates = 400;

// Steps.
constexpr double kMuonRate = 0.0045, kMuonWidth = 128, kPostNorm = 0.78;
constexpr double kAdamRate = 0.0005, kAdamWidth = 512;
constexpr double kCooldown = 0.5;
/// From trained weights.
constexpr double kStartRate = 0.4, kStartUpdates = 0.5;

// Validations of a training, and the share of it without a new best after which it stops.
constexpr std::int64_t kValidations = 10, kLongestInterval = 300, kShortestInterval = 20;
constexpr double kPatience = 0.6;

/// The number nearest to `value` with two significant digits.
double rounded(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1e", value);
  return std::strtod(text.data(), nullptr);
}

bool is_student(Preset preset) { return preset == Preset::student || preset == Preset::student_tiny; }

/// The first `count` of some values that repeat.
nlohmann::json repeated(const nlohmann::json& values, int count) {
  nlohmann::json all = nlohmann::json::array();
  while (std::ssize(all) < std::max(1, count)) all.push_back(values[all.size() % values.size()]);
  return all;
}

std::string option_text(const Field& field) {
  return concat("--", option_name(field.name), " ", field_text(field));
}

}  // namespace

Preset preset_for(std::int64_t lines) {
  if (lines < kFewLines) return Preset::tiny;
  return lines < kManyLines ? Preset::small : Preset::base;
}

int pieces_for(double words, int characters) {
  const double share = words / kUsualWords;
  const double pieces = std::max(kUsualPieces * std::pow(share, share < 1 ? kPiecesBelow : kPiecesAbove),
                                 kPiecesPerCharacter * characters);
  const auto* const nearest =
      std::ranges::min_element(kSizes, {}, [&](int size) { return std::abs(std::log(pieces / size)); });
  return *nearest;
}

LearningPlan::LearningPlan(const Planning& planning, NetworkSettings& network, TokenizerSettings& tokenizers,
                           LoopSettings& loop, TextSample figures, const LearningTask& task, bool validates)
    : planning_(planning),
      network_(network),
      tokenizers_(tokenizers),
      loop_(loop),
      figures_(std::move(figures)),
      task_(task),
      validates_(validates) {}

bool LearningPlan::given(const void* member) const {
  Fields fields = planned_fields_of(network_, tokenizers_, loop_);
  return planning_.given.contains(field_at(fields, member).name);
}

template <class Member>
void LearningPlan::choose(Member& member, const Member& value) {
  if (!given(&member)) member = value;
}

void LearningPlan::choose_vocabulary() {
  if (planning_.starts || !tokenizers_.learned() || given(&tokenizers_.vocab_size)) return;
  tokenizers_.vocab_size = pieces_for(figures_.words(), figures_.characters);
  tokenizers_.fewer_pieces = true;
}

void LearningPlan::choose_rest(std::int64_t tokens) {
  tokens_ = std::max(1.0, static_cast<double>(tokens));
  choose_batches();
  const double share = small_language() ? std::max(figures_.growth / kNaturalGrowth, kLeastShare) : 1;
  if (const std::optional<std::int64_t> limit = other_limit(); limit) {
    choose_length(*limit);
    choose(loop_.training.max_updates, std::int64_t{0});
    return;
  }
  const double halved = std::max(0.0, std::log2(kBatch / tokens_per_update()));
  const double updates = kUsualUpdates * std::pow(tokens_ / kUsualTokens, kUpdatesGrow) * share *
                         std::pow(kHalfBatch, halved) * task_.updates *
                         (planning_.starts ? kStartUpdates : 1);
  const std::int64_t limit = given_updates();
  choose_length(limit > 0
                    ? limit
                    : std::clamp(static_cast<std::int64_t>(rounded(updates)), kFewestUpdates, kMostUpdates));
  // A rate that needs no end goes on until the time is over.
  if (loop_.training.max_minutes > 0 && !needs_end(loop_.schedule))
    choose(loop_.training.max_updates, std::int64_t{0});
}

bool LearningPlan::fit_time(double seconds, double update_seconds) {
  double updates = seconds / update_seconds;
  if (choose_smaller_network(updates)) return false;
  while (updates < kEnoughUpdates && !given(&loop_.batches.batch_tokens) &&
         tokens_per_update() > kSmallestBatch) {
    loop_.batches.batch_tokens /= 2;
    updates *= 1.9;  // half a batch takes a little more than half the time
  }
  const std::int64_t limit = given_updates();
  const auto fitting = std::max<std::int64_t>(1, static_cast<std::int64_t>(updates));
  choose_length(limit > 0 ? std::min(limit, fitting) : fitting);
  choose(loop_.training.max_updates, std::int64_t{0});  // the number may be corrected
  return true;
}

bool LearningPlan::choose_smaller_network(double updates) {
  if (!planning_.network_of || planning_.preset) return false;
  const double needed = preset_ == Preset::base ? kBaseUpdates : preset_ == Preset::small ? kSmallUpdates : 0;
  if (updates >= needed) return false;
  use_preset(preset_ == Preset::base ? Preset::small : Preset::tiny);
  return true;
}

void LearningPlan::choose_network() {
  if (!planning_.network_of) return;
  use_preset(planning_.preset.value_or(preset_for(figures_.lines)));
}

void LearningPlan::use_preset(Preset preset) {
  preset_ = preset;
  network_ = planning_.network_of(preset);
  if (is_student(preset)) return;
  take_network_parts({{"norm", "pre"}, {"norm_type", "rms"}});
  nlohmann::json parts = task_.network;
  for (const auto& [name, layers] : {std::pair("encoder_mixers", network_.sizes.encoder_layers),
                                     std::pair("decoder_mixers", network_.sizes.decoder_layers)}) {
    if (parts.contains(name) && parts[name].size() > 1) parts[name] = repeated(parts[name], layers);
  }
  take_network_parts(parts);
}

/// Takes values that belong together, unless one of them was given or they conflict with what was given.
void LearningPlan::take_network_parts(const nlohmann::json& values) {
  for (const auto& value : values.items()) {
    if (planning_.given.contains(value.key())) return;
  }
  const NetworkSettings before = network_;
  try {
    take_values(values, chosen_fields_of(network_), {});
    check_chosen(network_);
    refuse_unused(network_, [&](const std::string& name) { return planning_.given.contains(name); });
  } catch (const UsageError&) {
    network_ = before;
  }
}

/// The limit in updates; 0: none was given.
std::int64_t LearningPlan::given_updates() const {
  return given(&loop_.training.max_updates) ? loop_.training.max_updates : 0;
}

bool LearningPlan::small_language() const {
  return figures_.different_words >= kFewWords && figures_.growth < kNaturalGrowth;
}

void LearningPlan::choose_batches() {
  int batch = kBatch;
  if (tokens_ / batch < kBatchesPerEpoch) batch /= 2;
  choose(loop_.batches.batch_tokens, std::max(1, batch / planning_.ranks));
}

double LearningPlan::tokens_per_update() const {
  return static_cast<double>(loop_.batches.batch_tokens) * loop_.batches.accumulation * planning_.ranks;
}

double LearningPlan::epochs() const {
  return static_cast<double>(updates_) / std::max(1.0, tokens_ / tokens_per_update());
}

/// About the updates of a training that ends after passes, tokens, or at a time without regard to its rate.
std::optional<std::int64_t> LearningPlan::other_limit() const {
  const TrainingSettings& training = loop_.training;
  double tokens = std::numeric_limits<double>::infinity();
  if (training.max_epochs > 0) tokens = static_cast<double>(training.max_epochs) * tokens_;
  if (training.max_tokens > 0) tokens = std::min(tokens, static_cast<double>(training.max_tokens));
  if (!std::isfinite(tokens)) return std::nullopt;
  return std::max<std::int64_t>(1, std::llround(tokens / tokens_per_update()));
}

void LearningPlan::choose_length(std::int64_t updates) {
  choose(loop_.training.max_updates, updates);
  updates_ = updates;
  const std::int64_t interval = std::clamp(updates_ / kValidations, kShortestInterval, kLongestInterval);
  choose(loop_.training.valid_interval, interval);
  if (validates_) {
    choose(loop_.training.stop_on, task_.figure);
    const double patience = kPatience * static_cast<double>(updates_) / static_cast<double>(interval);
    choose(loop_.training.early_stopping, std::max<std::int64_t>(4, std::llround(patience)));
  }
  choose_steps();
}

void LearningPlan::choose_steps() {
  const bool transformer = has_presets(network_);
  choose(loop_.optimizer.update, transformer ? Update::muon : Update::adam);
  constexpr std::int64_t kWarmupPart = 9, kLongestWarmup = 4000;
  choose(loop_.schedule.warmup_updates, static_cast<int>(std::min(updates_ / kWarmupPart, kLongestWarmup)));
  const auto falling = static_cast<double>(updates_ - loop_.schedule.warmup_updates) * kCooldown;
  choose(loop_.schedule.decay, falling < 1 ? Decay::constant : Decay::cooldown);
  if (loop_.schedule.decay == Decay::cooldown) choose(loop_.schedule.cooldown, kCooldown);
  const bool muon = loop_.optimizer.update == Update::muon;
  const double width = transformer ? network_.sizes.width : kAdamWidth / 4;
  double rate = muon ? kMuonRate * std::sqrt(kMuonWidth / width) : kAdamRate * kAdamWidth / width;
  const double batch = tokens_per_update() / kBatch;
  rate *= std::min(1.0, std::pow(batch, 0.3));
  if (normalises_sums(network_)) rate *= kPostNorm;
  if (planning_.starts) rate *= kStartRate;
  choose(loop_.schedule.learning_rate, rounded(rate));
  if (!planning_.network_of) return;
  const double passes = epochs();
  const bool symbols = figures_.words() > 0 && figures_.different_words < kFewWords;  // of which all count
  const double dropout = symbols || passes < 4 ? 0.1 : passes < 15 ? 0.2 : passes < 25 ? 0.25 : 0.3;
  choose(network_.sizes.dropout, dropout);
  choose(network_.sizes.embedding_dropout, dropout);
}

std::vector<std::string> LearningPlan::text() {
  const Fields fields = planned_fields_of(network_, tokenizers_, loop_);
  std::vector<std::string> lines;
  // A line of settings, unless all of them were given or have no effect.
  const auto add = [&](const std::string& what, const std::vector<std::string>& names, const std::string& why,
                       bool chosen = false) {
    std::string line = what;
    for (const std::string& name : names) {
      const auto field = std::ranges::find(fields, name, &Field::name);
      line += " " + option_text(*field);
      chosen = chosen || !planning_.given.contains(name);
    }
    if (chosen) lines.push_back(line + ": " + why);
  };
  if (tokenizers_.learned() && !planning_.starts && figures_.words() > 0) {
    add("  vocabulary ", {"vocab_size"},
        concat("for ", fixed_text(figures_.words() / 1000, 0), " thousand words"));
  }
  if (planning_.network_of) {
    const auto sizes_of = [this](Preset preset) {
      NetworkSettings network = planning_.network_of(preset);
      return fields_to_json(fields_of(network));
    };
    const bool chosen = !planning_.preset && sizes_of(Preset::tiny) != sizes_of(Preset::base);
    Preset shown = preset_;
    std::vector<std::string> parts;
    for (const auto& part : task_.network.items()) parts.push_back(part.key());
    parts.insert(parts.end(), {"norm", "norm_type"});
    add(concat("  network    ", chosen ? " " + option_text({"preset", preset_choice(shown), ""}) : ""), parts,
        concat("for ", figures_.lines, " ", figures_.noun), chosen);
  }
  const bool cooldown = loop_.schedule.decay == Decay::cooldown;
  std::vector<std::string> steps{"optimizer", "learning_rate", "warmup_updates", "schedule"};
  if (cooldown) steps.emplace_back("cooldown");
  add("  steps      ", steps, cooldown ? "the rate rises, stays, and falls to 0 at the end" : "as given");
  std::vector<std::string> length{"batch_tokens"};
  if (loop_.training.max_updates > 0) length.insert(length.begin(), "max_updates");
  add("  length     ", length,
      concat(updates_, " updates, ", fixed_text(epochs(), epochs() < 10 ? 1 : 0), " passes",
             small_language() ? " over a small language, whose vocabulary hardly grows" : ""));
  if (planning_.network_of) {
    add("  overfitting", {"dropout", "embedding_dropout"}, "more for more passes over the text");
  }
  if (validates_)
    add("  validation ", {"valid_interval", "early_stopping", "stop_on"}, "keeps the best model");
  if (lines.empty()) return lines;
  lines.insert(lines.begin(),
               concat("plan for ", figures_.text(), "; each option that you give replaces its part:"));
  return lines;
}

}  // namespace gloss
