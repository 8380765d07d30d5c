#pragma once

#include <cstddef>

namespace gloss {

/// A 64-byte aligned block of memory with unspecified content. Freed blocks stay with the freeing thread and
/// serve its next requests of the same size class, so that steady work allocates nothing.
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

/// How often the calling thread had to ask the system for memory because its pool had no block of the class.
std::size_t pool_misses();

}  // namespace gloss
