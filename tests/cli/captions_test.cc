// SPDX-License-Identifier: Apache-2.0
// gloss train --source-type image and gloss translate with images, through the real binary.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/text.h"
#include "tests/support/browser.h"
#include "tests/support/failure.h"
#include "tests/support/image_files.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

/// Images of bars, described by their direction and by the half that they are in; in an archive and in a
/// list.
class CaptionCommand : public testing::Test {
 protected:
  static constexpr int kSide = 8, kImages = 32;

  CaptionCommand() {
    std::filesystem::create_directory(folder / "pictures");
    std::string numbers, list, rows;
    for (int i = 0; i < kImages; ++i) {
      const bool upright = i % 2 == 0;
      const std::vector<std::uint8_t> pixels = bar_image(kSide, upright, i / 2);
      const bool early = i / 2 % kSide < kSide / 2;
      const std::string caption = concat(upright ? "an upright bar on the " : "a flat bar at the ",
                                         upright ? (early ? "left" : "right") : (early ? "top" : "bottom"));
      const std::string name = concat("pictures/picture ", i, ".pgm");
      folder.write(name, pnm_bytes(kSide, kSide, 1, pixels));
      numbers.append(pixels.begin(), pixels.end());
      list += name + (i % 3 == 0 ? "\r\n" : "\n");
      rows += name + "\t" + caption + "\n";
      captions += caption + "\n";
    }
    folder.write("images.idx", idx_bytes({kImages, kSide, kSide}, numbers));
    folder.write("list", list);
    folder.write("rows.tsv", rows);
    folder.write("captions", captions);
  }

  ProgramResult train(const std::string& output, std::vector<std::string> more,
                      const std::string& source = "images.idx") {
    std::vector<std::string> words{
        kGlossBinary,     "train", "--source-type",       "image", "--output",         folder / output,
        "--vocab-type",   "word",  "--vocab-size",        "30",    "--width",          "16",
        "--batch-tokens", "128",   "--learning-rate",     "0.01",  "--warmup-updates", "10",
        "--dropout",      "0",     "--embedding-dropout", "0",     "--seed",           "4"};
    if (!source.empty())
      words.insert(words.end(), {"--source", folder / source, "--target", folder / "captions"});
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }
  static std::vector<std::string> transformer(std::vector<std::string> more) {
    more.insert(more.end(), {"--heads", "2", "--feed-forward-width", "16", "--encoder-layers", "1",
                             "--decoder-layers", "1", "--norm", "pre"});
    return more;
  }
  ProgramResult translate(const std::string& input, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{kGlossBinary, "translate", "-m", folder / "run", "-i", folder / input};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }

  TemporaryDirectory folder;
  std::string captions;
};

TEST_F(CaptionCommand, ATransformerDescribesImagesTheSameForAnyBatchAndThreads) {
  const ProgramResult trained =
      train("run", transformer({"--max-updates", "250", "--valid-source", folder / "list", "--valid-target",
                                folder / "captions", "--valid-interval", "125"}));
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_NE(trained.errors.find("BLEU"), std::string::npos) << trained.errors;
  const ProgramResult result = translate("images.idx");
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.output, captions);
  EXPECT_EQ(translate("list").output, captions);
  EXPECT_EQ(translate("rows.tsv").output, captions) << "other columns are ignored";
  const std::string best = translate("list", {"--n-best", "3", "--beam-size", "4"}).output;
  EXPECT_EQ(translate("list", {"--n-best", "3", "--beam-size", "4", "--batch-size", "1"}).output, best);
  EXPECT_EQ(translate("list", {"--n-best", "3", "--beam-size", "4", "-j", "3"}).output, best);
  const nlohmann::json described =
      nlohmann::json::parse(run_program({kGlossBinary, "info", folder / "run", "--format", "json"}).output);
  EXPECT_EQ(described.at("network").at("source_type"), "image");
  EXPECT_EQ(described.at("lengths").at("target").at("longest"), 6) << "an upright bar on the left";
  EXPECT_FALSE(described.at("lengths").contains("source"));
  EXPECT_EQ(described.at("network").at("image_height"), kSide);
}

// Zeros at the beginning do not make an archive something else.
TEST_F(CaptionCommand, ImagesMayBeBlack) {
  folder.write("black.idx", idx_bytes({2, kSide, kSide}, std::string(2 * kSide * kSide, '\0')));
  folder.write("nothing", "nothing\nnothing\n");
  const ProgramResult trained =
      train("run",
            transformer({"--source", folder / "black.idx", "--target", folder / "nothing", "--valid-source",
                         folder / "black.idx", "--valid-target", folder / "nothing", "--max-updates", "2"}),
            "");
  EXPECT_EQ(trained.status, 0) << trained.errors;
  EXPECT_EQ(translate("black.idx", {"--beam-size", "1"}).status, 0);
}

// The observations of a picture page.
constexpr const char* kPictureVisit = R"js(
seen.pictures = byId("item").options.length;
seen.words = [...document.querySelectorAll("#words figcaption")].map((node) => node.textContent);
seen.label = document.querySelectorAll("#words figure")[1].getAttribute("aria-label");
const light = (figure) => {
  const canvas = figure.querySelector("canvas");
  const copy = make("canvas", {width: canvas.width, height: canvas.height});
  const context = copy.getContext("2d", {willReadFrequently: true});
  context.drawImage(canvas, 0, 0);
  const values = context.getImageData(0, 0, canvas.width, canvas.height).data;
  let sum = 0;
  for (let i = 0; i < values.length; i += 4) sum += values[i];
  return sum;
};
const figures = [...document.querySelectorAll("#words figure")];
seen.darker = figures.slice(1).every((figure) => light(figure) < light(figures[0]) && light(figure) > 0);
byId("next").click();
seen.second = [...document.querySelectorAll("#words figcaption")].map((node) => node.textContent)[2];
seen.wide = document.documentElement.scrollWidth <= window.innerWidth;
)js";

TEST_F(CaptionCommand, APageShowsWhereTheModelLooks) {
  ASSERT_EQ(train("run", transformer({"--max-updates", "60"})).status, 0);
  const std::vector<std::string> pairs{
      kGlossBinary,       "align", "-m", folder / "run", "--source", folder / "images.idx", "--target",
      folder / "captions"};
  const auto align = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = pairs;
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  };
  const ProgramResult maps = align({"--format", "json"});
  ASSERT_EQ(maps.status, 0) << maps.errors;
  const nlohmann::json first = nlohmann::json::parse(maps.output.substr(0, maps.output.find('\n')));
  EXPECT_EQ(first.at("source"), (nlohmann::json{"1,1", "1,2", "2,1", "2,2"}));
  for (const nlohmann::json& row : first.at("maps").at(0).at("weights")) {
    double sum = 0;
    for (const double weight : row) sum += weight;
    EXPECT_NEAR(sum, 1, 1e-4);
  }
  const ProgramResult pieces = align({"--format", "json", "--pieces"});
  EXPECT_NE(pieces.output.find("\u2581upright"), std::string::npos) << pieces.output.substr(0, 300);
  // The words of the decoder are in a table, the places of the encoder in pictures.
  ASSERT_EQ(align({"--attention", "decoder", "--html", folder / "words.html"}).status, 0);
  EXPECT_EQ(folder.read("words.html").find("\"pixels\""), std::string::npos);
  ASSERT_EQ(align({"--attention", "encoder", "--html", folder / "places.html"}).status, 0);
  EXPECT_NE(folder.read("places.html").find("\"pixels\""), std::string::npos);
  ASSERT_EQ(align({"--html", folder / "page.html"}).status, 0);
  const PageVisit visit = visit_page(read_file(folder / "page.html"), kPictureVisit, folder);
  if (visit.skipped) GTEST_SKIP() << "no Chromium is installed";
  ASSERT_FALSE(visit.seen.is_null()) << visit.messages;
  EXPECT_EQ(visit.messages.find("CONSOLE"), std::string::npos) << visit.messages;
  EXPECT_EQ(visit.seen["pictures"], kImages);
  EXPECT_EQ(visit.seen["words"], (nlohmann::json{"the source", "an", "upright", "bar", "on", "the", "left"}));
  EXPECT_EQ(visit.seen["label"].get<std::string>().substr(0, 4), "an: ");
  EXPECT_EQ(visit.seen["darker"], true);
  EXPECT_EQ(visit.seen["second"], "flat");
  EXPECT_EQ(visit.seen["wide"], true);
}

TEST_F(CaptionCommand, ARecurrentDecoderAttendsToTheGrid) {
  const ProgramResult trained =
      train("run", {"--architecture", "recurrent", "--cell", "lstm", "--encoder-layers", "0", "--first-state",
                    "mean", "--embedding-width", "16", "--output-dropout", "0", "--stem-widths", "8",
                    "--patch-size", "1", "--max-updates", "300"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_EQ(translate("images.idx").output, captions);
}

TEST_F(CaptionCommand, ContinuesToTheSameBytesFromAListWithCaptions) {
  const auto until = [&](const std::string& output, const std::string& updates) {
    const ProgramResult result = train(
        output,
        transformer({"--tsv", folder / "rows.tsv", "--image-shift", "1", "--image-erase", "0.3",
                     "--max-updates", updates, "--valid-tsv", folder / "rows.tsv", "--valid-interval", "5"}),
        "");
    ASSERT_EQ(result.status, 0) << result.errors;
  };
  until("whole", "10");
  until("parts", "5");
  until("parts", "10");
  for (const char* file : {"last/model.safetensors", "last/config.json"})
    EXPECT_EQ(read_file(folder / concat("parts/", file)), read_file(folder / concat("whole/", file))) << file;
}

TEST_F(CaptionCommand, NamesListLineAndImageOfAProblem) {
  ASSERT_EQ(train("run", transformer({"--max-updates", "2"})).status, 0);
  folder.write("cut.pgm", "P5 8 8 255\nabc");
  folder.write("bad.tsv", folder.read("rows.tsv") + "cut.pgm\ta flat bar\nmissing.png\ta flat bar\n");
  const std::vector<std::string> of_bad = transformer({"--tsv", folder / "bad.tsv", "--max-updates", "2"});
  expect_failure(train("bad", of_bad, ""), 3, {"bad.tsv:33", "cut.pgm"});
  std::vector<std::string> skipping = of_bad;
  skipping.emplace_back("--skip-broken");
  const ProgramResult skipped = train("bad", skipping, "");
  EXPECT_EQ(skipped.status, 0) << skipped.errors;
  EXPECT_NE(skipped.errors.find("skipped 2 pairs"), std::string::npos) << skipped.errors;
  folder.write("all_bad.tsv", "cut.pgm\ta flat bar\n");
  expect_failure(
      train("none", transformer({"--tsv", folder / "all_bad.tsv", "--max-updates", "2", "--skip-broken"}),
            ""),
      3, {"all_bad.tsv:1", "cut.pgm"});
  folder.write("image.png", "\x89PNG\r\n\x1a\n");
  expect_failure(train("none", transformer({"--tsv", folder / "image.png", "--max-updates", "2"}), ""), 2,
                 {"image.png", "not a list"});
  folder.write("RIFF 1.pgm", folder.read("pictures/picture 1.pgm"));
  folder.write("letters", "RIFF 1.pgm\n");
  EXPECT_EQ(translate("letters").status, 0) << "a list, not a recording";
  // Every line has a line of output; the status says that some are empty.
  folder.write("names", "pictures/picture 1.pgm\n\ncut.pgm\npictures/picture 2.pgm\n");
  const ProgramResult described = translate("names");
  expect_failure(described, 3, {"names:3", "cut.pgm", "1 of 4 images"});
  EXPECT_EQ(std::ranges::count(described.output, '\n'), 4);
  EXPECT_EQ(translate("images.idx", {"--report", folder / "report"}).status, 0);
  // An archive is continued, if it is the same, and given alone.
  const std::vector<std::string> resumed{"--resume", "-o", folder / "resumed", "--beam-size", "1"};
  ASSERT_EQ(translate("images.idx", resumed).status, 0);
  EXPECT_EQ(folder.read("resumed"), translate("images.idx", {"--beam-size", "1"}).output);
  expect_failure(
      run_program({kGlossBinary, "translate", "-m", folder / "run", folder / "list", folder / "images.idx"}),
      2, {"images.idx", "alone"});
  folder.write("few", "a flat bar\n");
  expect_failure(run_program({kGlossBinary, "train", "--source-type", "image", "--source",
                              folder / "images.idx", "--target", folder / "few", "--output", folder / "no"}),
                 3, {"32 lines", "few has 1"});
  expect_failure(train("no", transformer({"--tsv", folder / "images.idx"}), ""), 2,
                 {"images.idx", "--source"});
}

TEST_F(CaptionCommand, RefusesWhatImagesDoNotHave) {
  const auto refused = [&](const std::vector<std::string>& more, const std::string& part) {
    expect_failure(train("refused", more), 2, {part});
  };
  refused({"--source-tokenizer", "x", "--target-tokenizer", "y"}, "--source-tokenizer");
  refused({"--guided-alignment", folder / "captions"}, "--guided-alignment");
  refused({"--teacher", folder / "run"}, "--teacher");
  refused({"--positions", "rotary"}, "rotary");
  refused({"--architecture", "turing"}, "Turing");
  refused({"--architecture", "recurrent", "--encoder-layers", "0"}, "--first-state 'mean'");
  expect_failure(run_program({kGlossBinary, "train", "--patch-size", "2", "--source", folder / "list",
                              "--target", folder / "captions", "--output", folder / "text"}),
                 2, {"--patch-size", "--source-type"});
  ASSERT_EQ(train("run", transformer({"--max-updates", "2"})).status, 0);
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--split"},
                                             {"--alignment", "hard"},
                                             {"--prefix"},
                                             {"--draft", folder / "run"},
                                             {"--protect", "url"}}) {
    expect_failure(translate("list", more), 2, {more.front()});
  }
  const std::string model = folder / "run";
  expect_failure(run_program({kGlossBinary, "embed", "-m", model}, "x\n"), 3, {"images"});
  expect_failure(run_program({kGlossBinary, "shortlist", "-m", model, "--source", folder / "list", "--target",
                              folder / "captions", "--output", folder / "s"}),
                 3, {"images"});
  expect_failure(run_program({kGlossBinary, "export", "-m", model, "--format", "ctranslate2", "--output",
                              folder / "out"}),
                 2, {"source_type"});
}

}  // namespace
}  // namespace gloss
