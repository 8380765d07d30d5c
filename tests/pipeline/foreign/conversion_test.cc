// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/conversion.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "pipeline/foreign/import_model.h"
#include "pipeline/foreign/readable_model.h"
#include "tests/support/has.h"
#include "tests/support/heard_listener.h"
#include "tests/support/hugging_face_marian.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

TEST(Conversion, HasAnAdviceOnlyIfItTookLong) {
  const std::string quick = conversion_note("nllb", "an NLLB model", 1.9),
                    slow = conversion_note("nllb", "an NLLB model", 12.2);
  for (const std::string& note : {quick, slow}) {
    EXPECT_TRUE(has(note, "nllb")) << note;
    EXPECT_TRUE(has(note, "an NLLB model")) << note;
  }
  EXPECT_FALSE(has(quick, "gloss import")) << quick;
  for (const std::string part : {"12 s", "gloss import", "GLOSS_IMPORT_CACHE"})
    EXPECT_TRUE(has(slow, part)) << slow;
}

TEST(Conversion, ReportsItsProgressInMegabytes) {
  const TemporaryDirectory folder;
  HuggingFaceMarian model;
  constexpr int kInner = 1 << 18;  // 2^21 numbers of 4 bytes in each matrix
  for (const std::string side : {"encoder", "decoder"}) {
    const std::string layer = concat("model.", side, ".layers.0.");
    model.config[side + "_ffn_dim"] = kInner;
    model.add_linear(layer + "fc1", kInner, HuggingFaceMarian::kWidth);
    model.add_linear(layer + "fc2", HuggingFaceMarian::kWidth, kInner);
  }
  model.write(folder / "foreign");
  HeardListener listener;
  const ReadableModel readable(folder / "foreign", listener);
  EXPECT_EQ(listener.latest.unit, "MB");
  EXPECT_GT(listener.latest.done, 20);
  EXPECT_LT(listener.latest.done, listener.latest.total);
  EXPECT_LT(listener.latest.total, 40);
}

}  // namespace
}  // namespace gloss
