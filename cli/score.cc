#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/threads.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/translation_output.h"
#include "pipeline/n_best_list.h"
#include "pipeline/pair_reader.h"
#include "pipeline/scoring.h"

namespace gloss {
namespace {

constexpr const char* kFormats =
    "One of the files may be '-', standard input. --input is for language models: the\n"
    "score of a line is that of its text behind the end of another line.\n"
    "Output: a line for every pair or line, in the same order.\n"
    "  by default     SCORE = log-probability / length^A: natural logarithm of the\n"
    "                 probability of all tokens and the end, A from --length-penalty\n"
    "  --word-scores  SCORE<tab>log-probabilities of the words and of the end\n"
    "  --format json  {\"line\": from 0, \"score\", \"log_probability\", \"tokens\", ...}\n"
    "  --summary      one JSON object for all pairs, and no lines\n"
    "  --n-best-list  the list's lines with a further feature NAME= SCORE\n"
    "Text is cut into pieces anew: where a translation was made of other pieces than\n"
    "its text is cut into, translate reports another score.\n";

struct ScoreSettings {
  std::vector<std::string> models, weights;
  ParallelFiles files;
  std::string n_best_list, feature = "ModelScore", output = "-";
  bool summary = false;
  OutputFormat format = OutputFormat::text;
  TranslationSettings translation;
  Precision precision = Precision::automatic;
  int threads = available_processors();
};

void check(const ScoreSettings& settings) {
  if (!settings.files.plain.empty()) {
    const ParallelFiles& files = settings.files;
    if (!files.source.empty() || !files.target.empty() || !files.tsv.empty() ||
        !settings.n_best_list.empty()) {
      throw UsageError(
          "--input is text for a language model; it needs neither --source, --target, --tsv nor "
          "--n-best-list");
    }
  } else if (settings.n_best_list.empty()) {
    check(settings.files, "");
  } else if (settings.files.source.empty() || !settings.files.target.empty() || !settings.files.tsv.empty()) {
    throw UsageError(
        "--n-best-list is scored against --source; it needs that and neither --target nor --tsv");
  } else if (settings.translation.word_scores || settings.format == OutputFormat::json) {
    throw UsageError("--n-best-list writes the list; leave out --word-scores and --format");
  }
  expect_standard_input_once({settings.files.source, settings.files.target, settings.n_best_list});
  if (settings.feature.empty() || settings.feature.find_first_of(" |=") != std::string::npos) {
    throw UsageError(
        concat("--feature: found '", settings.feature, "', expected a name without ' ', '|' and '='"));
  }
}

std::string line_of(std::int64_t number, const ScoredPair& pair, const ScoreSettings& settings) {
  if (settings.format == OutputFormat::text) {
    std::string line = score_text(pair.score);
    if (settings.translation.word_scores)
      line += "\t" + word_scores_text(pair.words, pair.end_log_probability);
    return line;
  }
  nlohmann::json object = {{"line", number},
                           {"score", pair.score},
                           {"log_probability", pair.log_probability},
                           {"tokens", pair.tokens},
                           {"perplexity", pair.perplexity()}};
  if (settings.translation.word_scores) {
    object["words"] = words_json(pair.words);
    object["end_log_probability"] = pair.end_log_probability;
  }
  return json_line(object);
}

/// Scores pairs as they come, some thousand at a time, and hands each to `take` in order. `read` gives the
/// next pair; false: there is none.
ScoreTotals score_all(const Scorer& scorer, const std::function<bool(SentencePair&)>& read,
                      const std::function<void(std::int64_t number, const ScoredPair&)>& take,
                      const std::string& name, Terminal& terminal) {
  constexpr std::size_t kWindowPairs = 8192, kWindowBytes = 1 << 21;
  ScoreTotals totals;
  std::int64_t done = 0, invalid = 0;
  for (bool more = true; more;) {
    std::vector<SentencePair> window;
    std::size_t bytes = 0;
    for (SentencePair pair; window.size() < kWindowPairs && bytes < kWindowBytes && (more = read(pair));) {
      bytes += pair.source.size() + pair.target.size();
      window.push_back(std::move(pair));
    }
    const auto scored = scorer.score(window, [&](int pairs) {
      done += pairs;
      terminal.progress({done, 0, "pairs", ""});
    });
    for (const ScoredPair& pair : scored) {
      if (pair.left_out > 0) {
        terminal.warn(concat(name, ":", totals.pairs + 1, ": ", pair.left_out,
                             " tokens of the pair were left out, since the model has no more positions; the "
                             "score is that of the rest"));
      }
      invalid += pair.replaced > 0 ? 1 : 0;
      take(totals.pairs, pair);
      totals.add(pair);
    }
  }
  if (invalid > 0) terminal.warn(concat(name, ": invalid UTF-8 in ", invalid, " pairs was read as U+FFFD"));
  return totals;
}

ScoreTotals score_pairs(const Scorer& scorer, const ScoreSettings& settings, Output& output,
                        Terminal& terminal) {
  PairReader reader(settings.files);
  return score_all(
      scorer, [&](SentencePair& pair) { return reader.next(pair); },
      [&](std::int64_t number, const ScoredPair& pair) {
        if (!settings.summary) output.line(line_of(number, pair, settings));
      },
      settings.files.text(), terminal);
}

ScoreTotals score_n_best(const Scorer& scorer, const ScoreSettings& settings, Output& output,
                         Terminal& terminal) {
  const std::vector<std::string> sources = read_lines(settings.files.source);
  LineReader reader(settings.n_best_list);
  std::vector<NBestEntry> entries;  // of the window
  std::size_t written = 0;
  const auto read = [&](SentencePair& pair) {
    std::string line;
    if (!reader.next(line)) return false;
    const auto wrong = [&](const std::string& what) {
      return InputError(concat(reader.name(), ":", reader.line_number(), ": ", what));
    };
    NBestEntry entry;
    try {
      entry = parse_n_best(line);
    } catch (const InputError& error) {
      throw wrong(error.what());
    }
    if (static_cast<std::size_t>(entry.line) >= sources.size()) {
      throw wrong(concat("a translation of line ", entry.line, ", but ", settings.files.source, " has ",
                         sources.size(), " lines, counted from 0"));
    }
    pair = {sources[static_cast<std::size_t>(entry.line)], entry.text};
    entries.push_back(std::move(entry));
    return true;
  };
  return score_all(
      scorer, read,
      [&](std::int64_t, const ScoredPair& pair) {
        NBestEntry& entry = entries[written++];
        entry.features +=
            concat(entry.features.empty() ? "" : " ", settings.feature, "= ", score_text(pair.score));
        if (!settings.summary) output.line(n_best_text(entry));
        if (written == entries.size()) {
          entries.clear();
          written = 0;
        }
      },
      settings.n_best_list, terminal);
}

}  // namespace

int run_score(std::span<const std::string> arguments) {
  ScoreSettings settings;
  settings.translation.search.length_penalty = 0;
  Options options("score", "-m DIR (--source FILE --target FILE | --input FILE) [OPTION]",
                  "tell how probable a model finds translations or text");
  options.add("Model", {{"model",
                         &settings.models,
                         "model directory, or a training directory for its best; several score together",
                         {},
                         'm'},
                        {"ensemble_weights", &settings.weights,
                         "how much each of several models counts; by default all the same"}});
  Fields files = fields_of(settings.files, "", "pairs");
  files.push_back(
      {"input", &settings.files.plain, "instead: text for a language model, line by line", {}, 'i'});
  files.push_back(
      {"n_best_list", &settings.n_best_list,
       "instead of --target or --tsv: a list made by 'gloss translate --n-best' from the source"});
  files.push_back({"output", &settings.output, "where scores go; '-' is standard output", {}, 'o'});
  options.add("Files", files);
  Fields output = {
      {"format", choice(settings.format, {"text", "json"}), "lines of text, or of JSON"},
      {"word_scores", &settings.translation.word_scores, "adds the log-probability of each word"},
      {"summary", &settings.summary, "only the sums, cross-entropy and perplexity of all pairs"},
      {"feature", &settings.feature, "name of the feature that is added to an n-best list"},
      {"length_penalty",
       &settings.translation.search.length_penalty,
       "A in score = log-probability / length^A; translate has 1",
       {0, 10}}};
  options.add("Output", output);
  Fields speed = fields_of(settings.translation.batches);
  for (Field& field : speed)
    field.help =
        field.name == "batch_size" ? "pairs scored together, at most" : "tokens scored together, at most";
  speed.push_back({"precision", translation_precision_choice(settings.precision),
                   "what is computed with; auto: as the model is stored (gloss quantize)"});
  speed.push_back({"threads", &settings.threads, "pairs are scored on so many threads", {1, 1024}, 'j'});
  options.add("Speed", speed);
  options.epilogue(kFormats);
  if (!options.parse(arguments)) return 0;
  check(settings);
  if (settings.summary &&
      (options.given("format") || options.given("word_scores") || options.given("feature"))) {
    throw UsageError("--summary writes sums alone; leave out --format, --word-scores and --feature");
  }
  TextModels models = read_text_models(settings.models, settings.weights,
                                       settings.files.plain.empty() ? Form::encoder_decoder : Form::decoder);
  pack(models, settings.precision, settings.threads);
  constexpr int kAnyLength = 1'000'000;  // only the networks' positions limit what is scored
  settings.translation.max_source_tokens = settings.translation.search.max_length = kAnyLength;
  limit_lengths(models, settings.translation);
  const Scorer scorer(models, settings.translation, settings.threads);
  Terminal terminal("score", options.quiet());
  Output out(settings.output);
  const ScoreTotals totals = settings.n_best_list.empty() ? score_pairs(scorer, settings, out, terminal)
                                                          : score_n_best(scorer, settings, out, terminal);
  const bool plain = !settings.files.plain.empty();
  if (settings.summary) {
    nlohmann::json summary = {{plain ? "lines" : "pairs", totals.pairs},
                              {"tokens", totals.tokens},
                              {"log_probability", totals.log_probability},
                              {"cross_entropy", totals.cross_entropy()},
                              {"perplexity", totals.perplexity()}};
    if (plain) {
      summary["characters"] = totals.characters;
      summary["bits_per_character"] = totals.bits_per_character();
    }
    out.line(json_line(summary));
  }
  out.close();
  terminal.note(
      concat(totals.pairs, plain ? " lines, " : " pairs, ", totals.tokens, " tokens, cross-entropy ",
             fixed_text(totals.cross_entropy(), 4), ", perplexity ", fixed_text(totals.perplexity(), 2),
             plain ? concat(", ", fixed_text(totals.bits_per_character(), 4), " bits per character") : ""));
  return 0;
}

}  // namespace gloss
