#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "base/random.h"
#include "pipeline/batching.h"
#include "pipeline/corpus.h"

namespace gloss {

/// Where a training stands in its data: behind so many batches of a window of an epoch.
struct DataPosition {
  std::int64_t epoch = 0;   ///< whole passes over the corpus
  std::int64_t window = 0;  ///< windows done in this epoch
  std::int64_t batch = 0;   ///< batches done in this window
  bool starts_epoch() const { return window == 0 && batch == 0; }
};

/// Gives the pairs of each epoch in windows: parts that are small enough for memory.
class WindowSource {
 public:
  virtual ~WindowSource() = default;
  /// Windows of an epoch, at least 1.
  virtual std::int64_t windows() const = 0;
  /// The pairs of a window, a function of its epoch and number alone; called from one thread at a time. What
  /// it returns once a stop was requested is not used.
  virtual std::shared_ptr<const Corpus> window(std::int64_t epoch, std::int64_t number,
                                               std::stop_token stop) = 0;
};

/// The batches of a training, epoch after epoch. Pairs are shuffled and sorted by length within a window; the
/// next window is prepared on a thread of its own while the one before is learned from. What comes is a
/// function of source, settings and seed, whenever it is asked for and wherever it starts.
class BatchStream {
 public:
  /// `source` must live longer.
  BatchStream(WindowSource& source, const BatchSettings&, std::int64_t seed);
  ~BatchStream();
  BatchStream(const BatchStream&) = delete;
  BatchStream& operator=(const BatchStream&) = delete;

  /// The next update's batches: `accumulation` of them from `position` on, fewer at the end of an epoch.
  /// Moves `position` behind them; an update never reaches into a second epoch, so that there are none if
  /// what is left of the epoch has no pair. Throws what `source` throws.
  UpdateBatches next(DataPosition& position);
  std::int64_t windows() const { return source_.windows(); }
  /// How many passes over the corpus lie before `position`, windows counting alike.
  double passes(const DataPosition& position);
  /// How long `next` has waited for windows, and how long of that for the very first.
  double waiting_seconds() const { return waiting_seconds_; }
  double first_waiting_seconds() const { return first_waiting_seconds_; }

 private:
  struct WindowPlace {
    std::int64_t epoch, window;
    bool operator==(const WindowPlace&) const = default;
  };
  struct Prepared {
    Prepared(WindowPlace at, std::shared_ptr<const Corpus> of, int batch_tokens, Random random)
        : place(at), pairs(std::move(of)), batches(*pairs, batch_tokens, random) {}
    WindowPlace place;
    std::shared_ptr<const Corpus> pairs;
    EpochBatches batches;
  };

  /// Moves to the first batch of the next window.
  void leave_window(DataPosition& position) const;
  const Prepared& window_at(const DataPosition& position);
  std::shared_ptr<const Prepared> wait_for(WindowPlace place);
  void prepare_ahead(std::stop_token stop);
  std::shared_ptr<const Prepared> prepare(WindowPlace place, std::stop_token stop);

  WindowSource& source_;
  BatchSettings settings_;
  Random random_;
  std::shared_ptr<const Prepared> current_;
  double waiting_seconds_ = 0, first_waiting_seconds_ = 0;

  std::mutex guard_;
  std::condition_variable_any changed_;
  std::optional<WindowPlace> wanted_;      // to be prepared next or just now
  std::shared_ptr<const Prepared> ready_;  // the one before `wanted_`
  std::exception_ptr failure_;
  std::jthread preparer_;  // the last member: it uses the others
};

}  // namespace gloss
