// SPDX-License-Identifier: Apache-2.0

#include "model/kernels/instruction_set.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "model/tensor/matmul.h"

namespace gloss {
namespace {

TEST(InstructionSet, NativeAndAnEmptyValueAreNoLimit) {
  EXPECT_FALSE(instruction_set_limit("native"));
  EXPECT_FALSE(instruction_set_limit(""));
}

TEST(InstructionSet, AnUnknownLimitNamesVariableValueAndChoices) {
  for (const std::string value : {"avx3", "AVX2", "avx512_core", " avx2"}) {
    try {
      instruction_set_limit(value);
      ADD_FAILURE() << value;
    } catch (const UsageError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("GLOSS_MAX_ISA"), std::string::npos) << message;
      EXPECT_NE(message.find("'" + value + "'"), std::string::npos) << message;
      EXPECT_NE(message.find("native"), std::string::npos) << message;
    }
  }
}

TEST(InstructionSet, IsWithinTheLimit) {
  if (!instruction_set_limit()) GTEST_SKIP() << "GLOSS_MAX_ISA is not set";
  EXPECT_LE(instruction_set(), *instruction_set_limit());
}

TEST(InstructionSet, IsOneOfTheProcessor) {
  EXPECT_TRUE(processor_has(instruction_set()));
  EXPECT_TRUE(processor_has(InstructionSet::portable));
}

#if defined(__x86_64__)
TEST(InstructionSet, EachLimitHasItsName) {
  for (const InstructionSet set :
       {InstructionSet::portable, InstructionSet::avx2, InstructionSet::avxvnni, InstructionSet::avx512,
        InstructionSet::avx512_vnni, InstructionSet::avx512_bf16}) {
    EXPECT_EQ(instruction_set_limit(name_of(set)), set);
  }
}

TEST(InstructionSet, OneDnnHasTheSameLimit) {
  const std::string onednn = onednn_instruction_set();
  EXPECT_EQ(onednn.starts_with("avx512"), instruction_set() >= InstructionSet::avx512) << onednn;
  if (instruction_set() < InstructionSet::avx512_vnni) {
    EXPECT_EQ(onednn.find("512_core_vnni"), std::string::npos) << onednn;
    EXPECT_EQ(onednn.find("bf16"), std::string::npos) << onednn;
  }
}
#endif

}  // namespace
}  // namespace gloss
