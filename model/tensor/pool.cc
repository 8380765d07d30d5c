#include "model/tensor/pool.h"

#include <array>
#include <bit>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

namespace gloss {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kSteps = 4;       // size classes per power of two: at most a quarter is wasted
constexpr std::size_t kSmallest = 256;  // bytes

/// Rounds up to a multiple of a quarter of the power of two below.
std::size_t rounded(std::size_t bytes) {
  if (bytes <= kSmallest) return kSmallest;
  const std::size_t step = std::bit_floor(bytes - 1) / kSteps;
  return (bytes + step - 1) / step * step;
}

std::size_t class_index(std::size_t size) {
  const auto power = static_cast<std::size_t>(std::bit_width(size - 1));
  const std::size_t step = std::bit_floor(size - 1) / kSteps;
  return power * kSteps + (size - 1) / step % kSteps;
}

struct Pool {
  std::array<std::vector<void*>, 64 * kSteps> free;
  std::size_t misses = 0;
  ~Pool() {
    for (auto& blocks : free) {
      for (void* block : blocks) std::free(block);
    }
  }
};

// A pointer that becomes null when the thread's pool is gone, for blocks that outlive it.
thread_local Pool* current = nullptr;
struct Owner {
  Pool pool;
  Owner() { current = &pool; }
  ~Owner() { current = nullptr; }
};

Pool* pool() {
  thread_local Owner owner;
  return current;
}

}  // namespace

PooledMemory::PooledMemory(std::size_t bytes) : size_class_(rounded(bytes)) {
  Pool* const own = pool();
  if (own != nullptr) {
    std::vector<void*>& blocks = own->free[class_index(size_class_)];
    if (!blocks.empty()) {
      data_ = blocks.back();
      blocks.pop_back();
      return;
    }
    ++own->misses;
  }
  data_ = std::aligned_alloc(kAlignment, (size_class_ + kAlignment - 1) / kAlignment * kAlignment);
  if (data_ == nullptr) throw std::bad_alloc();
}

PooledMemory::~PooledMemory() {
  if (data_ == nullptr) return;
  if (Pool* const own = pool()) {
    own->free[class_index(size_class_)].push_back(data_);
  } else {
    std::free(data_);
  }
}

PooledMemory::PooledMemory(PooledMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_class_(other.size_class_) {}

PooledMemory& PooledMemory::operator=(PooledMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_class_, other.size_class_);
  return *this;
}

std::size_t pool_misses() { return pool()->misses; }

}  // namespace gloss
