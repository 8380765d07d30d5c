// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/onednn.h"

#include <new>
#include <optional>

#include "base/error.h"
#include "base/memory.h"
#include "model/kernels/instruction_set.h"
#include "model/tensor/matmul.h"
#include "model/tensor/operation_threads.h"

namespace gloss {
namespace {

thread_local std::int64_t primitives_made = 0;

/// oneDNN's name for the limit GLOSS_MAX_ISA; empty if oneDNN is not limited.
std::optional<dnnl::cpu_isa> limit() {
  if (!instruction_set_limit()) return {};
  switch (*instruction_set_limit()) {
    case InstructionSet::portable:
#if !defined(__x86_64__)
      break;
#endif
    case InstructionSet::avx2:
      return dnnl::cpu_isa::avx2;
    case InstructionSet::avxvnni:
      return dnnl::cpu_isa::avx2_vnni;
    case InstructionSet::avx512:
      return dnnl::cpu_isa::avx512_core;
    case InstructionSet::avx512_vnni:
      return dnnl::cpu_isa::avx512_core_vnni;
    case InstructionSet::avx512_bf16:
      return dnnl::cpu_isa::avx512_core_bf16;
  }
  return {};
}

/// The instruction set that oneDNN uses, at most that of GLOSS_MAX_ISA. oneDNN accepts a limit only before
/// anything else is asked of it, so all of its uses start here.
dnnl::cpu_isa effective_instruction_set() {
  static const dnnl::cpu_isa effective = [] {
    const std::optional<dnnl::cpu_isa> most = limit();
    if (most && dnnl::set_max_cpu_isa(*most) != dnnl::status::success) {
      throw Error(concat(kMaxIsaVariable, ": this build of oneDNN cannot be limited; unset the variable"));
    }
    return dnnl::get_effective_cpu_isa();
  }();
  return effective;
}

}  // namespace

std::int64_t matmul_primitives_made() { return primitives_made; }

std::string onednn_version() {
  const dnnl_version_t* const version = dnnl::version();
  return concat(version->major, ".", version->minor, ".", version->patch);
}

std::string onednn_instruction_set() {
  const dnnl::cpu_isa isa = effective_instruction_set();
  switch (isa) {
    case dnnl::cpu_isa::sse41:
      return "sse41";
    case dnnl::cpu_isa::avx:
      return "avx";
    case dnnl::cpu_isa::avx2:
      return "avx2";
    case dnnl::cpu_isa::avx2_vnni:
      return "avx2_vnni";
    case dnnl::cpu_isa::avx512_core:
      return "avx512_core";
    case dnnl::cpu_isa::avx512_core_vnni:
      return "avx512_core_vnni";
    case dnnl::cpu_isa::avx512_core_bf16:
      return "avx512_core_bf16";
    case dnnl::cpu_isa::avx512_core_amx:
      return "avx512_core_amx";
    default:  // names that only some versions have
      return concat("number ", static_cast<int>(isa), " of its instruction sets");
  }
}

namespace onednn {

dnnl::engine& engine() {
  compute_products_on_one_thread();
  static dnnl::engine cpu = [] {
    effective_instruction_set();
    return dnnl::engine(dnnl::engine::kind::cpu, 0);
  }();
  return cpu;
}

dnnl::stream& stream() {
  thread_local dnnl::stream own(engine());
  return own;
}

bool rows_are_independent() {
  static const bool independent = [] {
    constexpr auto kWide = static_cast<unsigned>(dnnl::cpu_isa::avx512_core);
    return (static_cast<unsigned>(effective_instruction_set()) & kWide) == kWide;
  }();
  return independent;
}

dnnl::matmul::primitive_desc describe(const dnnl::memory::desc& a, const dnnl::memory::desc& b,
                                      const dnnl::memory::desc& c, const Extras& extras) {
  dnnl::primitive_attr attributes;
  dnnl::post_ops after;
  if (extras.accumulate) after.append_sum(1.0f);
  attributes.set_post_ops(after);
#if DNNL_VERSION_MAJOR >= 3
  const dnnl::memory::desc bias({1, c.get_dims()[1]}, dnnl::memory::data_type::f32,
                                dnnl::memory::format_tag::ab);
  if (extras.bias) return {engine(), a, b, bias, c, attributes};
  return {engine(), a, b, c, attributes};
#else
  const dnnl::memory::desc bias({1, c.dims()[1]}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::ab);
  if (extras.bias) return {dnnl::matmul::desc(a, b, bias, c), attributes, engine()};
  return {dnnl::matmul::desc(a, b, c), attributes, engine()};
#endif
}

// A primitive needs up to some MiB; other threads may create theirs at the same time.
constexpr std::size_t kCode = std::size_t{16} << 20;

void expect_memory_for_code() {
  if (!addresses_are_left(kCode)) throw std::bad_alloc();
}

void fail(const dnnl::error& error, const std::string& doing) {
  // Failed allocations within kernels are reported as other errors.
  if (error.status == dnnl_out_of_memory || !addresses_are_left(kCode)) throw std::bad_alloc();
  throw Error(concat("oneDNN could not ", doing, ": ", error.what()));
}

Product::Product(const dnnl::matmul::primitive_desc& description, bool bias)
    : primitive_(description),
      a_(description.src_desc(), engine(), DNNL_MEMORY_NONE),
      b_(description.weights_desc(), engine(), DNNL_MEMORY_NONE),
      c_(description.dst_desc(), engine(), DNNL_MEMORY_NONE),
      arguments_{{DNNL_ARG_SRC, a_}, {DNNL_ARG_WEIGHTS, b_}, {DNNL_ARG_DST, c_}} {
  ++primitives_made;
  if (!bias) return;
  bias_ = dnnl::memory(description.bias_desc(), engine(), DNNL_MEMORY_NONE);
  arguments_.emplace(DNNL_ARG_BIAS, bias_);
}

void Product::operator()(const void* a, const void* b, void* c, const float* bias) {
  a_.set_data_handle(const_cast<void*>(a));
  b_.set_data_handle(const_cast<void*>(b));
  c_.set_data_handle(c);
  if (bias != nullptr) bias_.set_data_handle(const_cast<float*>(bias));
  primitive_.execute(stream(), arguments_);
  stream().wait();
}

}  // namespace onednn
}  // namespace gloss
