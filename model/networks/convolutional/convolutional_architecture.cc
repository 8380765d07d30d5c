// SPDX-License-Identifier: Apache-2.0

#include "model/networks/architecture.h"

#include "base/error.h"
#include "model/networks/convolutional/convolutional_classifier.h"

namespace gloss {
namespace {

void check_convolutional(const NetworkSettings& s) {
  if (form_of(s) != Form::classifier) {
    throw UsageError(
        "a convolutional network is a classifier; train it with 'gloss finetune --task classify', or choose "
        "another architecture");
  }
  if (s.sizes.encoder_layers != 1) {
    throw UsageError(concat("a convolutional classifier has one layer of filters; found ",
                            s.sizes.encoder_layers, " layers; leave out --layers, or give more --filters"));
  }
  if (s.classifier.pooling == Pooling::first || s.classifier.pooling == Pooling::last) {
    throw UsageError(
        "a convolutional classifier pools the features of all its windows; choose the pooling 'max' or "
        "'mean'");
  }
  filter_widths_of(s.own<ConvolutionalSettings>());
}

std::string reason_unused_by_convolutional(const NetworkSettings&, const std::string& name) {
  return name == "heads" ? "a convolutional classifier has no attention" : "";
}

/// The sizes, dropout and pooling of Kim 2014, with narrower embeddings, since they are learned from the
/// labelled text alone.
void change_convolutional_defaults(NetworkSettings& s) {
  s.sizes.encoder_layers = 1;
  s.sizes.decoder_layers = 0;
  s.sizes.width = 256;
  s.sizes.scale_embeddings = false;
  s.sizes.dropout = s.sizes.embedding_dropout = 0.5;
  s.classifier.pooling = Pooling::max;
}

std::unique_ptr<Network> make_convolutional(const NetworkSettings& s, Parameters& parameters) {
  return std::make_unique<ConvolutionalClassifier>(s.sizes, s.own<ConvolutionalSettings>(), s.classifier,
                                                   s.vocabulary(), parameters);
}

}  // namespace

Architecture convolutional_architecture() {
  return {.name = "convolutional",
          .plural = "convolutional networks",
          .own_settings = default_settings<ConvolutionalSettings>,
          .make = make_convolutional,
          .check = check_convolutional,
          .reason_unused = reason_unused_by_convolutional,
          .change_defaults = change_convolutional_defaults};
}

}  // namespace gloss
