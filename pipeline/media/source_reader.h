// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "model/networks/network_settings.h"
#include "pipeline/examples/corpus.h"
#include "pipeline/media/audio_noise.h"
#include "pipeline/media/image_noise.h"
#include "pipeline/reading/item_list.h"

namespace gloss {

/// An item as a network reads it.
struct SourceItem {
  std::vector<TokenId> row;  ///< the numbers of its vectors, with the class token if the network has one
  ItemNumbers numbers;
};

/// Random changes of training items, of all types.
struct SourceNoise {
  ImageNoise image;
  AudioNoise audio;

  bool any() const { return image.any() || audio.any(); }
};
/// The fields of a type; none for text.
Fields fields_of(SourceNoise&, SourceType);

/// Reads the items of a source that is not text for a network. Thread-safe.
class SourceReader {
 public:
  virtual ~SourceReader() = default;
  /// An item of a list, changed at random if `random` is given. Throws InputError, with the name of the file,
  /// if it cannot be read.
  virtual SourceItem read(const ItemList&, std::string_view item, Random* random) const = 0;
  /// What items become, such as "16 vectors for each image of 32 x 32 grey pixels".
  virtual std::string description() const = 0;
};
/// The smallest item of a network, whose numbers are all 0.
SourceItem plain_item(const NetworkSettings&);
/// The reader for a network whose source is not text.
std::unique_ptr<const SourceReader> make_source_reader(const NetworkSettings&, const SourceNoise& = {});

}  // namespace gloss
