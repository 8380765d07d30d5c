// SPDX-License-Identifier: Apache-2.0

#include "base/checksum.h"

#ifdef GLOSS_XXHASH_DISPATCHES
#include <xxh_x86dispatch.h>  // the same sums, with the widest instructions of the processor
#else
#include <xxhash.h>
#endif

#include <new>

#include "base/text.h"

namespace gloss {

struct Checksum::State {
  XXH3_state_t* xxh = XXH3_createState();
  State() {
    if (xxh == nullptr) throw std::bad_alloc();
    XXH3_128bits_reset(xxh);
  }
  ~State() { XXH3_freeState(xxh); }
};

Checksum::Checksum() : state_(std::make_unique<State>()) {}
Checksum::~Checksum() = default;

void Checksum::add(std::span<const std::byte> bytes) {
  XXH3_128bits_update(state_->xxh, bytes.data(), bytes.size());
}

std::string Checksum::text() const {
  const XXH128_hash_t sum = XXH3_128bits_digest(state_->xxh);
  return hexadecimal(sum.high64) + hexadecimal(sum.low64);
}

std::string checksum(std::string_view bytes) {
  Checksum sum;
  sum.add(bytes);
  return sum.text();
}

ByteHash byte_hash(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

}  // namespace gloss
