#include "model/tensor/pool.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

namespace gloss {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kSmallest = 256;  // bytes

// Blocks are whole powers of two: batches of different sizes then share the same blocks instead of keeping
// some for each size, and what a block has too much is never touched, so that it takes addresses but no
// memory.
std::size_t rounded(std::size_t bytes) { return std::bit_ceil(std::max(bytes, kSmallest)); }

std::size_t class_index(std::size_t size) { return static_cast<std::size_t>(std::countr_zero(size)); }

struct Pool {
  std::array<std::vector<void*>, 64> free;  // by the power of two
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
  data_ = std::aligned_alloc(kAlignment, size_class_);
  if (data_ == nullptr) throw std::bad_alloc();
}

PooledMemory::~PooledMemory() {
  if (data_ == nullptr) return;
  if (Pool* const own = pool()) {
    try {
      own->free[class_index(size_class_)].push_back(data_);
      return;
    } catch (const std::bad_alloc&) {
      // No memory is left to remember it with: it goes back to the system.
    }
  }
  std::free(data_);
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
