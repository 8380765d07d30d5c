// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "model/networks/memory/memory_settings.h"
#include "model/networks/memory/turing_settings.h"
#include "model/networks/mixers/transformer_settings.h"
#include "model/networks/network_settings.h"
#include "model/networks/recurrent/recurrent_settings.h"

namespace gloss {

/// A network configuration that all network tests run on.
struct Variant {
  std::string name;
  NetworkSettings settings;
};
std::ostream& operator<<(std::ostream&, const Variant&);

/// Small networks of each architecture, the simplest of their kind, and one without an encoder.
NetworkSettings small_settings();
NetworkSettings small_recurrent_settings();
NetworkSettings small_memory_settings();
NetworkSettings small_language_model_settings();
/// Makes images of 4 x 6 pixels the source.
void read_images(NetworkSettings&);
NetworkSettings small_recurrent_language_model_settings();
std::vector<Variant> transformer_variants();
std::vector<Variant> recurrent_variants();
std::vector<Variant> turing_variants();
/// Makes recordings the source.
void read_sound(NetworkSettings&);
/// Networks that describe images, or write down recordings.
std::vector<Variant> image_variants();
/// All of them.
std::vector<Variant> variants();
/// True if the network has attention to its source.
bool looks(const NetworkSettings&);

}  // namespace gloss
