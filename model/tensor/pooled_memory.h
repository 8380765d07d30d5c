// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>

namespace gloss {

/// A 64-byte aligned block of memory with unspecified content. Freed blocks stay in the pool of the freeing
/// thread for its next requests of the same size class, so that steady work allocates nothing.
class PooledMemory {
 public:
  PooledMemory() = default;
  explicit PooledMemory(std::size_t bytes);
  ~PooledMemory();
  PooledMemory(PooledMemory&& other) noexcept;
  PooledMemory& operator=(PooledMemory&& other) noexcept;

  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
  std::size_t size_class_ = 0;
};

/// Number of times the calling thread's pool had no block of the size class and asked the system for memory.
std::size_t pool_misses();

}  // namespace gloss
