// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reranking/n_best_list.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace gloss {
namespace {

TEST(NBestList, LinesSurviveARoundTrip) {
  for (const std::string line : {"0 ||| a b ||| F= -1.5 G= 2 ||| -0.25", "12 |||  ||| F= 0 ||| 0",
                                 "3 ||| a ||| b ||| F= 1 ||| 1e-3", "4 ||| a ||| F= 1 ||| -2 ||| 0-0 1-1",
                                 "5 |||  ||| F= 0 ||| 0.000000 ||| ", "6 ||| a ||| F= 1 ||| -2 ||| 0.7131",
                                 "7 ||| a=b ||| 5 ||| F= 1 ||| -2", "8 ||| a ||| -1 -2 ||| -3 ||| 0-0"}) {
    EXPECT_EQ(n_best_text(parse_n_best(line)), line);
  }
  const NBestEntry entry = parse_n_best("7 ||| a ||| b ||| F= 1 ||| -2 ||| 0-0");
  EXPECT_EQ(entry.line, 7);
  EXPECT_EQ(entry.text, "a ||| b");
  EXPECT_EQ(entry.features, "F= 1");
  EXPECT_EQ(entry.rest, "-2 ||| 0-0");
  const NBestEntry soft = parse_n_best("0 ||| hund ||| LogProbability= -6.7 Tokens= 1 ||| -3.37 ||| 0.7131");
  EXPECT_EQ(soft.text, "hund");
  EXPECT_EQ(soft.features, "LogProbability= -6.7 Tokens= 1");
  EXPECT_EQ(soft.rest, "-3.37 ||| 0.7131");
}

TEST(NBestList, RefusesMalformedLines) {
  for (const std::string line :
       {"", "text", "0 ||| text", "0 ||| text ||| -1", "x ||| text ||| F= 1 ||| -1",
        "-1 ||| text ||| F= 1 ||| -1", "0 ||| text ||| F= 1 ||| much", " ||| text ||| F= 1 ||| 1",
        "0 ||| ||| 1", "0 ||| ||| ||| 1", "0|||a|||b|||1"}) {
    EXPECT_THROW(parse_n_best(line), InputError) << line;
  }
}

}  // namespace
}  // namespace gloss
