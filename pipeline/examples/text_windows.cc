// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/text_windows.h"

#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "pipeline/examples/random_purposes.h"

namespace gloss {
namespace {

bool is_whole(double number) { return number == std::floor(number); }

}  // namespace

TextWindows::TextWindows(std::vector<WeightedText> texts, std::shared_ptr<const ExampleEncoder> encoder,
                         const WindowSettings& settings)
    : texts_(std::move(texts)),
      encoder_(std::move(encoder)),
      settings_(settings),
      order_(random_for(settings.seed, RandomPurpose::order)),
      chance_(random_for(settings.seed, RandomPurpose::examples)) {
  double lines = 0;
  for (std::uint32_t text = 0; text < texts_.size(); ++text) {
    const auto& [pairs, weight] = texts_[text];
    lines += static_cast<double>(pairs->lines()) * weight;
    for (std::int64_t block = 0; block < pairs->blocks(); ++block) {
      for (std::uint32_t copy = 0; copy < std::ceil(weight); ++copy) visits_.push_back({text, copy, block});
    }
  }
  const auto wanted = static_cast<std::int64_t>(std::ceil(lines / static_cast<double>(settings_.lines)));
  windows_ = std::clamp<std::int64_t>(wanted, 1, std::max<std::int64_t>(1, std::ssize(visits_)));
  same_in_every_epoch_ = windows_ == 1 && !encoder_->varies() &&
                         std::all_of(texts_.begin(), texts_.end(),
                                     [](const WeightedText& text) { return is_whole(text.weight); });
}

std::vector<TextWindows::Visit> TextWindows::visits_of(std::int64_t epoch, std::int64_t number) const {
  std::vector<Visit> visits = visits_;
  Random random = order_.derive(static_cast<std::uint64_t>(epoch));
  random.shuffle(visits);
  const std::int64_t count = std::ssize(visits);
  std::vector<Visit> window(visits.begin() + count * number / windows_,
                            visits.begin() + count * (number + 1) / windows_);
  std::sort(window.begin(), window.end());  // reads files sequentially; batches are shuffled later
  return window;
}

std::shared_ptr<const Corpus> TextWindows::window(std::int64_t epoch, std::int64_t number,
                                                  std::stop_token stop) {
  if (kept_) return kept_;
  const std::vector<Visit> visits = visits_of(epoch, number);
  const std::unique_ptr<Assembler> assembler = encoder_->assembler();
  const auto visit = [&](std::int64_t place) -> const Visit& { return visits[index(place)]; };
  encode_in_order(
      std::ssize(visits), settings_.threads, [&](std::int64_t place) { return encode(visit(place), epoch); },
      [&](const EncodedPairs& encoded, std::int64_t place) {
        const Random chance = chance_of(visit(place), epoch);
        assembler->add(encoded.pairs, place > 0 && follows(visit(place - 1), visit(place)),
                       encoder_->varies() ? &chance : nullptr);
      },
      stop);
  auto corpus = std::make_shared<Corpus>(assembler->finish());
  if (same_in_every_epoch_ && !stop.stop_requested()) kept_ = corpus;
  return corpus;
}

Random TextWindows::chance_of(const Visit& visit, std::int64_t epoch) const {
  return chance_.derive(static_cast<std::uint64_t>(epoch))
      .derive(visit.text)
      .derive(~static_cast<std::uint64_t>(visit.block))  // no line has such a number
      .derive(visit.copy);
}

EncodedPairs TextWindows::encode(const Visit& visit, std::int64_t epoch) const {
  const PairBlock block = texts_[visit.text].pairs->read(visit.block);
  const Random of_text = chance_.derive(static_cast<std::uint64_t>(epoch)).derive(visit.text);
  EncodedPairs encoded;
  std::int64_t line = block.first_line;
  for (const PairView& pair : block.pairs) {
    const std::int64_t counted = encoder_->keeps_lines_together() ? block.first_line : line;
    if (!pair.left_out && times_seen(visit.text, counted, epoch) > visit.copy) {
      Random of_line = of_text.derive(static_cast<std::uint64_t>(line)).derive(visit.copy);
      encoder_->encode(pair, line, encoder_->varies() ? &of_line : nullptr, encoded);
    }
    ++line;
  }
  return encoded;
}

std::int64_t TextWindows::times_seen(std::uint32_t text, std::int64_t line, std::int64_t epoch) const {
  const double weight = texts_[text].weight;
  if (is_whole(weight)) return static_cast<std::int64_t>(weight);
  // Each line has a counter that starts at random between 0 and 1 and grows by `weight` per epoch. The line
  // is seen each time the counter passes a whole number, so that at any time all lines have been seen about
  // equally often.
  const double start = order_.derive(text).derive(static_cast<std::uint64_t>(line)).uniform();
  const auto passed = [&](std::int64_t epochs) {
    return std::floor(start + static_cast<double>(epochs) * weight);
  };
  return static_cast<std::int64_t>(passed(epoch + 1) - passed(epoch));
}

}  // namespace gloss
