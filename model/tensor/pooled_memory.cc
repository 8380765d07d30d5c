// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/pooled_memory.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

#include "base/index.h"
#include "base/memory.h"

namespace gloss {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kSmallest = 256;  // bytes

// Blocks are powers of two, so that batches of different sizes share blocks instead of keeping some for each
// size. The unused end of a block is never touched: it takes address space but no memory.
std::size_t rounded(std::size_t bytes) { return std::bit_ceil(std::max(bytes, kSmallest)); }

std::size_t class_index(std::size_t size) { return index(std::countr_zero(size)); }

struct Pool {
  std::array<std::vector<void*>, 64> free;  // by exponent
  std::size_t misses = 0;
  ~Pool() {
    for (auto& blocks : free) {
      for (void* block : blocks) std::free(block);
    }
  }
};

// Null after the thread's pool is destroyed, for blocks that outlive it.
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
  if (data_ == nullptr) refuse_memory(size_class_);
}

PooledMemory::~PooledMemory() {
  if (data_ == nullptr) return;
  if (Pool* const own = pool()) {
    try {
      own->free[class_index(size_class_)].push_back(data_);
      return;
    } catch (const std::bad_alloc&) {
      // Out of memory for the free list: return the block to the system.
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
