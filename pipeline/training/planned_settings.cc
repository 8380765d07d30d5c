// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/planned_settings.h"

#include "base/json.h"

namespace gloss {

Fields planned_fields_of(NetworkSettings& network, TokenizerSettings& tokenizers, LoopSettings& loop) {
  const auto some = [](Fields fields, const std::set<std::string>& wanted) {
    std::erase_if(fields, [&](const Field& field) { return !wanted.contains(field.name); });
    return fields;
  };
  Fields fields = some(fields_of(tokenizers), {"vocab_size"});
  append(fields, some(fields_of(network), {"encoder_mixers", "decoder_mixers", "positions", "norm",
                                           "norm_type", "dropout", "embedding_dropout"}));
  append(fields,
         some(fields_of(loop.training), {"max_updates", "stop_on", "valid_interval", "early_stopping"}));
  append(fields, some(fields_of(loop.batches), {"batch_tokens"}));
  append(fields, some(fields_of(loop.schedule), {"learning_rate", "warmup_updates", "schedule", "cooldown"}));
  append(fields, some(fields_of(loop.optimizer), {"optimizer"}));
  return fields;
}

void take_values(const nlohmann::json& values, const Fields& fields, const std::set<std::string>& given) {
  for (const Field& field : fields) {
    if (!values.contains(field.name) || given.contains(field.name)) continue;
    fields_from_json({field}, {{field.name, values.at(field.name)}}, "config.json of the latest checkpoint");
  }
}

void take_stored_plan(const Planning& planning, const nlohmann::json& stored, NetworkSettings& network,
                      TokenizerSettings& tokenizers, LoopSettings& loop) {
  if (!stored.is_object()) return;
  if (planning.network_of) {
    network = planning.network_of(planning.preset.value_or(Preset::tiny));
    if (!planning.preset) {
      Fields sizes = chosen_fields_of(network);
      std::erase_if(sizes, [](const Field& field) { return !field.has(kFromPreset); });
      take_values(stored, sizes, planning.given);
    }
  }
  take_values(stored, planned_fields_of(network, tokenizers, loop), planning.given);
}

}  // namespace gloss
