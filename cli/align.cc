#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/text.h"
#include "base/threads.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "pipeline/aligning.h"
#include "pipeline/alignment_page.h"
#include "pipeline/pair_reader.h"

namespace gloss {
namespace {

constexpr const char* kFormats =
    "Words are what stands between spaces. A model's attention is that of reading\n"
    "the translation token by token; pieces of a source word are added up, those of\n"
    "a target word averaged. Output:\n"
    "  by default     for each pair a line of SOURCE-TARGET, numbers of words from 0:\n"
    "                 each target word with the source word that it looks at most\n"
    "  --format tsv   for each target word LINE<tab>LAYER<tab>HEAD<tab>TARGET and\n"
    "                 the weight of each source word; LINE and TARGET are counted\n"
    "                 from 0, LAYER and HEAD from 1, HEAD 0 is the mean\n"
    "  --format json  for each pair {\"line\", \"source\": [words], \"target\": [words],\n"
    "                 \"maps\": [{\"layer\", \"head\", \"weights\": [[...], ...]}]}\n"
    "  --text         for each pair a map drawn with characters\n"
    "What a target word's weights lack to 1 fell on the end of the source.\n";

enum class AlignFormat { hard, tsv, json };

struct AlignSettings {
  std::string model, output = "-", html, title = "Attention";
  ParallelFiles files;
  AlignFormat format = AlignFormat::hard;
  bool text = false, all = false;
  int layer = 0, head = 0;  // as given: from 1; 0: the last layer, the mean of the heads
  TranslationSettings translation;
  Precision precision = Precision::automatic;
  int threads = available_processors();
};

void check(const AlignSettings& settings) {
  if (settings.model.empty()) {
    throw UsageError("expected a model directory or a training directory: gloss align -m DIR");
  }
  check(settings.files, "");
  expect_standard_input_once({settings.files.source, settings.files.target});
  if (settings.all && (settings.text || settings.format == AlignFormat::hard)) {
    throw UsageError("--all is for --format tsv and json; the others have one map of each pair");
  }
  if (settings.all && (settings.layer != 0 || settings.head != 0)) {
    throw UsageError("--all takes every layer and head; leave out --layer and --head");
  }
  if (settings.text && settings.format != AlignFormat::hard) {
    throw UsageError("--text is a format of its own; leave out --format");
  }
}

/// One map of a pair; numbers from 1, head 0 is the mean.
struct NumberedMap {
  int layer, head;
  WordAlignment map;
};

std::vector<NumberedMap> wanted_maps(const AlignedPair& pair, const AlignSettings& settings) {
  std::vector<NumberedMap> maps;
  if (pair.maps.empty()) return maps;
  if (!settings.all) {
    const int layer = settings.layer == 0 ? pair.layers() : settings.layer;
    maps.push_back({layer, settings.head, pair.map(layer - 1, settings.head - 1)});
    return maps;
  }
  for (int layer = 1; layer <= pair.layers(); ++layer) {
    for (int head = 1; head <= pair.heads; ++head) {
      maps.push_back({layer, head, pair.map(layer - 1, head - 1)});
    }
  }
  return maps;
}

/// The weights of a target word.
std::span<const float> row_of(const WordAlignment& map, int target) {
  return std::span(map.weights)
      .subspan(static_cast<std::size_t>(target * map.sources), static_cast<std::size_t>(map.sources));
}

void write_tsv(std::int64_t line, const std::vector<NumberedMap>& maps, Output& output) {
  constexpr int kDigits = 4;
  for (const NumberedMap& map : maps) {
    for (int target = 0; target < map.map.targets(); ++target) {
      std::string row = concat(line, "\t", map.layer, "\t", map.head, "\t", target);
      for (const float weight : row_of(map.map, target)) {
        row += "\t" + fixed_text(static_cast<double>(weight), kDigits);
      }
      output.line(row);
    }
  }
}

nlohmann::json pair_json(std::int64_t line, const AlignedPair& pair, const std::vector<NumberedMap>& maps) {
  nlohmann::json list = nlohmann::json::array();
  for (const NumberedMap& map : maps) {
    nlohmann::json rows = nlohmann::json::array();
    for (int target = 0; target < map.map.targets(); ++target) {
      const std::span<const float> row = row_of(map.map, target);
      rows.push_back(std::vector<float>(row.begin(), row.end()));
    }
    list.push_back({{"layer", map.layer}, {"head", map.head}, {"weights", std::move(rows)}});
  }
  return {{"line", line}, {"source", pair.source}, {"target", pair.target}, {"maps", std::move(list)}};
}

void write_map(std::int64_t line, const AlignedPair& pair, const std::vector<NumberedMap>& maps,
               Output& output) {
  if (maps.empty()) {
    output.line(concat("line ", line, ": no words\n"));
    return;
  }
  const NumberedMap& map = maps.front();
  output.line(concat("line ", line, ", layer ", map.layer,
                     map.head == 0 ? ", mean of the heads" : concat(", head ", map.head)));
  output.line(heat_map_text(pair.source, pair.target, map.map));
}

void write_pair(std::int64_t line, const AlignedPair& pair, const AlignSettings& settings, Output& output) {
  const std::vector<NumberedMap> maps = wanted_maps(pair, settings);
  if (settings.text) {
    write_map(line, pair, maps, output);
    return;
  }
  switch (settings.format) {
    case AlignFormat::hard:
      output.line(maps.empty() ? "" : hard_alignment_text(maps.front().map));
      break;
    case AlignFormat::tsv:
      write_tsv(line, maps, output);
      break;
    case AlignFormat::json:
      output.line(json_line(pair_json(line, pair, maps)));
      break;
  }
}

/// Aligns pairs as they come, some at a time. Gives the first ones, for a page.
std::vector<AlignedPair> align_pairs(const Aligner& aligner, const AlignSettings& settings, Output& output,
                                     Terminal& terminal) {
  constexpr std::size_t kWindowPairs = 1024, kWindowBytes = 1 << 18, kPagePairs = 200;
  PairReader reader(settings.files);
  std::vector<AlignedPair> first_pairs;
  std::int64_t line = 0, done = 0, invalid = 0;
  for (bool more = true; more;) {
    std::vector<SentencePair> window;
    std::size_t bytes = 0;
    for (SentencePair pair;
         window.size() < kWindowPairs && bytes < kWindowBytes && (more = reader.next(pair));) {
      bytes += pair.source.size() + pair.target.size();
      window.push_back(std::move(pair));
    }
    std::vector<AlignedPair> aligned = aligner.align(window, [&](int pairs) {
      done += pairs;
      terminal.progress({done, 0, "pairs", ""});
    });
    for (AlignedPair& pair : aligned) {
      if (pair.left_out > 0) {
        terminal.warn(concat(settings.files.text(), ":", line + 1, ": ", pair.left_out,
                             " tokens of the pair were left out, since the model has no more positions"));
      }
      invalid += pair.replaced > 0 ? 1 : 0;
      write_pair(line++, pair, settings, output);
      if (!settings.html.empty() && first_pairs.size() < kPagePairs) first_pairs.push_back(std::move(pair));
    }
  }
  if (invalid > 0) {
    terminal.warn(concat(settings.files.text(), ": invalid UTF-8 in ", invalid, " pairs was read as U+FFFD"));
  }
  if (!settings.html.empty() && line > static_cast<std::int64_t>(kPagePairs)) {
    terminal.note(concat("the page shows the first ", kPagePairs, " of ", line, " pairs"));
  }
  return first_pairs;
}

}  // namespace

int run_align(std::span<const std::string> arguments) {
  AlignSettings settings;
  Options options("align", "-m DIR --source FILE --target FILE [OPTION...]",
                  "tell which words of translations and sources belong together");
  options.add("Model",
              {{"model", &settings.model, "model directory, or a training directory for its best", {}, 'm'},
               {"precision", translation_precision_choice(settings.precision),
                "what is computed with; auto: as the model is stored (gloss quantize)"}});
  Fields files = fields_of(settings.files, "", "pairs");
  files.push_back({"output", &settings.output, "where alignments go; '-' is standard output", {}, 'o'});
  options.add("Files", files);
  options.add(
      "Output",
      {{"format", choice(settings.format, {"hard", "tsv", "json"}), "links, or weights as tsv or JSON"},
       {"text", &settings.text, "maps drawn with characters, to be looked at"},
       {"layer", &settings.layer, "of the decoder, from 1; 0: the last", {0, 1000}},
       {"head", &settings.head, "of the layer, from 1; 0: the mean of all", {0, 1 << 16}},
       {"all", &settings.all, "every layer and head"},
       {"html", &settings.html, "writes a page with the maps of the first 200 pairs to this file"},
       {"title", &settings.title, "of the page"}});
  Fields speed = fields_of(settings.translation.batches);
  speed.push_back({"threads", &settings.threads, "pairs are aligned on so many threads", {1, 1024}, 'j'});
  options.add("Speed", speed);
  options.epilogue(kFormats);
  if (!options.parse(arguments)) return 0;
  check(settings);
  TextModels models = read_text_models({settings.model}, {}, Form::encoder_decoder);
  pack(models, settings.precision, settings.threads);
  limit_lengths(models, settings.translation);
  const Aligner aligner(models.first(), settings.translation, settings.threads);
  if (settings.layer > aligner.layers() || settings.head > aligner.heads()) {
    throw UsageError(concat("found --layer ", settings.layer, " --head ", settings.head,
                            ", but the model has ", aligner.layers(), " decoder layers with ",
                            aligner.heads(), " heads each"));
  }
  Terminal terminal("align", options.quiet());
  std::optional<AtomicFile> page;  // opened before the long work: it may be that it cannot be written
  if (!settings.html.empty()) page.emplace(settings.html);
  Output output(settings.output);
  const std::vector<AlignedPair> first_pairs = align_pairs(aligner, settings, output, terminal);
  output.close();
  if (page) {
    const AlignmentView view{settings.layer == 0 ? aligner.layers() - 1 : settings.layer - 1,
                             settings.head - 1};
    page->write(alignment_page(first_pairs, settings.title, view));
    page->commit();
    terminal.note("wrote " + settings.html);
  }
  return 0;
}

}  // namespace gloss
