// SPDX-License-Identifier: Apache-2.0

#include "pipeline/interchange/ctranslate2_model.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/index.h"
#include "base/json.h"
#include "base/text.h"
#include "model/formats/ctranslate2.h"
#include "model/networks/position_schemes.h"
#include "model/networks/transformer_settings.h"
#include "pipeline/interchange/ctranslate2_parameters.h"
#include "pipeline/interchange/ctranslate2_vocabulary.h"
#include "pipeline/interchange/foreign_config.h"
#include "pipeline/interchange/stored_positions.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

// Computed positions have no number of their own.
constexpr int kComputedPositions = 1024;
// Settings of alignment and of how several embeddings would be joined.
constexpr std::array kUnneeded{"alignment_layer", "alignment_heads", "embeddings_merge",
                               "alibi_use_positive_positions"};

/// Reads the settings and weights of a directory.
class Reader {
 public:
  explicit Reader(const std::string& directory)
      : directory_(directory),
        file_(std::make_shared<const CTranslate2File>(read_ctranslate2(directory + "/model.bin"))),
        config_(read_config(directory)) {
    const std::string& specification = file_->specification;
    decodes_only_ = specification == "TransformerDecoderSpec";
    const bool translates = specification == "TransformerSpec" || specification == "TransformerBase" ||
                            specification == "TransformerBig";
    if (!translates && !decodes_only_) {
      throw InputError(concat(path(), " has a model of the kind '", specification,
                              "'; expected TransformerSpec or TransformerDecoderSpec"));
    }
    for (const std::string side : {"encoder", "decoder"}) {
      if (side == "decoder" || !decodes_only_) sides_.push_back(side);
    }
  }

  ForeignModel read() {
    NetworkSettings network = read_network();
    CTranslate2Tokens tokens = read_tokens();
    Tokenizers tokenizers = read_ctranslate2_tokenizers(directory_, tokens);
    TextFormat format;
    format.source_end = decodes_only_ || tokens.source_end;
    if (tokens.source_begin) format.source_prefix = {id_of(*tokenizers.source, tokens.begin)};
    network.begin_token = begin_token_of(network, tokenizers.target->begin_id(), tokenizers.target->end_id());
    network.end_token = tokenizers.target->end_id();
    if (decodes_only_ && tokens.begin != tokens.end) {
      throw InputError(concat(path(), ": texts start with '", tokens.begin, "' and end with '", tokens.end,
                              "'; expected one token for both"));
    }
    ParameterMap map = ctranslate2_parameters(network);
    for (const std::string& name : known_) map.ignore(name);
    add_positions(network, map);
    ForeignModel model{
        decodes_only_ ? "a CTranslate2 language model" : "a CTranslate2 translation model", network,
        std::move(tokenizers),
        WeightSources(std::shared_ptr<const ForeignArrays>(file_, &file_->arrays), std::move(map),
                      {.older_ends = {{"embeddings_0/weight", "embeddings/weight"}}}),
        format};
    // Each of them would change what the network computes.
    if (const std::vector<std::string> unused = model.weights.unused(); !unused.empty()) {
      throw InputError(concat(path(), " has the variable '", unused.front(), "'",
                              unused.size() > 1 ? concat(" and ", unused.size() - 1, " more") : "",
                              ", which no network of gloss has"));
    }
    return model;
  }

 private:
  static ForeignConfig read_config(const std::string& directory) {
    const std::string path = directory + "/config.json";
    return {path, fs::exists(path) ? read_json(path) : nlohmann::json::object()};
  }
  const std::string& path() const { return file_->arrays.path(); }

  /// The array of this name; null if there is none. It is known from now on.
  const ForeignArray* find(const std::string& name) {
    const ForeignArray* const array = file_->arrays.find(name);
    if (array != nullptr) known_.push_back(name);
    return array;
  }
  const ForeignArray& at(const std::string& name) {
    if (const ForeignArray* array = find(name)) return *array;
    return file_->arrays.at(name);
  }
  /// A setting: a variable of one number.
  std::optional<double> number(const std::string& name) {
    const ForeignArray* const array = find(name);
    if (array == nullptr) return std::nullopt;
    float value = 0;
    if (array->count() != 1) {
      throw InputError(
          concat(array->where(), " has the shape ", shape_text(array->shape()), "; expected one number"));
    }
    array->read(std::span(&value, 1));
    if (!std::isfinite(value)) throw InputError(concat(array->where(), " is ", value, "; expected a number"));
    return value;
  }
  /// A setting of a side; old files have one for both.
  std::optional<double> number(const std::string& side, const std::string& name) {
    const std::optional<double> common = number(name), own = number(concat(side, "/", name));
    return own ? own : common;
  }
  /// A setting that must be the same on both sides.
  double shared(const std::string& name, double otherwise) {
    const double value = number(sides_.front(), name).value_or(otherwise);
    const double last = number(sides_.back(), name).value_or(otherwise);
    if (value == last) return value;
    refuse(name, concat(value, " in the encoder and ", last, " in the decoder"), "the same in both");
  }
  [[noreturn]] void refuse(const std::string& name, const std::string& found,
                           const std::string& expected) const {
    throw InputError(concat(path(), ": ", name, " is ", found, "; expected ", expected));
  }
  /// The shared answer of a question about each side.
  template <class Question>
  auto of_both(const std::string& what, const Question& question) {
    const auto first = question(sides_.front()), last = question(sides_.back());
    if (first == last) return first;
    refuse(what, concat(first, " in the encoder and ", last, " in the decoder"), "the same in both");
  }
  bool has(const std::string& name) const { return file_->arrays.find(name) != nullptr; }

  static int size(const ForeignArray& array, std::size_t dimension) {
    constexpr std::int64_t kMost = 1 << 24;
    if (array.shape().size() != 2 || array.shape()[dimension] < 1 || array.shape()[dimension] > kMost) {
      throw InputError(concat(array.where(), " has the shape ", shape_text(array.shape()),
                              "; expected a matrix of up to ", kMost, " rows and columns"));
    }
    return static_cast<int>(array.shape()[dimension]);
  }

  int layers(const std::string& side) const {
    int count = 0;
    while (count < 1000 && has(concat(side, "/layer_", count, "/self_attention/linear_0/weight"))) ++count;
    if (count > 0) return count;
    throw InputError(
        concat(path(), " has no layers of the ", side, "; expected ", side, "/layer_0/self_attention"));
  }

  NetworkSettings read_network() {
    NetworkSettings network;
    NetworkSizes& sizes = network.sizes;
    const ForeignArray& target = at("decoder/embeddings/weight");
    const ForeignArray& source = decodes_only_                      ? target
                                 : has("encoder/embeddings/weight") ? at("encoder/embeddings/weight")
                                                                    : at("encoder/embeddings_0/weight");
    network.source_vocabulary = size(source, 0);
    network.target_vocabulary = size(target, 0);
    sizes.width = size(target, 1);
    sizes.encoder_layers = decodes_only_ ? 0 : layers("encoder");
    sizes.decoder_layers = layers("decoder");
    sizes.heads = heads(sides_.front());
    sizes.tied_embeddings = ties();
    sizes.scale_embeddings =
        of_both("scale_embeddings", [&](const std::string& side) { return scales(side); });
    auto& own = network.own<TransformerSettings>();
    own.norm = shared("pre_norm", 1) != 0 ? NormPlacement::pre : NormPlacement::post;
    own.activation = activation();
    if (const int of_decoder = heads("decoder"); of_decoder != sizes.heads) own.decoder_heads = of_decoder;
    const auto inner = [&](const std::string& side) {
      return size(at(side + "/layer_0/ffn/linear_0/weight"), 0);
    };
    own.feed_forward_width = inner(sides_.front());
    if (const int of_decoder = inner("decoder"); of_decoder != own.feed_forward_width)
      own.decoder_feed_forward_width = of_decoder;
    const std::string layer = concat(sides_.back(), "/layer_0/");
    own.gated_feed_forward = has(layer + "ffn/linear_0_noact/weight");
    own.linear_bias = has(layer + "ffn/linear_0/bias");
    sizes.output_bias = has("decoder/projection/bias");
    own.norm_type = has(layer + "ffn/layer_norm/beta") ? NormType::layer : NormType::rms;
    own.norm_epsilon =
        config_.number("layer_norm_epsilon", own.norm_type == NormType::layer ? 1e-5 : 1e-6, 1e-12, 1);
    own.embedding_norm = has(sides_.back() + "/layernorm_embedding/gamma");
    read_positions(network);
    for (const std::string& side : sides_) {
      for (const std::string name : kUnneeded) number(side, name);
    }
    return network;
  }

  int heads(const std::string& side) {
    const double standard = file_->specification == "TransformerBig" ? 16 : 8;
    const double value = number(side, "num_heads").value_or(standard);
    if (value < 1 || value > (1 << 16) || value != std::floor(value))
      refuse("num_heads", concat(value), "a whole number from 1 to 65536");
    return static_cast<int>(value);
  }

  Activation activation() {
    constexpr std::array kActivations{Activation::relu, Activation::gelu, Activation::swish,
                                      Activation::gelu_exact};
    const double value = shared("activation", 0);
    for (std::size_t i = 0; i < kActivations.size(); ++i) {
      if (value == static_cast<double>(i)) return kActivations[i];
    }
    refuse("activation", concat(value), "0 (relu), 1 (gelu with tanh), 2 (swish) or 3 (gelu)");
  }

  /// Whether the embeddings of a side are multiplied by the square root of their width.
  bool scales(const std::string& side) {
    const std::string name = side + "/scale_embeddings";
    const bool flag = !has(name) || file_->arrays.find(name)->type() == NumberType::i8;
    const std::optional<double> old = number(side + "/embeddings/multiply_by_sqrt_depth");
    const double value = number(name).value_or(old.value_or(1));
    if (flag) return value != 0;
    const double root = std::sqrt(size(at("decoder/embeddings/weight"), 1));
    if (value == 1) return false;
    if (std::abs(value - root) <= 1e-5 * root) return true;
    refuse(name, concat(value), concat("1 or the square root of the width, ", root));
  }

  TiedEmbeddings ties() const {
    const auto variable = [&](const std::string& name) {
      const auto alias = file_->aliases.find(name);
      return alias == file_->aliases.end() ? name : alias->second;
    };
    const std::string target = variable("decoder/embeddings/weight");
    const bool output = variable("decoder/projection/weight") == target;
    for (const std::string name : {"encoder/embeddings_0/weight", "encoder/embeddings/weight"}) {
      if (variable(name) == target) return output ? TiedEmbeddings::all : TiedEmbeddings::inputs;
    }
    return output ? TiedEmbeddings::target : TiedEmbeddings::none;
  }

  void read_positions(NetworkSettings& network) {
    NetworkSizes& sizes = network.sizes;
    auto& own = network.own<TransformerSettings>();
    const std::string attention = sides_.back() + "/layer_0/self_attention/";
    const bool alibi = number(sides_.back() + "/alibi").value_or(0) != 0;
    sizes.max_positions = kComputedPositions;
    if (const std::optional<double> rotary = number(attention + "rotary_dim")) {
      own.positions = Positions::rotary;
      expect_rotary(*rotary, sizes.width / sizes.heads);
    } else if (alibi) {
      own.positions = Positions::alibi;
      const bool power = (sizes.heads & (sizes.heads - 1)) == 0;
      if (!power || !decodes_only_)
        refuse("alibi", "1", "0 unless the model is a decoder whose number of heads is a power of 2");
    } else {
      own.positions = Positions::learned;
      if (!has(ctranslate2_positions("decoder"))) return;
      own.positions = stored_positions();
      sizes.max_positions = size(at(ctranslate2_positions("decoder")), 0);
    }
    if (number("decoder/scale_alibi").value_or(0) != 0) refuse("scale_alibi", "1", "0");
  }

  void expect_rotary(double dimensions, int head_width) {
    for (const std::string& side : sides_) {
      const int count = layers(side);
      for (int layer = 0; layer < count; ++layer) {
        const std::string attention = concat(side, "/layer_", layer, "/self_attention/");
        const double own = number(attention + "rotary_dim").value_or(-1);
        if (own != dimensions || (own != 0 && own != head_width))
          refuse(attention + "rotary_dim", concat(own), concat("0 or ", head_width));
        if (number(attention + "rotary_interleave").value_or(1) != 0)
          refuse(attention + "rotary_interleave", "1", "0");
        if (const double base = number(attention + "rotary_base").value_or(10000); base != 10000)
          refuse(attention + "rotary_base", concat(base), "10000");
        const double scaling = number(attention + "rotary_scaling_factor").value_or(1);
        if (scaling != 1) refuse(attention + "rotary_scaling_factor", concat(scaling), "1");
      }
    }
  }

  /// None and those that gloss computes may be stored, too.
  Positions stored_positions() {
    std::vector<const ForeignArray*> tables;
    for (const std::string& side : sides_) {
      const ForeignArray* const table = find(ctranslate2_positions(side));
      if (table == nullptr) return Positions::learned;
      tables.push_back(table);
    }
    return kind_of_positions(tables);
  }

  /// Positions that are not in the file are sinusoids, the first of which has number 1.
  void add_positions(const NetworkSettings& network, ParameterMap& map) const {
    if (network.own<TransformerSettings>().positions != Positions::learned) return;
    for (const std::string& side : sides_) {
      if (has(ctranslate2_positions(side))) {
        map.take(side + ".positions", {ctranslate2_positions(side)});
        continue;
      }
      map.compute(side + ".positions",
                  [rows = network.sizes.max_positions, width = network.sizes.width](std::span<float> values) {
                    std::ranges::copy(sinusoidal_positions(rows, width, 1).values(), values.begin());
                  });
    }
  }

  /// A text, which old files have as bytes.
  std::string text(const std::string& name, const std::string& otherwise) {
    if (config_.has(name)) return config_.text(name, "");
    const ForeignArray* const array = find(name);
    return array == nullptr ? otherwise : array->bytes(1024);
  }

  CTranslate2Tokens read_tokens() {
    CTranslate2Tokens tokens;
    const auto flag = [&](const std::string& name, const std::string& old) {
      const bool stored = number(old).value_or(0) != 0;
      return config_.flag(name, stored);
    };
    tokens.unknown = text("unk_token", tokens.unknown);
    tokens.begin = text("bos_token", tokens.begin);
    tokens.end = text("eos_token", tokens.end);
    tokens.source_begin = flag("add_source_bos", "with_source_bos");
    tokens.source_end = flag("add_source_eos", "with_source_eos");
    tokens.starts_from_zero = number("decoder/start_from_zero_embedding").value_or(0) != 0;
    const bool user_starts = number("user_decoder_start_tokens").value_or(0) != 0;
    const bool old_begin = number("with_target_bos").value_or(1) != 0;
    tokens.start = config_.text("decoder_start_token", old_begin ? tokens.begin : tokens.end);
    if (user_starts || config_.is_null("decoder_start_token")) {
      refuse("decoder_start_token", "null", "the token before every target");
    }
    return tokens;
  }

  int id_of(const Subwords& subwords, const std::string& token) const {
    for (int id = 0; id < subwords.size(); ++id) {
      if (subwords.piece(id) == token) return id;
    }
    throw InputError(concat(directory_, ": the source vocabulary has no token '", token, "'"));
  }

  std::string directory_;
  std::shared_ptr<const CTranslate2File> file_;
  ForeignConfig config_;
  bool decodes_only_ = false;
  std::vector<std::string> sides_;  // the first and the last are the same in a language model
  std::vector<std::string> known_;  // settings
};

}  // namespace

bool is_ctranslate2(const std::string& path) {
  return fs::is_regular_file(path + "/model.bin") && has_ctranslate2_vocabulary(path);
}

ForeignModel read_ctranslate2_model(const std::string& path) { return Reader(path).read(); }

}  // namespace gloss
