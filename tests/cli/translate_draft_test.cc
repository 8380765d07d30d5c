// SPDX-License-Identifier: Apache-2.0
// gloss translate --draft through the real binary.
#include "tests/support/has.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

class TranslateDraft : public UntrainedModels {
 protected:
  static std::string text() {
    std::string lines;
    const std::string words[] = {"that", "cat", "sat", "the", "mat", "dog", "on", "same"};
    for (std::size_t line = 0; line < 40; ++line) {
      for (std::size_t word = 0; word <= line % 6; ++word) lines += words[(line * 5 + word * 3) % 8] + " ";
      lines += ".\n";
    }
    return lines + "\n";
  }
  /// Lines `source TAB translation`.
  static std::string pairs(const std::string& source, const std::string& target) {
    const std::vector<std::string> sources = output_lines(source), targets = output_lines(target);
    std::string both;
    for (std::size_t i = 0; i + 1 < sources.size(); ++i) {
      both += sources[i] + "\t" + (is_blank(targets[i]) ? sources[i] : targets[i]) + "\n";
    }
    return both;
  }
  static ProgramResult greedy(std::vector<std::string> options) {
    options.insert(options.begin(), {"--beam-size", "1", "--min-length", "5"});
    return translate(text(), options);
  }

  TemporaryDirectory files;
};

TEST_F(TranslateDraft, TheOutputIsTheSameForAnyDraft) {
  const std::vector<std::vector<std::string>> ways{
      {},
      {"--format", "json", "--word-scores", "--alignment", "soft"},
      {"--n-best", "1", "--no-repeat-ngram", "2"},
      {"--ban", files.write("ban", "sat\n")},
      {"--lexicon", files.write("lexicon", "cat\tdog\n")},
      {"--split", "--length-penalty", "0"},
  };
  const std::string memory = files.write("memory.tsv", pairs(text(), greedy({}).output));
  const std::string other =
      files.write("other.tsv", "the cat sat .\tdog dog dog\nthat mat .\tcat cat cat cat\n");
  const std::string table = files / "table";
  const std::string english = files.write("english", text()),
                    german = files.write("german", greedy({}).output);
  ASSERT_EQ(gloss("shortlist", {"--source", english, "--target", german, "--output", table}).status, 0);
  for (const auto& way : ways) {
    const ProgramResult expected = greedy(way);
    ASSERT_EQ(expected.status, 0) << expected.errors;
    for (const std::string& draft :
         {std::string(*folder / "a"), std::string(*folder / "b"), memory, other, table}) {
      for (const std::string batch : {"1", "3", "32"}) {
        std::vector<std::string> options = way;
        options.insert(options.end(), {"--draft", draft, "--batch-size", batch});
        const ProgramResult drafted = greedy(options);
        EXPECT_EQ(drafted.output, expected.output) << draft << drafted.errors;
      }
    }
  }
}

TEST_F(TranslateDraft, TheClosingNoteCountsAcceptedTokens) {
  const ProgramResult alone = greedy({"--draft", *folder / "a", "--batch-size", "1"});
  EXPECT_TRUE(has(alone.errors, "drafted tokens accepted")) << alone.errors;
  EXPECT_FALSE(has(alone.errors, "--batch-size")) << alone.errors;
  const std::string never = files.write("never.tsv", "dog\tdog\n");
  const ProgramResult undrafted = translate("the cat\n", {"--beam-size", "1", "--draft", never});
  EXPECT_TRUE(has(undrafted.errors, "no tokens drafted")) << undrafted.errors;
  EXPECT_FALSE(has(greedy({}).errors, "draft"));
}

TEST_F(TranslateDraft, BatchesTooLargeForDraftsAreNoted) {
  const std::string words[] = {"that", "cat", "sat", "the", "mat", "dog", "on", "same"};
  std::string lines;  // all of which differ
  for (std::size_t line = 0; line < 200; ++line) {
    lines += concat(words[line / 64], " ", words[line / 8 % 8], " ", words[line % 8], "\n");
  }
  const ProgramResult result =
      translate(lines, {"--beam-size", "1", "--draft", *folder / "a", "--batch-size", "32", "-j", "1"});
  EXPECT_TRUE(has(result.errors, "--draft: most tokens") && has(result.errors, "--batch-size 8"))
      << result.errors;
}

TEST_F(TranslateDraft, OneSampleAndAnEnsembleCanBeDrafted) {
  const std::vector<std::string> sampled{"--sample", "--seed", "5"};
  std::vector<std::string> drafted = sampled;
  drafted.insert(drafted.end(), {"--draft", *folder / "b"});
  EXPECT_EQ(translate(text(), drafted).output, translate(text(), sampled).output);
  const std::vector<std::string> ensemble{"-m", *folder / "b", "--beam-size", "1"};
  drafted = ensemble;
  drafted.insert(drafted.end(), {"--draft", *folder / "b"});
  const ProgramResult found = translate(text(), drafted);
  EXPECT_EQ(found.status, 0) << found.errors;
  EXPECT_EQ(found.output, translate(text(), ensemble).output);
}

TEST_F(TranslateDraft, AShortlistHoldsForTheDraftToo) {
  const std::string source = files.write("source", text()), target = files.write("target", greedy({}).output);
  ASSERT_EQ(gloss("shortlist", {"--source", source, "--target", target, "--output", files / "list"}).status,
            0);
  const std::vector<std::string> listed{"--shortlist", files / "list", "--shortlist-first", "3"};
  std::vector<std::string> drafted = listed;
  drafted.insert(drafted.end(), {"--draft", *folder / "b", "--batch-size", "1"});
  EXPECT_EQ(greedy(drafted).output, greedy(listed).output);
}

TEST_F(TranslateDraft, AMemoryMayComeFromAPipe) {
  const std::string memory = files.write("memory.tsv", pairs(text(), greedy({}).output));
  const ProgramResult piped = run_program(
      {"/bin/bash", "-c",
       "\"$0\" translate -m \"$1\" --max-length 14 --beam-size 1 --min-length 5 --draft <(cat \"$2\")",
       kGlossBinary, *folder / "a", memory},
      text());
  EXPECT_EQ(piped.status, 0) << piped.errors;
  EXPECT_EQ(piped.output, greedy({}).output);
}

TEST_F(TranslateDraft, UnsuitableDraftsAreRefusedWithTheReason) {
  const auto refused = [&](const std::string& draft, int status, const std::string& expected) {
    expect_failure(greedy({"--draft", draft}), status, expected);
  };
  expect_failure(translate(text(), {"--draft", *folder / "b"}), 2, "--beam-size 1");
  expect_failure(translate(text(), {"--draft", *folder / "b", "--sample", "--n-best", "3"}), 2, "--n-best 1");
  refused(*folder / "c", 2, "target vocabulary");
  refused(*folder / "lm", 3, "language model");
  refused(files / "missing", 3, "missing");
  refused(files.write("empty", ""), 3, "empty has no lines");
  refused(files.write("bad.tsv", "the cat\tthe dog\n\nthe cat sat\n"), 3, "bad.tsv:3: found 1 column");
  const std::string memory = files.write("own.tsv", "the cat\tthe dog\n");
  expect_failure(greedy({"--draft", memory, "-o", memory}), 2, "would overwrite");
  EXPECT_EQ(files.read("own.tsv"), "the cat\tthe dog\n");
  refused(files.write("list", "gloss shortlist\n{}\n"), 3,
          "list: the second line: the member 'format' is missing");
  const std::string german = files.write("german", "the cat\n");
  ASSERT_EQ(run_program({kGlossBinary, "shortlist", "-m", *folder / "c", "--source", german, "--target",
                         german, "-o", files / "other_list"})
                .status,
            0);
  refused(files / "other_list", 3, "other_list was made for another source vocabulary");
  refused(files.write("half.tsv", "the cat\t \n"), 3, "half.tsv:1: the translation is empty");

  const Subwords pieces = Subwords::load(*folder / "a/tokenizer.model");
  NetworkSettings recurrent = small_network(pieces, pieces);
  recurrent.architecture = "recurrent";
  std::filesystem::create_directory(files / "recurrent");
  write_random_model(files / "recurrent", recurrent, pieces, pieces, 3);
  refused(files / "recurrent", 2, "recurrent reads one token after the other");
  expect_failure(run_program({kGlossBinary, "translate", "-m", files / "recurrent", "--beam-size", "1",
                              "--draft", *folder / "a"},
                             "cat\n"),
                 2, "recurrent reads one token after the other");
}

TEST_F(TranslateDraft, LinesBeyondThePositionsOfTheDraftHaveNone) {
  const Subwords pieces = Subwords::load(*folder / "a/tokenizer.model");
  std::filesystem::create_directory(files / "short");
  write_untrained_model(files / "short", pieces, pieces, 9, 8);
  for (const std::string batch : {"1", "5"}) {
    const ProgramResult drafted = greedy({"--draft", files / "short", "--batch-size", batch});
    EXPECT_EQ(drafted.status, 0) << drafted.errors;
    EXPECT_EQ(drafted.output, greedy({}).output);
  }
}

}  // namespace
}  // namespace gloss
