// SPDX-License-Identifier: Apache-2.0
// Writes the seed corpus: fuzz_seeds DIRECTORY creates a folder of small files for each fuzzing program, and
// the dictionary `words`.
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/packer.h"
#include "model/model_directory.h"
#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/identification/identifier_training.h"
#include "pipeline/training/checkpoint.h"
#include "tests/fuzz/foreign_seeds.h"
#include "tests/fuzz/imported_seeds.h"
#include "tests/support/encoded_images.h"
#include "tests/support/encoded_sound.h"
#include "tests/support/fasttext_file.h"
#include "tests/support/image_files.h"
#include "tests/support/sound_files.h"
#include "tests/support/subword_model.h"
#include "tests/support/temporary_directory.h"
#include "tokenizer/byte_level.h"
#include "tokenizer/model_writer.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

const std::string kText = "the cat sat\r\n\non the mat. \xC3\xBC\xE2\x80\xA8\xFF\nno end";

std::string packed(const std::string& suffix, const std::string& text) {
  const std::unique_ptr<Packer> packer = packer_for(suffix);
  const std::string start = packer->pack(text);
  return start + packer->finish();
}

NetworkSettings tiny_network() {
  NetworkSettings settings;
  NetworkSizes& sizes = settings.sizes;
  sizes.encoder_layers = sizes.decoder_layers = 1;
  sizes.width = 4;
  settings.own<TransformerSettings>().feed_forward_width = 4;
  sizes.heads = 2;
  sizes.max_positions = 6;
  settings.source_vocabulary = settings.target_vocabulary = 4;
  return settings;
}

/// config.json, NUL, model.safetensors.
std::string model_files(const NetworkSettings& settings, DType type) {
  const TemporaryDirectory folder;
  Parameters parameters;
  const auto network = make_network(settings, parameters);
  Random random(1);
  parameters.initialise(random);
  write_model(folder.path(), settings, parameters, {{"text", {{"normalization", "nfc"}}}}, {}, type);
  nlohmann::json config = nlohmann::json::parse(folder.read("config.json"));
  config.erase("sums");  // they would refuse every change of the weights
  return config.dump() + '\0' + folder.read("model.safetensors");
}

std::string tensors() {
  const TemporaryDirectory folder;
  const float wide[] = {1, 2, 3, 4};
  const std::uint16_t narrow[] = {1, 2};
  const std::int8_t small[] = {1, -2, 3, 4, 5, 6, 7, 8};
  const std::vector<NamedArray> arrays{{"a", DType::f32, {2, 2}, wide},
                                       {"b.weight", DType::bf16, {2}, narrow},
                                       {"c", DType::int8, {2, 2, 2, 1}, small}};
  AtomicFile file(folder / "tensors");
  write_safetensors(file, arrays);
  file.commit();
  return folder.read("tensors");
}

std::string training_files() {
  TrainingState state;
  return nlohmann::json{{"format", 2}, {"state", fields_to_json(fields_of(state))}, {"data", {{"found", 1}}}}
             .dump() +
         '\0' + R"({"seconds": 1.5})";
}

/// The member names that JSON readers look for, as a dictionary for libFuzzer.
std::string dictionary() {
  NetworkSettings network;
  TrainingState state;
  std::string words;
  const auto add = [&](const std::string& word) { words += "\"\\\"" + word + "\\\"\"\n"; };
  for (const Field& field : all_fields_of(network)) add(field.name);
  for (const Field& field : fields_of(state)) add(field.name);
  for (const char* name :
       {"dtype", "shape", "data_offsets", "F32", "BF16", "I8", "U8", "format", "network", "event", "report"})
    add(name);
  for (const char* word :
       {"4294967296", "-1",          "1e308",      "18446744073709551615", "null",       "[[",
        "{}",         " ||| ",       "\\x1f\\x8b", "\\x28\\xb5\\x2f\\xfd", "<f4",        "|i1",
        "shape",      "<source>",    "</source>",  "translate='no'",       "<g id='1'>", "<table>",
        "</p>",       "PK\\x05\\x06"})
    words += std::string("\"") + word + "\"\n";
  return words;
}

void write_seeds(const std::string& directory) {
  const auto write = [&](const std::string& program, const std::string& name, const std::string& bytes) {
    fs::create_directories(fs::path(directory) / program);
    write_file((fs::path(directory) / program / name).string(), bytes);
  };
  write("lines", "plain", kText);
  for (const std::string suffix : {".gz", ".zst", ".xz", ".bz2"}) {
    write("lines", suffix.substr(1), packed(suffix, kText) + packed(suffix, "second\n"));
  }
  write("lines", "utf16", std::string("\xFF\xFEt\0h\0e\0\n\0\x3D\xD8\0\xDE", 14));
  write("safetensors", "three", tensors());
  write("fasttext", "softmax", FastTextFile().bytes());
  write("fasttext", "tree", FastTextFile{.loss = 1}.bytes());
  Listener silent;
  const std::vector<LabelledLine> labelled{{"en", "the cat"}, {"de", "die Katze"}};
  write("fasttext", "quantised",
        trained_identifier(labelled, {.dimension = 2, .buckets = 8, .epochs = 1}, silent));
  for (const auto& seeds : {foreign_seeds(), imported_seeds()}) {
    for (const ForeignSeed& seed : seeds) write(seed.program, seed.name, seed.bytes);
  }
  const std::vector<std::uint8_t> pixels(12 * 9 * 3, 77);
  write("images", "png", png_bytes(12, 9, PNG_FORMAT_RGB, pixels.data()));
  write("images", "jpeg", jpeg_bytes(12, 9, 3, pixels));
  write("images", "pnm", pnm_bytes(12, 9, 3, pixels));
  write("images", "pgm", "P2 # grey\n2 2\n9\n1 2 3 9\n");
  write("images", "idx", idx_bytes({2, 2, 2}, "12345678"));
  std::vector<int> samples;
  for (int i = 0; i < 400; ++i) samples.push_back(i * 37 % 2000 - 1000);
  write("recordings", "wav", wav_bytes(8000, 2, samples));
  write("recordings", "float", float_wav_bytes(8000, {0.5f, -0.25f, 0.125f}));
  for (const auto& [name, format] : {std::pair("flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16),
                                     std::pair("ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS),
                                     std::pair("aiff", SF_FORMAT_AIFF | SF_FORMAT_PCM_16)})
    write("recordings", name, encoded_sound(samples, format));
  NetworkSettings network = tiny_network();
  write("model_directory", "f32", model_files(network, DType::f32));
  write("model_directory", "bf16", model_files(network, DType::bf16));
  write("model_directory", "int8", model_files(network, DType::int8));
  write("model_directory", "int4", model_files(network, DType::int4));
  network.own<TransformerSettings>().norm = NormPlacement::post;
  network.own<TransformerSettings>().activation = Activation::gelu;
  network.own<TransformerSettings>().positions = Positions::learned;
  network.sizes.tied_embeddings = TiedEmbeddings::none;
  write("model_directory", "other", model_files(network, DType::int8));
  write("subword_model", "words", cat_model());
  write("subword_model", "bytes", cat_model(byte_pieces(), byte_fallback()));
  write("subword_model", "rules", cat_model("", "", wire_bytes(2, charsmap())));
  write("subword_model", "symbols", cat_model(model_piece("cat", 0, 4), "", wire_varint(5, 0)));
  std::vector<Piece> bytes = first_pieces(true, {"<x>"});
  for (int byte = 0; byte < 256; ++byte) bytes.push_back({byte_character(static_cast<unsigned char>(byte))});
  bytes.push_back({"th"});
  write("subword_model", "byte_level", write_model_file(bytes, Segmentation::bpe, Preparation::byte_level));
  const std::string foreign = wire_varint(2, 20) + wire_varint(3, 2) + wire_varint(4, 3) +
                              wire_bytes(5, wire_varint(1, 3) + wire_varint(2, 1)) + wire_varint(6, 1) +
                              wire_varint(7, 1);
  for (const unsigned kind : {0, 1, 2, 3}) {
    const std::string merge = wire_bytes(8, wire_varint(1, 17) + wire_varint(2, 18));  // "a" and "t"
    write("subword_model", concat("foreign", kind),
          cat_model() + wire_bytes(200, foreign + wire_varint(1, kind) + merge));
  }
  write("training_record", "first", training_files());
  write("text_inputs", "n_best", "0 ||| the ||| cat ||| LogP= -1.5 ||| -0.5 ||| 0-0 1-1");
  write("text_inputs", "links", "1-1 2p3 10-4");
  write("text_inputs", "log", R"({"event": "report", "update": 1, "epoch": 1, "tokens": 9, "seconds": 0.1})");
  write("text_inputs", "text", kText + "e\xCC\x81 \xEF\xAC\x81 \xF0\x9F\x91\x8B");
  write("json", "values", R"({"a": [1, -2.5, "x\u00fc", null, true], "b": {"a": {}}})");
  write("documents", "page",
        "<p>One <b>two</b> <i>three <u>four</u></i>,<img src=x> six&nbsp;seven &amp; <a href='u'>eight</a> "
        "12 %s."
        "<table><tr><td>a<!-- c --><pre>b</pre><code>x</code> y</table><script>a < b</script><p "
        "translate=no>z");
  const std::string units =
      "<file><body><trans-unit id='1'><source>a <g id='1'>b</g> <x id='2'/>c<ph id='3'>d</ph> &amp;<bpt "
      "rid='1'>e</bpt> "
      "f<ept rid='1'/> &#160;<mrk mtype='protected'>A</mrk></source><target "
      "state='new'/></trans-unit></body></file>";
  write("documents", "xliff", "<?xml version='1.0'?><xliff version='1.2'>" + units + "</xliff>");
  write("documents", "segments",
        "<xliff version='1.2'><file><trans-unit><source>a. b</source><seg-source><g id='1'><mrk mtype='seg' "
        "mid='1'>a.</mrk> <mrk mtype='seg' mid='2'>b</mrk></g></seg-source></trans-unit></file></xliff>");
  write("documents", "xliff2",
        "<xliff version='2.0'><file><unit><segment><source>a <pc id='1'>b</pc><sc id='2'/>c<ec "
        "startRef='2'/> <![CDATA[<]]>"
        "</source></segment></unit></file></xliff>");
  write("documents", "kept_space",
        "<xliff version='1.2'><trans-unit xml:space='preserve'><source> a <g id='1'>b\n c</g>  d<x id='2'/> "
        "&#10;e\t<![CDATA[f\n <g>]]> h</source></trans-unit></xliff>");
  write("records", "tsv", "a cat\tune chatte\t0.5\nR&amp;D <b>\tÃ©t\n");
  write("records", "json", "{\"source\": \"a cat\", \"target\": \"une chatte\", \"score\": 1}\n{\"source\"");
  write("records", "tmx",
        "<tmx><!-- <tu> --><tu><tuv xml:lang='en'><seg>a <ph>x</ph>cat</seg></tuv><tuv xml:lang='fr'><seg>"
        "<![CDATA[une]]></seg></tuv></tu><tu><tuv></tmx>");
  // Reader 0 (JSON), 1 (safetensors), 2 (lines) or 3 (encoding) plus 4 times the exponent of the repetitions.
  using namespace std::string_literals;
  write("repetition", "json", "\x4c[{}\0,{}\0]"s);
  write("repetition", "members", "\x4d{\"__metadata__\":{}\0,\"a\":{}\0}"s);
  write("repetition", "depth", "\x40\0[\0"s);
  write("repetition", "line", "\x52the cat\n\0a\0\nsat\n"s);
  write("repetition", "lines", "\x4e\0a\n\0"s);
  write("repetition", "word", "\x53\0a\0"s);
  write("repetition", "words", "\x4f\0the cat \0"s);
  write_file(directory + "/words", dictionary());
}

}  // namespace
}  // namespace gloss

int main(int count, char** words) {
  if (count != 2) {
    std::cerr << "fuzz_seeds DIRECTORY\n";
    return 2;
  }
  gloss::write_seeds(words[1]);
}
