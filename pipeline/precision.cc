#include "pipeline/precision.h"

#include "base/error.h"
#include "model/tensor/kernels.h"
#include "model/tensor/matmul.h"
#include "model/tensor/packed_matrix.h"
#include "model/tensor/profile.h"
#include "pipeline/flat_arrays.h"

namespace gloss {
namespace {

const ProfiledOperation kCopies("weights to bf16");

}  // namespace

Choice training_precision_choice(Precision& precision) { return choice(precision, {"auto", "f32", "bf16"}); }
Choice translation_precision_choice(Precision& precision) {
  return choice(precision, {"auto", "f32", "bf16", "int8"});
}

Precision resolved(Precision precision) {
  if (precision == Precision::automatic) {
    return has_native_bf16() && can_multiply(DType::bf16) ? Precision::bf16 : Precision::f32;
  }
  if (precision == Precision::bf16 && !can_multiply(DType::bf16)) {
    throw UsageError("--precision bf16: this processor cannot multiply bf16 numbers; choose f32 or auto");
  }
  return precision;
}

DType translation_type(Precision precision, DType stored) {
  const DType type = precision == Precision::automatic ? stored
                     : precision == Precision::f32     ? DType::f32
                     : precision == Precision::bf16    ? DType::bf16
                                                       : DType::int8;
  const bool possible = type == DType::int8 ? can_multiply_int8() : can_multiply(type);
  if (!possible) {
    throw UsageError(concat("this processor cannot multiply ", name_of(type), " numbers",
                            type == DType::int8 ? " exactly (it has no VNNI instructions)" : "",
                            "; choose another --precision, such as f32"));
  }
  return type;
}

void WeightCopies::refresh(WorkerThreads& workers) {
  over_ranges(workers, weights_.size(), [&](std::size_t begin, std::size_t end) {
    const ProfiledTime time(kCopies, 0, 6 * static_cast<std::int64_t>(end - begin));
    kernels().narrow(weights_.data() + begin, copies_.data() + begin, static_cast<std::int64_t>(end - begin));
  });
}

}  // namespace gloss
