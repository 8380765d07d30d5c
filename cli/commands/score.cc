// SPDX-License-Identifier: Apache-2.0

#include "base/counted.h"
#include "base/error.h"
#include "base/json.h"
#include "base/threads.h"
#include "cli/commands/score_request.h"
#include "cli/lines/pair_input.h"
#include "cli/lines/run.h"
#include "cli/lines/translation_output.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/reranking/n_best_reader.h"
#include "pipeline/runs/answer_stream.h"
#include "pipeline/tasks/scorer.h"
#include "pipeline/tasks/split_answers.h"
#include "pipeline/translation/length_limits.h"

namespace gloss {
namespace {

std::string line_of(std::int64_t number, const ScoredPair& pair, const ScoreRequest& request) {
  if (request.format == OutputFormat::text) {
    std::string line = score_text(pair.score);
    if (request.translation.word_scores)
      line += "\t" + word_scores_text(pair.words, pair.end_log_probability);
    return line;
  }
  nlohmann::json object = {{"line", number},
                           {"score", pair.score},
                           {"log_probability", pair.log_probability},
                           {"tokens", pair.tokens},
                           {"perplexity", pair.perplexity()}};
  if (request.translation.word_scores) {
    object["words"] = words_json(pair.words);
    object["end_log_probability"] = pair.end_log_probability;
  }
  return json_line(object);
}

/// The sums of all pairs, for --summary.
nlohmann::json json_of(const ScoreTotals& totals, bool plain) {
  nlohmann::json summary = {{plain ? "lines" : "pairs", totals.pairs},
                            {"tokens", totals.tokens},
                            {"log_probability", totals.log_probability},
                            {"cross_entropy", totals.cross_entropy()},
                            {"perplexity", totals.perplexity()}};
  if (plain) {
    summary["characters"] = totals.characters;
    summary["bits_per_character"] = totals.bits_per_character();
  }
  return summary;
}

/// Scores pairs, or the sentences of lines.
using ScorePairs = std::function<std::vector<ScoredPair>(std::span<const SentencePair>,
                                                         const std::function<void(int)>& finished)>;

/// What scores a stream of pairs, and where the scores go.
struct StreamScoring {
  ScorePairs score;
  const ScoreRequest& request;
  Run& run;
  Terminal& terminal;
};

/// Scores all pairs of a stream and hands each to `write` in order.
ScoreTotals score_all(InputStream<SentencePair>& input,
                      const std::function<void(std::int64_t number, const ScoredPair&)>& write,
                      const StreamScoring& scoring) {
  StreamReport report(input, scoring.terminal, {.which = ""});
  ScoreTotals totals;
  const AnswerSteps<SentencePair, ScoredPair> steps{
      .answer = [&](const auto& pairs, std::int64_t,
                    const auto& finished) { return scoring.score(pairs, finished); },
      .write =
          [&](std::int64_t number, const ScoredPair& pair) {
            write(number, pair);
            totals.add(pair);
          },
      .numbered = scoring.request.format == OutputFormat::json};
  answer_stream(input, steps, scoring.run.answers(), report);
  if (scoring.request.summary) {
    scoring.run.output().line(json_line(json_of(totals, !scoring.request.files.plain.empty())));
  }
  scoring.run.close(report, {&totals.pairs, &totals.tokens, &totals.characters});
  return totals;
}

ScoreTotals score_pairs(InputStream<SentencePair>& reader, const StreamScoring& scoring) {
  const auto write = [&](std::int64_t number, const ScoredPair& pair) {
    if (!scoring.request.summary) scoring.run.output().line(line_of(number, pair, scoring.request));
  };
  return score_all(reader, write, scoring);
}

ScoreTotals score_n_best(NBestReader& reader, const StreamScoring& scoring) {
  reader.drop_entries(scoring.run.answers().done());
  if (!scoring.request.summary) reader.refuse_feature(scoring.request.feature);
  const auto write = [&](std::int64_t, const ScoredPair& pair) {
    NBestEntry entry = reader.take_entry();
    entry.features +=
        concat(entry.features.empty() ? "" : " ", scoring.request.feature, "= ", score_text(pair.score));
    if (!scoring.request.summary) scoring.run.output().line(n_best_text(entry));
  };
  return score_all(reader, write, scoring);
}

/// The figures of the pairs that this run scored, for the closing note.
std::string figures_text(const ScoreTotals& totals, bool plain, std::int64_t earlier) {
  if (totals.tokens == 0) {
    return totals.pairs == 0 && earlier > 0 ? ", nothing left to score" : ", no text to score";
  }
  return concat(", ", counted(totals.tokens, "token"), ", cross-entropy ",
                fixed_text(totals.cross_entropy(), 4), ", perplexity ", fixed_text(totals.perplexity(), 2),
                earlier == 0 ? "" : " of the others",
                plain ? concat(", ", fixed_text(totals.bits_per_character(), 4), " bits per character") : "");
}

/// The output that the options ask for.
RunOutput output_of(const ScoreRequest& request, const TextShard* part) {
  RunOutput output{request.output, request.resume, part};
  if (request.summary) output.whole_because = "--summary is about all pairs together; leave it out";
  if (!request.n_best_list.empty())
    output.other_input = [&request] { return checksum(read_file(request.files.source)); };
  return output;
}

int score(const Options& options, ScoreRequest& request, Run& run) {
  check(request, options);
  const Shard shard = run.join(request.output, request.shard);
  Terminal terminal("score", options.quiet(), run.first());
  const Form form = request.files.plain.empty() ? Form::encoder_decoder : Form::decoder;
  TextModels models = read_text_models({request.models, form, request.weights, &request.languages,
                                        /*of_items=*/request.n_best_list.empty()},
                                       terminal);
  pack(models, request.precision, request.threads, terminal);
  constexpr int kAnyLength = 1'000'000;  // only the networks' positions limit what is scored
  request.translation.max_source_tokens = request.translation.search.max_length = kAnyLength;
  limit_lengths(models, request.translation);
  fit_threads(request.threads, terminal);
  Scorer scorer(models, request.translation, request.threads);
  const NetworkSettings& network = models.first().model.settings;
  std::unique_ptr<PairInput> pairs;
  std::unique_ptr<NBestReader> list;
  if (request.n_best_list.empty()) {
    pairs = std::make_unique<PairInput>(request.files, shard, request.resume, network.source);
    if (!network.source.is_text()) scorer.read_items(ItemRows(network, pairs->list()));
  } else {
    list = std::make_unique<NBestReader>(request.files.source, request.n_best_list, shard);
  }
  const TextShard* const part = pairs ? pairs->shard() : &list->shard();
  run.open(options, output_of(request, part), models.members);
  const LineSplitter splitter(sentence_splitter(request.paragraphs, ""), *models.first().target,
                              kAnyLength);  // a sentence is scored whole, in parts if it is long
  const auto score_pairs_of = [&](std::span<const SentencePair> lines,
                                  const std::function<void(int)>& finished) {
    if (!request.swap_sides) return scorer.score(lines, finished);
    std::vector<SentencePair> swapped;
    for (const SentencePair& pair : lines) swapped.push_back({pair.target, pair.source});
    return scorer.score(swapped, finished);
  };
  const auto score_lines = [&](std::span<const SentencePair> lines,
                               const std::function<void(int)>& finished) {
    return request.paragraphs.split ? score_split(scorer, splitter, lines, finished)
                                    : score_pairs_of(lines, finished);
  };
  const StreamScoring scoring{score_lines, request, run, terminal};
  ScoreTotals totals = pairs ? score_pairs(pairs->stream(), scoring) : score_n_best(*list, scoring);
  const bool plain = !request.files.plain.empty();
  totals.log_probability = run.sum(totals.log_probability);
  terminal.note(concat(counted(totals.pairs + run.earlier(), plain ? "line" : "pair"), run.circumstances(),
                       figures_text(totals, plain, run.earlier())));
  return 0;
}

}  // namespace

Work declare_score(Options& options) { return run_of<ScoreRequest>(options, add_options, score); }

}  // namespace gloss
