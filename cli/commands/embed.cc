// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "base/nameless_file.h"
#include "base/output.h"
#include "base/rounding.h"
#include "cli/lines/answer_options.h"
#include "cli/lines/run.h"
#include "cli/options/compute_options.h"
#include "cli/options/options.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/reading/text_files.h"
#include "pipeline/runs/answer_stream.h"
#include "pipeline/tasks/embedder.h"
#include "pipeline/tasks/split_answers.h"

namespace gloss {
namespace {

constexpr const char* kEmbedFormats =
    "Output: one vector for each line, in the same order.\n"
    "  --format tsv   numbers separated by tabs, in the shortest form that reads back\n"
    "                 exactly; an empty or blank line gives an empty one\n"
    "  --format npy   a NumPy file: lines x width in f32, zeros for blank lines. As it\n"
    "                 begins with the number of lines, it is written at the end\n"
    "With --split, a line's vector is the mean of the vectors of its sentences, each\n"
    "weighted by the number of its tokens.\n"
    "The result for a line never depends on batch size, other lines or threads.\n";

enum class VectorFormat { tsv, npy };

struct EmbedCommand : AnswerSettings {
  VectorFormat format = VectorFormat::tsv;
  EmbeddingSettings embedding;
  ParagraphSettings paragraphs;
  std::string language;  ///< of the source
};

std::string row_text(std::span<const float> vector) {
  std::string text;
  std::array<char, 32> number{};
  for (const float value : vector) {
    if (!text.empty()) text += '\t';
    text.append(number.data(), std::to_chars(number.data(), number.data() + number.size(), value).ptr);
  }
  return text;
}

/// The bytes that a file of NumPy (format 1.0) begins with.
std::string npy_header(std::int64_t rows, int columns) {
  std::string text =
      concat("{'descr': '<f4', 'fortran_order': False, 'shape': (", rows, ", ", columns, "), }");
  constexpr std::size_t kBefore = 10, kMultiple = 64;  // magic, version, length; the whole is a multiple
  text.resize(round_up(kBefore + text.size() + 1, kMultiple) - kBefore - 1, ' ');
  text += '\n';
  std::string header = "\x93NUMPY";
  header += {'\x01', '\0', static_cast<char>(text.size() & 255), static_cast<char>(text.size() >> 8)};
  return header + text;
}

/// Little-endian.
std::string bytes_of(std::span<const float> vector) {
  std::string bytes;
  for (const float value : vector) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>((bits >> shift) & 255);
  }
  return bytes;
}

/// Makes a text of vectors as they come, or one file of NumPy at the end; until then they are in a temporary
/// file.
class VectorWriter {
 public:
  VectorWriter(Output& output, VectorFormat format, int width) : output_(output), width_(width) {
    if (format == VectorFormat::npy) numbers_.emplace(temporary_folder());
  }

  void add(const std::vector<float>& vector) {
    ++rows_;
    if (!numbers_) return output_.line(row_text(vector));
    numbers_->append(bytes_of(vector.empty() ? std::vector<float>(index(width_)) : vector));
  }
  /// Writes what is still to be written.
  void finish() {
    if (!numbers_) return;
    output_.write(npy_header(rows_, width_));
    copy_numbers();
  }

 private:
  void copy_numbers() {
    std::vector<char> bytes(1 << 20);
    std::int64_t place = 0;
    while (const std::size_t got = numbers_->read(place, bytes)) {
      output_.write({bytes.data(), got});
      place += static_cast<std::int64_t>(got);
    }
    expects(place == rows_ * width_ * 4, "a temporary file has ", place, " bytes for ", rows_, " vectors");
  }

  Output& output_;
  int width_;
  std::int64_t rows_ = 0;
  std::optional<NamelessFile> numbers_;  // for npy, until their number is known
};

void add_options(Options& options, EmbedCommand& settings) {
  options.usage("-m DIR [OPTION...] [FILE...] > VECTORS", "turn each line of text into a vector");
  options.add("Files", file_fields(settings, options, "text to embed", "vectors"));
  options.add("Sentences",
              fields_of(settings.paragraphs,
                        "embed each sentence of a line by itself; their mean is the vector of the line"));
  options.add("Output",
              {pooling_field(settings.embedding),
               {"source_language",
                &settings.language,
                "language of the text, for a translation model with many",
                {},
                's',
                "CODE"},
               {"format", choice(settings.format, {"tsv", "npy"}), "numbers as text, or a NumPy file"}});
  options.add("Speed",
              speed_fields(settings.embedding.batches, settings.precision, settings.threads, "embedded"));
  options.common({&settings.model, &settings.input.input, &settings.output, &settings.format,
                  &settings.embedding.pooling, &settings.paragraphs.split, &settings.threads});
  options.example("Write a line of numbers for each line of text",
                  "gloss embed -m model < text > vectors.tsv");
  options.example("Write a NumPy file", "gloss embed -m model --format npy -i text -o vectors.npy");
  options.epilogue(kEmbedFormats);
}

int embed(const Options& options, EmbedCommand& settings, Run& run) {
  check(settings.paragraphs);
  TextFiles input(files_to_read(settings.input, options), settings.input.max_line_bytes,
                  run.join(settings.output, settings.input.shard));
  Terminal terminal("embed", options.quiet(), run.first());
  TextModel model = answering_model(settings, std::nullopt, terminal);
  expect_text(model, settings.model);
  fit_threads(settings.threads, terminal);
  if (form_of(model.model.settings) == Form::encoder_decoder)
    model.frame.source = source_frame(model.format, settings.language);
  if (form_of(model.model.settings) != Form::encoder_decoder && !settings.language.empty())
    throw UsageError("--source-language is for translation models; leave it out");
  const Embedder embedder(model, settings.embedding, settings.threads);
  const std::string& language = settings.language.empty() ? model.format.languages.source : settings.language;
  const LineSplitter splitter(sentence_splitter(settings.paragraphs, language), *model.source,
                              embedder.longest());
  // Vectors of a NumPy file are written when their number is known.
  const bool npy = settings.format == VectorFormat::npy;
  run.open(
      options,
      {.path = settings.output,
       .resume = settings.resume,
       .shard = &input.shard(),
       .whole_because = npy ? "a NumPy file can be neither continued nor divided; --format tsv can" : ""},
      {&model, 1});
  Output& output = run.output();
  StreamReport report(input, terminal);
  VectorWriter writer(output, settings.format, embedder.width());
  const AnswerSteps<std::string, EmbeddedLine> steps{
      .answer =
          [&](const auto& lines, std::int64_t, const auto& finished) {
            return settings.paragraphs.split ? embed_split(embedder, splitter, lines, finished)
                                             : embedder.embed(lines, finished);
          },
      .write =
          [&](std::int64_t, const EmbeddedLine& line) {
            if (!std::ranges::all_of(line.vector, [](float value) { return std::isfinite(value); })) {
              throw Error(
                  concat(report.place(),
                         ": the vector has numbers that are not finite; the model's weights are damaged"));
            }
            writer.add(line.vector);
          }};
  answer_stream(input, steps, run.answers(), report);
  writer.finish();
  run.close(report);
  terminal.note(concat(counted(report.items(), "line"), run.circumstances(), ", vectors of ",
                       counted(embedder.width(), "number"), ", in ", fixed_text(report.seconds(), 1), " s",
                       report.summary()));
  return 0;
}

}  // namespace

Work declare_embed(Options& options) { return run_of<EmbedCommand>(options, add_options, embed); }

}  // namespace gloss
