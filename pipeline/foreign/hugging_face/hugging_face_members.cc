// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face_members.h"

#include "base/error.h"
#include "base/json.h"
#include "base/paths.h"
#include "pipeline/foreign/hugging_face/hugging_face_tokenizer_class.h"
#include "pipeline/foreign/shared/known_members.h"

namespace gloss {
namespace {

using nlohmann::json;

/// Settings of the search that gloss has no defaults for, and their neutral values.
const KnownMembers& generation_members() {
  static const KnownMembers known{.harmless = {"_from_model_config",
                                               "assistant_confidence_threshold",
                                               "assistant_early_exit",
                                               "assistant_lookbehind",
                                               "bos_token_id",
                                               "cache_config",
                                               "cache_implementation",
                                               "compile_config",
                                               "decoder_start_token_id",
                                               "disable_compile",
                                               "eos_token_id",
                                               "is_assistant",
                                               "low_memory",
                                               "max_matching_ngram_size",
                                               "num_assistant_tokens",
                                               "num_assistant_tokens_schedule",
                                               "output_attentions",
                                               "output_hidden_states",
                                               "output_logits",
                                               "output_scores",
                                               "pad_token_id",
                                               "prefill_chunk_size",
                                               "prompt_lookup_num_tokens",
                                               "remove_invalid_values",
                                               "return_dict_in_generate",
                                               "return_legacy_cache",
                                               "target_lookbehind",
                                               "transformers_version",
                                               "use_cache"},
                                  .noted = {{"begin_suppress_tokens", {json::array()}},
                                            {"constraints", {}},
                                            {"diversity_penalty", {0}},
                                            {"dola_layers", {}},
                                            {"encoder_no_repeat_ngram_size", {0}},
                                            {"encoder_repetition_penalty", {1}},
                                            {"epsilon_cutoff", {0}},
                                            {"eta_cutoff", {0}},
                                            {"exponential_decay_length_penalty", {}},
                                            {"force_words_ids", {}},
                                            {"forced_bos_token_id", {}},
                                            {"forced_decoder_ids", {}},
                                            {"guidance_scale", {1}},
                                            {"max_time", {}},
                                            {"min_p", {0}},
                                            {"num_beam_groups", {1}},
                                            {"num_return_sequences", {1}},
                                            {"penalty_alpha", {0}},
                                            {"repetition_penalty", {1}},
                                            {"sequence_bias", {}},
                                            {"stop_strings", {}},
                                            {"temperature", {1}},
                                            {"token_healing", {false}},
                                            {"top_k", {0, 50}},
                                            {"top_p", {1}},
                                            {"typical_p", {1}},
                                            {"watermarking_config", {}}},
                                  .fixed = {}};
  return known;
}

bool samples(const HuggingFaceFiles& files) { return files.generation.flag("do_sample", false); }

/// Those of a directory: in config.json only the known ones are about the search, and the settings of
/// sampling matter only with do_sample.
KnownMembers generation_members_of(const HuggingFaceFiles& files) {
  KnownMembers known = generation_members();
  if (files.generation.path() == files.config.path()) {
    for (const std::string& name : files.generation.names()) {
      if (!known.noted.contains(name)) known.harmless.insert(name);
    }
  }
  if (!samples(files)) {
    for (const std::string name :
         {"temperature", "top_k", "top_p", "min_p", "typical_p", "epsilon_cutoff", "eta_cutoff"})
      known.harmless.insert(name);
  }
  return known;
}

/// Members of config.json for training, for other libraries, and those that follow from others.
const std::set<std::string>& harmless_in_config() {
  static const std::set<std::string> names{"_attn_implementation_autoset",
                                           "_name_or_path",
                                           "_num_labels",
                                           "activation_dropout",
                                           "add_bias_logits",
                                           "attention_dropout",
                                           "attention_probs_dropout_prob",
                                           "attn_implementation",
                                           "attn_pdrop",
                                           "bos_token_id",
                                           "chunk_size_feed_forward",
                                           "classif_dropout",
                                           "classifier_dropout",
                                           "cls_token_id",
                                           "cross_attention_hidden_size",
                                           "decoder_layerdrop",
                                           "decoder_start_token_id",
                                           "directionality",
                                           "dropout",
                                           "dropout_rate",
                                           "dtype",
                                           "embd_pdrop",
                                           "encoder_layerdrop",
                                           "extra_pos_embeddings",
                                           "finetuning_task",
                                           "forced_bos_token_id",
                                           "forced_eos_token_id",
                                           "gradient_checkpointing",
                                           "hidden_dropout_prob",
                                           "id2label",
                                           "init_std",
                                           "initializer_factor",
                                           "initializer_range",
                                           "is_encoder_decoder",
                                           "label2id",
                                           "language",
                                           "mask_token_id",
                                           "max_length",
                                           "model_max_length",
                                           "n_ctx",
                                           "n_special",
                                           "num_hidden_layers",
                                           "num_labels",
                                           "output_past",
                                           "past",
                                           "pooler_fc_size",
                                           "pooler_num_attention_heads",
                                           "pooler_num_fc_layers",
                                           "pooler_size_per_head",
                                           "pooler_type",
                                           "predict_special_tokens",
                                           "prefix",
                                           "reorder_and_upcast_attn",
                                           "resid_pdrop",
                                           "return_dict",
                                           "save_step",
                                           "sep_token_id",
                                           "summary_activation",
                                           "summary_first_dropout",
                                           "summary_proj_to_labels",
                                           "summary_type",
                                           "summary_use_proj",
                                           "task_specific_params",
                                           "torch_dtype",
                                           "torchscript",
                                           "use_bfloat16"};
  return names;
}

/// The settings of the search that config.json may have are read with generation_config.json.
KnownMembers config_members() {
  KnownMembers known{
      .harmless = harmless_in_config(),
      .noted = {},
      .fixed = {{"auto_map", {}}, {"pruned_heads", {json::object()}}, {"quantization_config", {}}}};
  for (const std::string& name : generation_members().harmless) known.harmless.insert(name);
  for (const auto& [name, values] : generation_members().noted) known.harmless.insert(name);
  for (const std::string name :
       {"bad_words_ids", "early_stopping", "length_penalty", "max_new_tokens", "min_length", "min_new_tokens",
        "no_repeat_ngram_size", "num_beams", "renormalize_logits", "suppress_tokens"})
    known.harmless.insert(name);
  return known;
}

/// Members of tokenizer_config.json. Truncation at model_max_length is left to the limits of gloss.
KnownMembers tokenizer_members() {
  KnownMembers known{.harmless = {"add_bos_token",
                                  "added_tokens_decoder",
                                  "additional_special_tokens",
                                  "backend",
                                  "bos_token",
                                  "chat_template",
                                  "clean_up_tokenization_spaces",
                                  "cls_token",
                                  "do_lower_case",
                                  "eos_token",
                                  "errors",
                                  "extra_ids",
                                  "from_slow",
                                  "is_local",
                                  "language_codes",
                                  "legacy_behaviour",
                                  "mask_token",
                                  "max_len",
                                  "max_length",
                                  "merges_file",
                                  "model_input_names",
                                  "model_max_length",
                                  "name_or_path",
                                  "never_split",
                                  "num_madeup_words",
                                  "pad_token",
                                  "padding_side",
                                  "processor_class",
                                  "return_token_type_ids",
                                  "sep_token",
                                  "separate_vocabs",
                                  "source_lang",
                                  "spaces_between_special_tokens",
                                  "special_tokens_map_file",
                                  "src_lang",
                                  "target_lang",
                                  "tgt_lang",
                                  "tokenizer_class",
                                  "tokenizer_file",
                                  "transformers_version",
                                  "trim_offsets",
                                  "truncation_side",
                                  "unk_token",
                                  "use_fast",
                                  "vocab_file"},
                     .noted = {{"legacy", {true}}},
                     .fixed = {{"auto_map", {}},
                               {"do_basic_tokenize", {true}},
                               {"split_special_tokens", {false}},
                               {"tokenize_chinese_chars", {true}}}};
  return known;
}

/// The tokenizers of byte pairs have the members of GPT-2's, the word pieces those of BERT's.
void check_tokenizer(const HuggingFaceFiles& files, std::vector<std::string>& notes) {
  expect_tokenizer_class(files);
  const std::string path = files.file("tokenizer_config.json");
  if (!path_exists(path)) return;
  const ForeignConfig config(path, read_json(path));
  KnownMembers known = tokenizer_members();
  const bool t5 = files.config.has("relative_attention_num_buckets");
  if (t5) known.harmless.insert("legacy");  // the importer follows it
  const bool pairs = path_exists(files.file("merges.txt"));
  known.fixed["add_prefix_space"] = pairs ? KnownMembers::Values{false} : KnownMembers::Values{false, true};
  known.fixed["strip_accents"] = {config.flag("do_lower_case", true)};
  for (std::string& note : check_members(config, known)) notes.push_back(std::move(note));
}

}  // namespace

std::vector<std::string> check_hugging_face_members(const HuggingFaceFiles& files) {
  std::vector<std::string> notes;
  check_tokenizer(files, notes);
  if (samples(files)) {
    notes.push_back(
        concat(files.generation.path(), ": 'do_sample' is true, which gloss does not follow; use --sample"));
  }
  for (std::string& note : check_members(files.config, config_members())) notes.push_back(std::move(note));
  for (std::string& note : check_members(files.generation, generation_members_of(files)))
    notes.push_back(std::move(note));
  return notes;
}

}  // namespace gloss
