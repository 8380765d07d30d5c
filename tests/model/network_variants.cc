// SPDX-License-Identifier: Apache-2.0

#include "network_variants.h"

#include <utility>

namespace gloss {

std::ostream& operator<<(std::ostream& out, const Variant& variant) { return out << variant.name; }

NetworkSettings small_settings() {
  NetworkSettings s;
  s.sizes.encoder_layers = 2;
  s.sizes.decoder_layers = 3;
  s.sizes.width = 32;
  s.own<TransformerSettings>().feed_forward_width = 48;
  s.sizes.heads = 4;
  s.sizes.max_positions = 40;
  s.source_vocabulary = s.target_vocabulary = 57;
  return s;
}

NetworkSettings small_recurrent_settings() {
  NetworkSettings s = small_settings();
  s.architecture = "recurrent";
  apply_default_sizes(s);
  s.sizes.width = 24;
  s.own<RecurrentSettings>().embedding_width = 20;
  return s;
}

NetworkSettings small_memory_settings() {
  NetworkSettings s = small_settings();
  s.architecture = "memory";
  apply_default_sizes(s);
  s.sizes.width = 20;
  s.own<MemorySettings>().memories = 6;
  s.own<MemorySettings>().empty_memories = 0;
  s.classifier.classes = 3;
  return s;
}

NetworkSettings small_language_model_settings() {
  NetworkSettings s = small_settings();
  s.sizes.encoder_layers = 0;
  s.own<TransformerSettings>().norm = NormPlacement::pre;
  s.own<TransformerSettings>().activation = Activation::gelu;
  s.own<TransformerSettings>().positions = Positions::learned;
  return s;
}

NetworkSettings small_recurrent_language_model_settings() {
  NetworkSettings s = small_recurrent_settings();
  s.sizes.encoder_layers = 0;
  s.own<RecurrentSettings>().attention = AttentionScore::none;
  return s;
}

std::vector<Variant> turing_variants() {
  NetworkSettings one = small_settings();
  one.architecture = "turing";
  apply_default_sizes(one);
  one.sizes.width = 20;
  one.own<TuringSettings>().memory_rows = 12;
  one.own<TuringSettings>().memory_width = 6;
  NetworkSettings several = one;
  several.sizes.heads = 2;
  several.sizes.tied_embeddings = TiedEmbeddings::none;
  several.source_vocabulary = 31;
  several.own<TuringSettings>().shift_reach = 2;
  return {{"turing", one}, {"turing_several_heads", several}};
}

void read_images(NetworkSettings& s) {
  s.source.type = SourceType::image;
  s.source.image = {
      .height = 4, .width = 6, .channels = 1, .mean = {"120"}, .deviation = {"70.5"}, .patch_size = 2};
}

/// Makes recordings the source, two windows of 6 bands for a vector.
void read_sound(NetworkSettings& s) {
  s.source = {};
  s.source.type = SourceType::audio;
  s.source.audio.rate = 8000;
  s.source.audio.norm = AudioNorm::recording;
  s.source.audio.bands = 6;
  s.source.stem = {{"3"}, {}};
}

std::vector<Variant> image_variants() {
  std::vector<Variant> all;
  const auto add = [&](const std::string& name, NetworkSettings s, const auto& change) {
    read_images(s);
    change(s);
    all.push_back({"items_" + name, s});
  };
  const auto transformer = [&](const std::string& name, const auto& change) {
    NetworkSettings s = small_settings();
    s.sizes.encoder_layers = s.sizes.decoder_layers = 1;
    add(name, s, [&](NetworkSettings& of) { change(of, of.own<TransformerSettings>()); });
  };
  const auto recurrent = [&](const std::string& name, const auto& change) {
    add(name, small_recurrent_settings(),
        [&](NetworkSettings& of) { change(of, of.own<RecurrentSettings>()); });
  };
  transformer("sinusoidal", [](NetworkSettings& s, TransformerSettings&) {
    s.source.image.channels = 3;
    s.source.image.mean = {"120", "3", "90"};
    s.source.image.deviation = {"70.5", "0", "30"};
  });
  transformer("learned_conformer", [](NetworkSettings& s, TransformerSettings& own) {
    own.positions = Positions::learned;
    own.encoder_mixers = {"conformer"};
    s.sizes.tied_embeddings = TiedEmbeddings::none;
    s.sizes.max_positions = 24;
  });
  transformer("relative", [](NetworkSettings&, TransformerSettings& own) {
    own.positions = Positions::relative;
    own.relative_reach = 3;  // of the decoder
  });
  transformer("relative_decoder", [](NetworkSettings&, TransformerSettings& own) {
    own.positions = Positions::sinusoidal_relative;
    own.decoder_positions = Positions::relative;
    own.relative_reach = 3;
  });
  transformer("sinusoidal_with_relative_decoder", [](NetworkSettings&, TransformerSettings& own) {
    own.decoder_positions = Positions::relative;
  });
  transformer("grid", [](NetworkSettings& s, TransformerSettings& own) {
    s.sizes.encoder_layers = 0;
    own.norm = NormPlacement::pre;
    s.sizes.tied_embeddings = TiedEmbeddings::target;
  });
  recurrent("recurrent_grid", [](NetworkSettings& s, RecurrentSettings& own) {
    s.sizes.encoder_layers = 0;
    own.cell = Cell::lstm;
    own.first_state = FirstState::mean;
    own.query = QueryPlacement::before;
  });
  recurrent("recurrent_grid_hard", [](NetworkSettings& s, RecurrentSettings& own) {
    s.sizes.encoder_layers = 0;
    own.attention = AttentionScore::dot;
    own.first_state = FirstState::zero;
    own.selection = AttentionSelection::hard;
  });
  transformer("of_sound_conformer", [](NetworkSettings& s, TransformerSettings& own) {
    read_sound(s);
    own.encoder_mixers = {"conformer"};
    own.positions = Positions::relative;
  });
  transformer("of_sound_grid", [](NetworkSettings& s, TransformerSettings& own) {
    read_sound(s);
    s.sizes.encoder_layers = 0;
    own.positions = Positions::learned;
  });
  transformer("of_features", [](NetworkSettings& s, TransformerSettings&) {
    s.source = {};
    s.source.type = SourceType::features;
    s.source.features = {.numbers = 5, .columns = 3, .normalise = false, .mean = {}, .deviation = {}};
  });
  recurrent("of_sound_recurrent", [](NetworkSettings& s, RecurrentSettings&) {
    read_sound(s);
    s.source.stem = {};
  });
  transformer("of_grid_conv_mixer", [](NetworkSettings& s, TransformerSettings& own) {
    own.encoder_mixers = {"conv-mixer"};
    own.kernels.widths = {"3"};
    s.source.image.patch_size = 1;
  });
  recurrent("of_sound_pyramid", [](NetworkSettings& s, RecurrentSettings& own) {
    read_sound(s);
    s.sizes.encoder_layers = 3;
    own.pyramid_layers = 2;
    own.cell = Cell::lstm;
    own.variational_dropout = true;
  });
  recurrent("of_sound_pyramid_coverage", [](NetworkSettings& s, RecurrentSettings& own) {
    read_sound(s);
    own.pyramid_layers = 1;
    own.coverage = true;
    own.first_state = FirstState::mean;
    own.residual = own.layer_norm = true;
    s.sizes.heads = 2;
  });
  recurrent("recurrent_encoder",
            [](NetworkSettings&, RecurrentSettings& own) { own.encoder_stack = EncoderStack::separate; });
  return all;
}

std::vector<Variant> variants() {
  std::vector<Variant> all = transformer_variants();
  for (Variant& variant : recurrent_variants()) all.push_back(std::move(variant));
  for (Variant& variant : turing_variants()) all.push_back(std::move(variant));
  for (Variant& variant : image_variants()) all.push_back(std::move(variant));
  return all;
}

bool looks(const NetworkSettings& s) {
  if (s.architecture == "turing") return false;
  if (s.architecture == "recurrent") return s.own<RecurrentSettings>().attention != AttentionScore::none;
  if (s.architecture == "transformer" && s.own<TransformerSettings>().source_link == SourceLink::unfolding)
    return false;
  return form_of(s) == Form::encoder_decoder;
}

}  // namespace gloss
