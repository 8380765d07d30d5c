// SPDX-License-Identifier: Apache-2.0

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
#include "pipeline/examples/batching.h"
#include "pipeline/examples/corpus.h"

namespace gloss {

/// The position of a training in its data.
struct DataPosition {
  std::int64_t epoch = 0;   ///< whole passes over the corpus
  std::int64_t window = 0;  ///< windows done in this epoch
  std::int64_t batch = 0;   ///< batches done in this window
  bool starts_epoch() const { return window == 0 && batch == 0; }
};

/// Provides the pairs of each epoch in windows that fit into memory.
class WindowReader {
 public:
  virtual ~WindowReader() = default;
  /// Number of windows per epoch, at least 1.
  virtual std::int64_t windows() const = 0;
  /// The pairs of a window, which depend on its epoch and number only; called from one thread at a time. The
  /// result is ignored after a stop request.
  virtual std::shared_ptr<const Corpus> window(std::int64_t epoch, std::int64_t number,
                                               std::stop_token stop) = 0;
};

/// The batches of a training, epoch after epoch. Pairs are shuffled and sorted by length within a window; a
/// background thread prepares the next window during training on the current one. The batches depend on
/// source, settings and seed only, not on timing or on the starting position.
class BatchStream {
 public:
  /// `source` must outlive the stream.
  BatchStream(WindowReader& source, const BatchSettings&, std::int64_t seed);
  ~BatchStream();
  BatchStream(const BatchStream&) = delete;
  BatchStream& operator=(const BatchStream&) = delete;

  /// The batches of `update`, counted from 1: `batches_of` batches from `position`, fewer at the end of an
  /// epoch, none if the rest of the epoch has no pair, as no update extends over two epochs. Advances
  /// `position`. Throws the exceptions of `source`.
  UpdateBatches next(DataPosition& position, std::int64_t update);
  std::int64_t windows() const { return source_.windows(); }
  /// The number of passes over the corpus before `position`, with a fraction; all windows have equal weight.
  double passes(const DataPosition& position);
  /// The time `next` has waited for windows, and for the first one.
  double waiting_seconds() const { return waiting_seconds_; }
  double first_waiting_seconds() const { return first_waiting_seconds_; }

 private:
  struct WindowPosition {
    std::int64_t epoch, window;
    bool operator==(const WindowPosition&) const = default;
  };
  struct Prepared {
    Prepared(WindowPosition at, std::shared_ptr<const Corpus> of, int batch_tokens, Random random)
        : place(at), pairs(std::move(of)), batches(*pairs, batch_tokens, random) {}
    WindowPosition place;
    std::shared_ptr<const Corpus> pairs;
    EpochBatches batches;
  };

  /// Moves to the first batch of the next window.
  void leave_window(DataPosition& position) const;
  const Prepared& window_at(const DataPosition& position);
  std::shared_ptr<const Prepared> wait_for(WindowPosition place);
  void prepare_ahead(std::stop_token stop);
  std::shared_ptr<const Prepared> prepare(WindowPosition place, std::stop_token stop);

  WindowReader& source_;
  BatchSettings settings_;
  Random random_;
  std::shared_ptr<const Prepared> current_;
  double waiting_seconds_ = 0, first_waiting_seconds_ = 0;

  std::mutex guard_;
  std::condition_variable_any changed_;
  std::optional<WindowPosition> wanted_;   // the window in preparation or the next one
  std::shared_ptr<const Prepared> ready_;  // the window before `wanted_`
  std::exception_ptr failure_;
  std::jthread preparer_;  // the last member: it uses the others
};

}  // namespace gloss
