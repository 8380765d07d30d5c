// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/can_multiply.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/tensor/onednn.h"

namespace gloss {
namespace {

using Tag = dnnl::memory::format_tag;
using Type = dnnl::memory::data_type;

constexpr std::int64_t kSize = 64;  // rows and columns of the matrices of a trial

dnnl::matmul::primitive_desc describe_trial(Type a, Type b, Type c) {
  const auto matrix = [](Type type) { return dnnl::memory::desc({kSize, kSize}, type, Tag::ab); };
  return onednn::describe(matrix(a), matrix(b), matrix(c), {});
}

/// Multiplies the largest numbers: without instructions that sum products of 8 bits in 32, oneDNN adds pairs
/// of them in 16, which overflow.
bool int8_is_exact() {
  const auto product = describe_trial(Type::u8, Type::s8, Type::s32);
  // A reference implementation is exact, but slower than f32.
  if (std::string_view(product.impl_info_str()).find("ref") != std::string_view::npos) return false;
  constexpr std::uint8_t kLargestA = 255;
  constexpr std::int8_t kLargestB = 127;
  const std::vector<std::uint8_t> a(kSize * kSize, kLargestA);
  const std::vector<std::int8_t> b(kSize * kSize, kLargestB);
  std::vector<std::int32_t> c(kSize * kSize);
  onednn::Product(product, false)(a.data(), b.data(), c.data(), nullptr);
  return std::ranges::all_of(c, [](std::int32_t sum) { return sum == kSize * kLargestA * kLargestB; });
}

/// The result of `trial`, false if oneDNN has no product for it.
template <class Trial>
bool succeeds(Trial trial) {
  try {
    return trial();
  } catch (const dnnl::error&) {
    return false;
  }
}

}  // namespace

bool can_multiply(DType type) {
  if (type == DType::int4) return false;
  if (type == DType::int8) {
    static const bool exact = succeeds(int8_is_exact);
    return exact;
  }
  const Type number = onednn::data_type(type);
  return succeeds([&] {
    describe_trial(number, number, number);
    return true;
  });
}

}  // namespace gloss
