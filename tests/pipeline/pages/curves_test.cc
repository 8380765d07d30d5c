// SPDX-License-Identifier: Apache-2.0
// Tests of training curves, including damaged and hostile logs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/random.h"
#include "pipeline/pages/axis.h"
#include "pipeline/pages/chart.h"
#include "pipeline/pages/curves.h"
#include "pipeline/pages/event_file.h"
#include "pipeline/pages/page.h"
#include "pipeline/pages/training_table.h"
#include "tests/support/heard_listener.h"
#include "tests/support/temporary_directory.h"
#include "tokenizer/wire.h"

namespace gloss {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::string report(int update, int epoch, const std::string& more) {
  return concat(R"({"event":"report","update":)", update, ",\"epoch\":", epoch, ",\"tokens\":", update * 100,
                ",\"seconds\":", update * 2, ",", more, "}\n");
}

std::string validation(int update, int epoch, double cross_entropy, double bleu) {
  return concat(R"({"event":"validation","update":)", update, ",\"epoch\":", epoch,
                ",\"tokens\":0,\"seconds\":0,\"best\":true,\"cross_entropy\":", cross_entropy,
                ",\"bleu\":", bleu, "}\n");
}

struct Curves : testing::Test {
  LoggedTraining read(const std::string& log, const std::string& label = "run") {
    return read_logged_training(folder.write("train.log.jsonl", log), label, listener);
  }
  std::string failure(const std::string& log) {
    try {
      read(log);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }
  std::vector<CurvePanel> panels(const std::vector<LoggedTraining>& runs,
                                 const std::vector<std::string>& curves, CurveAxis x = CurveAxis::updates) {
    CurveSettings settings;
    settings.curves = curves;
    settings.x = x;
    return make_panels(runs, settings, listener);
  }

  TemporaryDirectory folder;
  HeardListener listener;
};

TEST_F(Curves, EpochsAreInterpolatedBetweenUpdates) {
  // Two epochs of 40 updates, and half of the third.
  const LoggedTraining run =
      read(report(20, 1, "\"loss\":3") + validation(40, 1, 2, 5) + report(50, 2, "\"loss\":2") +
           validation(80, 2, 1, 6) + report(100, 3, "\"loss\":1"));
  ASSERT_EQ(run.reports.size(), 3u);
  EXPECT_DOUBLE_EQ(run.reports[0].at(CurveAxis::epochs), 0.5);
  EXPECT_DOUBLE_EQ(run.validations[0].at(CurveAxis::epochs), 1);
  EXPECT_DOUBLE_EQ(run.reports[1].at(CurveAxis::epochs), 1.25);
  EXPECT_DOUBLE_EQ(run.validations[1].at(CurveAxis::epochs), 2);
  EXPECT_DOUBLE_EQ(run.reports[2].at(CurveAxis::epochs), 2.5);
  EXPECT_DOUBLE_EQ(run.reports[2].at(CurveAxis::tokens), 10'000);
  EXPECT_DOUBLE_EQ(run.reports[2].at(CurveAxis::time), 200);
}

TEST_F(Curves, AnIncompleteLastLineIsSkippedAndAnInvalidLineIsAnError) {
  const std::string line = report(10, 1, "\"loss\":3");
  const LoggedTraining run = read(line + line.substr(0, 40));
  EXPECT_EQ(run.reports.size(), 1u);
  EXPECT_NE(listener.warnings.find("train.log.jsonl:2"), std::string::npos) << listener.warnings;
  for (const std::string garbled :
       {"{\"event\":", "[1]", "3", "null", "{}", "{\"event\":7}", "\xFF\xFE", "",
        "{\"event\":\"report\",\"update\":\"ten\"}", "{\"event\":\"report\",\"update\":1e999}"}) {
    EXPECT_NE(failure(line + garbled + "\n" + line).find("train.log.jsonl:2"), std::string::npos)
        << garbled << " gives " << failure(line + garbled + "\n" + line);
  }
  EXPECT_NE(failure(std::string(100'000, '[') + "\n" + line).find("train.log.jsonl:1"), std::string::npos);
  EXPECT_NE(failure("").find("no reports"), std::string::npos);
  EXPECT_NE(failure("{\"event\":\"something else\"}\n").find("no reports"), std::string::npos);
  EXPECT_THROW(read_logged_training(folder.path() + "/missing", "run", listener), InputError);
  EXPECT_THROW(read_logged_training("/", "run", listener), InputError);
}

TEST_F(Curves, DecimationKeepsEndsAndExtremesInOrder) {
  Random random(5);
  CurvePoints points;
  for (int i = 0; i < 20'000; ++i) points.push_back({static_cast<double>(i), random.uniform()});
  points[7'777].y = 50;
  points[12'345].y = -50;
  const CurvePoints kept = decimated(points, 300);
  EXPECT_LE(kept.size(), 604u);
  EXPECT_EQ(kept.front().x, 0);
  EXPECT_EQ(kept.back().x, 19'999);
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end(), [](auto a, auto b) { return a.x < b.x; }));
  const auto has = [&](double x) {
    return std::any_of(kept.begin(), kept.end(), [&](const CurvePoint& point) { return point.x == x; });
  };
  EXPECT_TRUE(has(7'777));
  EXPECT_TRUE(has(12'345));

  for (std::size_t i = 5'000; i < 6'000; ++i) points[i].y = kNone;
  const CurvePoints gap = decimated(points, 300);
  EXPECT_TRUE(
      std::any_of(gap.begin(), gap.end(), [](const CurvePoint& point) { return std::isnan(point.y); }));

  const CurvePoints few{{1, 2}, {2, 3}, {2, 1}};
  EXPECT_EQ(decimated(few, 300).size(), 3u);
  const CurvePoints one_place(5'000, CurvePoint{3, 4});
  EXPECT_LE(decimated(one_place, 300).size(), 4u);
}

TEST_F(Curves, SmoothingIsAWeightedMeanThatSkipsGaps) {
  const CurvePoints smooth = smoothed({{0, 1}, {1, 4}, {2, kNone}, {3, 7}}, 0.5);
  EXPECT_DOUBLE_EQ(smooth[0].y, 1);
  EXPECT_DOUBLE_EQ(smooth[1].y, (0.5 * 1 + 4) / 1.5);
  EXPECT_TRUE(std::isnan(smooth[2].y));
  EXPECT_DOUBLE_EQ(smooth[3].y, (0.25 * 1 + 0.5 * 4 + 7) / 1.75);
}

TEST_F(Curves, RunsMayHaveDifferentFieldsAndNonFiniteValues) {
  std::vector<LoggedTraining> runs;
  runs.push_back(read(report(1, 1, "\"loss\":2,\"gradient_norm\":null") +
                          report(2, 1, "\"loss\":1e300,\"gradient_norm\":3") + report(3, 1, "\"loss\":4"),
                      "first"));
  runs.push_back(
      read(report(1, 1, "\"waiting_seconds\":0.5,\"host\":\"here\"") + validation(2, 1, 3, 20), "second"));
  const auto drawn = panels(runs, {});
  std::vector<std::string> fields;
  for (const CurvePanel& panel : drawn) fields.push_back(panel.field);
  EXPECT_EQ(fields, (std::vector<std::string>{"cross_entropy", "loss", "bleu", "gradient_norm"}));
  EXPECT_NE(listener.warnings.find("first: 1 value of loss"), std::string::npos) << listener.warnings;
  EXPECT_EQ(drawn[1].curves.at(0).points.size(), 3u);
  EXPECT_TRUE(std::isnan(drawn[1].curves[0].points[1].y));
  EXPECT_EQ(panels(runs, {"waiting_seconds"}).at(0).title, "waiting seconds");
  EXPECT_THROW(panels(runs, {"waiting"}), UsageError);
  EXPECT_THROW(panels(runs, {"host"}), UsageError);
}

TEST_F(Curves, LaterEntriesReplaceEarlierOnesOfTheSameUpdates) {
  const auto drawn = panels({read(report(10, 1, "\"loss\":1") + report(20, 1, "\"loss\":2") +
                                  report(30, 1, "\"loss\":3") + report(20, 1, "\"loss\":5"))},
                            {"loss"});
  const CurvePoints& points = drawn.at(0).curves.at(0).points;
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[1].y, 2);
  EXPECT_EQ(points[2].y, 5);
}

std::vector<std::string> labels(const Axis& axis) {
  std::vector<std::string> all;
  for (const AxisTick& tick : axis.ticks) all.push_back(tick.label);
  return all;
}

TEST_F(Curves, AxesHaveTicksAtRoundValues) {
  using Labels = std::vector<std::string>;
  EXPECT_EQ(labels(linear_axis(0, 30'000, 5)), (Labels{"0", "10k", "20k", "30k"}));
  EXPECT_EQ(labels(linear_axis(0, 1, 5)), (Labels{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels(linear_axis(-1, 1, 4)), (Labels{"-1.0", "-0.5", "0", "0.5", "1.0"}));
  EXPECT_EQ(labels(linear_axis(0, 2e-6, 4)), (Labels{"0", "0.5e-6", "1.0e-6", "1.5e-6", "2.0e-6"}));
  EXPECT_EQ(labels(logarithmic_axis(0.5, 50)), (Labels{"0.5", "1", "2", "5", "10", "20", "50"}));
  EXPECT_EQ(labels(logarithmic_axis(0.5, 20'000)), (Labels{"1", "10", "100", "1000", "10k"}));
  for (const auto& [low, high] : {std::pair{7.0, 7.0},
                                  {0.0, 0.0},
                                  {-1e30, 1e30},
                                  {1e30, 1e30},
                                  {-3.0, -3.0},
                                  {1e15, 1e15 + 1},
                                  {1e-30, 2e-30},
                                  {0.0, 1e-30}}) {
    const Axis axis = linear_axis(low, high, 5);
    EXPECT_GE(axis.ticks.size(), 2u) << low << " " << high;
    EXPECT_LE(axis.ticks.size(), 11u) << low << " " << high;
    for (const AxisTick& tick : axis.ticks) {
      EXPECT_GE(axis.share(tick.value), -1e-6) << low << " " << high;
      EXPECT_LE(axis.share(tick.value), 1 + 1e-6) << low << " " << high;
      EXPECT_LE(tick.label.size(), 12u) << tick.label;
    }
  }
}

TEST_F(Curves, AnAxisIsLogarithmicIfOutliersWouldFlattenTheRest) {
  std::string log;
  for (int i = 1; i < 40; ++i)
    log += report(i, 1, concat("\"gradient_norm\":", i == 9 ? 900 : 1 + i % 3, ",\"learning_rate\":", i));
  const auto drawn = panels({read(log)}, {"gradient_norm", "learning_rate"});
  EXPECT_TRUE(value_axis(drawn[0]).logarithmic);
  EXPECT_FALSE(value_axis(drawn[1]).logarithmic);
}

TEST_F(Curves, SkippedUpdatesAtTheEndAreWithinThePanel) {
  std::string log = report(10, 1, "\"loss\":1") + report(20, 1, "\"loss\":2");
  log += R"({"event":"skipped","update":90,"epoch":1,"tokens":1,"seconds":1})"
         "\n";
  const std::vector<LoggedTraining> runs{read(log)};
  CurveSettings settings;
  const Chart chart = make_chart(runs, settings, listener);
  EXPECT_EQ(chart.x.axis.high, 90);
  EXPECT_NE(panel_markup(chart, 0).find("skipped"), std::string::npos);
  EXPECT_NE(summary_text(summarize(runs)).find("skipped"), std::string::npos);
}

TEST_F(Curves, TheSummaryHasLastAndBestValues) {
  const std::vector<LoggedTraining> runs{read(report(10, 1, "\"cross_entropy\":4,\"tokens_per_second\":900") +
                                                  validation(10, 1, 2, 30) + validation(20, 1, 2.5, 31),
                                              "a\x1b[31m")};
  EXPECT_EQ(
      summary_text(summarize(runs)),
      "run        training   valid    best  at   BLEU   best  at  updates  epochs  tokens     time  "
      "tokens/s\n"
      "a\\x1b[31m    4.0000  2.5000  2.0000  10  31.00  31.00  20       20     1.0    1000  0:00:20       "
      "900\n");
}

TEST_F(Curves, MarkupInLabelsIsEscaped) {
  EXPECT_EQ(markup_text("<a b=\"c\">&amp;"), "&lt;a b=&quot;c&quot;&gt;&amp;amp;");
  EXPECT_EQ(markup_text(std::string("\0\x1b\x7f", 3) + "\xC2\x85\xEF\xBF\xBF\xFF\u00e4\u4e16"),
            "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\u00e4\u4e16");
}

TEST(EventFile, ChecksumsAgreeWithTheStandard) {
  // RFC 3720, appendix B.4, and the common test value.
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
  std::string ascending;
  for (char c = 0; c < 32; ++c) ascending += c;
  EXPECT_EQ(crc32c(ascending), 0x46DD794EU);
}

template <class Number>
Number number_at(std::string_view bytes, std::size_t at) {
  Number number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

std::uint32_t masked(std::string_view bytes) {
  const std::uint32_t crc = crc32c(bytes);
  return ((crc >> 15) | (crc << 17)) + 0xA282EAD8U;
}

/// The events of a file as text; checks all checksums.
std::vector<std::string> events_of(std::string_view file) {
  std::vector<std::string> events;
  while (!file.empty()) {
    const auto size = number_at<std::uint64_t>(file, 0);
    EXPECT_EQ(number_at<std::uint32_t>(file, 8), masked(file.substr(0, 8)));
    const std::string_view event = file.substr(12, size);
    EXPECT_EQ(number_at<std::uint32_t>(file, 12 + size), masked(event));
    file.remove_prefix(16 + size);
    std::string text;
    for (WireReader fields(event, "event"); fields.next();) {
      if (fields.field() == 2) text += concat("step ", fields.varint("step"));
      if (fields.field() == 3) text += concat(" ", fields.bytes("version"));
      if (fields.field() != 5) continue;
      for (WireReader values(fields.bytes("summary"), "summary"); values.next();) {
        for (WireReader value(values.bytes("value"), "value"); value.next();) {
          text += value.field() == 1 ? concat(" ", value.bytes("tag")) : concat(" ", value.number("number"));
        }
      }
    }
    events.push_back(text);
  }
  return events;
}

TEST_F(Curves, AnEventFileHasAllNumbersOfTheLog) {
  const LoggedTraining run =
      read(report(300, 1, "\"loss\":2.5,\"learning_rate\":0.5") + validation(300, 1, 2, 30));
  const std::string file = event_file(run);
  EXPECT_EQ(events_of(file), (std::vector<std::string>{"step 0 brain.Event:2",
                                                       "step 300 train/learning_rate 0.5 train/loss 2.5",
                                                       "step 300 valid/bleu 30 valid/cross_entropy 2"}));
  // The second record: length, checksum, then wall_time, field 1 of 64 bits: 600 seconds.
  const std::size_t second = 16 + number_at<std::uint64_t>(file, 0) + 12;
  EXPECT_EQ(file[second], '\x09');
  EXPECT_EQ(number_at<double>(file, second + 1), 600);
  for (const std::string hostile : {"../../x", "/etc", "..", ".", "", "a/../b"}) {
    const std::string name = event_folder(hostile);
    EXPECT_EQ(name.find('/'), std::string::npos);
    EXPECT_NE(name[0], '.');
  }
}

}  // namespace
}  // namespace gloss
