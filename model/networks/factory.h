#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/fields.h"
#include "model/layers/parameters.h"
#include "model/networks/classifier_settings.h"
#include "model/networks/network.h"
#include "model/networks/recurrent_settings.h"
#include "model/networks/transformer_settings.h"

namespace gloss {

enum class Architecture { transformer, recurrent };

/// What a network is made of: an encoder of the source with a decoder of the target; a decoder alone, which
/// is a language model; an encoder alone, which tells what stands in places of a text; or one of these alone
/// that tells the class of a text.
enum class Form { encoder_decoder, decoder, encoder, classifier };

/// All that decides what a network is: the content of "network" in config.json.
struct NetworkSettings {
  Architecture architecture = Architecture::transformer;
  TransformerSettings transformer;  ///< its sizes are those of every architecture
  RecurrentSettings recurrent;
  ClassifierSettings classifier;
  int source_vocabulary = 0;  ///< pieces
  int target_vocabulary = 0;
  int begin_token = 1;  ///< in the target vocabulary
  int end_token = 2;
};
/// The settings that users choose (not the sizes that follow from the vocabulary), of all architectures.
Fields fields_of(NetworkSettings&);
Field architecture_field(NetworkSettings&);
/// The number of a classifier's classes.
Field classes_field(NetworkSettings&);
/// Every field that an architecture has, as stored in config.json; those of a classifier only if it is one.
Fields all_fields_of(NetworkSettings&);
/// Names of those that models made before these settings do not have; the defaults are what they had.
std::vector<std::string> newer_fields();
/// Sets what sizes an architecture has if nothing else is said.
void apply_defaults(Architecture, NetworkSizes&);
/// Throws UsageError if a setting was given, by the name of its field, that has no effect beside the others.
void refuse_unused(const NetworkSettings&, const std::function<bool(const std::string& name)>& given);
/// Throws UsageError if settings that users choose do not fit together, such as heads that do not divide the
/// width.
void check_chosen(const NetworkSettings&);
/// The same of all settings, with the sizes that follow from the vocabulary.
void check(const NetworkSettings&);
Form form_of(const NetworkSettings&);

/// Makes the network and declares its parameters, which have no values as yet.
std::unique_ptr<Network> make_network(const NetworkSettings&, Parameters&);

}  // namespace gloss
