// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/batch_stream.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "pipeline/examples/random_purposes.h"

namespace gloss {
namespace {

/// Number of random numbers of an epoch that are reserved for each window.
constexpr std::uint64_t kNumbersPerWindow = std::uint64_t{1} << 40;

}  // namespace

BatchStream::BatchStream(WindowReader& source, const BatchSettings& settings, std::int64_t seed)
    : source_(source),
      settings_(settings),
      random_(random_for(seed, RandomPurpose::batches)),
      preparer_([this](std::stop_token stop) { prepare_ahead(stop); }) {}

BatchStream::~BatchStream() = default;

UpdateBatches BatchStream::next(DataPosition& position, std::int64_t number) {
  const int batches = batches_of(settings_, number);
  UpdateBatches update(settings_.gradient_shards, position.epoch);
  const auto at_end = [&] { return position.batch >= window_at(position).batches.size(); };
  while (update.size() < batches) {
    if (!at_end()) {
      update.add(*current_->pairs, current_->batches.batch(position.batch++), current_);
      continue;
    }
    leave_window(position);
    if (position.starts_epoch()) return update;
  }
  // The last update of an epoch moves to the next one, even if windows without a usable pair follow.
  while (!position.starts_epoch() && at_end()) leave_window(position);
  return update;
}

double BatchStream::passes(const DataPosition& position) {
  const auto batches = static_cast<double>(std::max<std::int64_t>(1, window_at(position).batches.size()));
  const double within = std::min(1.0, static_cast<double>(position.batch) / batches);
  const auto windows = static_cast<double>(source_.windows());
  return static_cast<double>(position.epoch) + (static_cast<double>(position.window) + within) / windows;
}

void BatchStream::leave_window(DataPosition& position) const {
  position.batch = 0;
  if (++position.window < source_.windows()) return;
  position.window = 0;
  ++position.epoch;
}

const BatchStream::Prepared& BatchStream::window_at(const DataPosition& position) {
  const WindowPosition place{position.epoch, position.window};
  if (!current_ || current_->place != place) {
    const bool first = !current_;
    current_.reset();  // free its memory before another window is prepared
    const auto begin = std::chrono::steady_clock::now();
    current_ = wait_for(place);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    waiting_seconds_ += seconds;
    if (first) first_waiting_seconds_ = seconds;
  }
  return *current_;
}

std::shared_ptr<const BatchStream::Prepared> BatchStream::wait_for(WindowPosition place) {
  std::unique_lock lock(guard_);
  if (ready_ && ready_->place != place) ready_.reset();
  if (!ready_) wanted_ = place;
  changed_.notify_all();
  changed_.wait(lock, [&] { return failure_ || (ready_ && ready_->place == place); });
  if (failure_) std::rethrow_exception(failure_);
  changed_.notify_all();
  return std::exchange(ready_, nullptr);
}

void BatchStream::prepare_ahead(std::stop_token stop) {
  std::unique_lock lock(guard_);
  while (changed_.wait(lock, stop, [&] { return wanted_ && !ready_; })) {
    const WindowPosition place = *wanted_;
    lock.unlock();
    std::shared_ptr<const Prepared> prepared;
    std::exception_ptr failure;
    try {
      prepared = prepare(place, stop);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (stop.stop_requested()) return;
    if (wanted_ != place) continue;  // another window was requested meanwhile
    failure_ = failure;
    ready_ = prepared;
    DataPosition next{place.epoch, place.window, 0};
    leave_window(next);
    wanted_ = {next.epoch, next.window};
    changed_.notify_all();
    if (failure) return;
  }
}

std::shared_ptr<const BatchStream::Prepared> BatchStream::prepare(WindowPosition place,
                                                                  std::stop_token stop) {
  const Random epoch = random_.derive(static_cast<std::uint64_t>(place.epoch));
  const Random window(epoch.seed(), static_cast<std::uint64_t>(place.window) * kNumbersPerWindow);
  std::shared_ptr<const Corpus> pairs = source_.window(place.epoch, place.window, stop);
  if (stop.stop_requested()) return nullptr;
  return std::make_shared<const Prepared>(place, std::move(pairs), settings_.batch_tokens, window);
}

}  // namespace gloss
