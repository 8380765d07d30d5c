#include "pipeline/starting_models.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "pipeline/training_directory.h"
#include "tokenizer/extend_vocabulary.h"

namespace gloss {
namespace {

/// Settings of a network that may change when it learns on: what only matters while learning.
const std::set<std::string> kRates{
    "dropout",        "embedding_dropout", "attention_dropout",   "activation_dropout",
    "dropout_layers", "output_dropout",    "variational_dropout", "scheduled_sampling"};
/// Those that two networks of which one is made may differ in.
const std::set<std::string> kOfEachPart{"encoder_layers", "decoder_layers", "tied_embeddings"};

/// The tables with a row for each token.
bool is_table_of_tokens(const std::string& name) {
  return name == "output.weight" || name.ends_with("embedding.weight");
}

void check(const StartSettings& settings) {
  const bool parts = !settings.from_encoder.empty() || !settings.from_decoder.empty();
  if (!settings.from.empty() && parts) {
    throw UsageError(
        "--from takes all parts of one model: found also --from-encoder or --from-decoder; leave one out");
  }
  if (!settings.any()) {
    throw UsageError(
        "which model shall learn on? Give its directory with --from DIR, or parts with --from-encoder DIR, "
        "--from-decoder DIR");
  }
}

/// A vocabulary with the further symbols, and where its tokens come from.
struct Extended {
  std::shared_ptr<const Subwords> subwords;
  std::vector<std::vector<int>> origins;
};

Extended extended(const std::shared_ptr<const Subwords>& old, const TextFormat& format,
                  const std::vector<std::string>& symbols) {
  Extended result{old, {}};
  for (int id = 0; id < old->size(); ++id) result.origins.push_back({id});
  if (!symbols.empty()) {
    for (const std::string& symbol : symbols) {
      const std::string changed = clean_text(symbol, format.normalization).text;
      if (changed == symbol) continue;
      throw UsageError(concat("--add-symbols: the model's normalisation of text changes '", symbol, "' to '",
                              changed, "', so that no text would ever have it; give it as it is then"));
    }
    ExtendedVocabulary more = extend_vocabulary(*old, symbols);
    result.subwords = std::make_shared<const Subwords>(std::move(more.subwords));
    result.origins.insert(result.origins.end(), more.old_pieces.begin(), more.old_pieces.end());
  }
  if (format.mask_token >= 0) result.origins.push_back({format.mask_token});
  return result;
}

}  // namespace

Fields fields_of(StartSettings& settings) {
  return {
      {"from", &settings.from, "model that learns on: its directory, or a training's for the best one"},
      {"from_encoder", &settings.from_encoder,
       "instead: a model of which the encoder is taken; the rest is new, or"},
      {"from_decoder", &settings.from_decoder, "of this model the decoder, without what it has for a source"},
      {"add_symbols", &settings.add_symbols,
       "symbols that become pieces of the vocabulary; each begins as the mean of what it was before"}};
}

StartingModels::StartingModels(const StartSettings& settings, const std::vector<std::string>& symbols) {
  check(settings);
  const auto read = [&](const std::string& path) { return read_part(path, settings.add_symbols, symbols); };
  if (!settings.from.empty()) encoder_ = decoder_ = read(settings.from);
  if (!settings.from_encoder.empty()) encoder_ = read(settings.from_encoder);
  if (!settings.from_decoder.empty()) decoder_ = read(settings.from_decoder);
  if (encoder_ && decoder_ && encoder_->model.format.normalization != decoder_->model.format.normalization) {
    throw UsageError(concat(encoder_->directory, " and ", decoder_->directory,
                            " normalise text in different ways; expected two that were trained with one "
                            "--normalization"));
  }
  const Tokenizers& of_source = encoder_ ? encoder_->tokenizers : decoder_->tokenizers;
  const Tokenizers& of_target = decoder_ ? decoder_->tokenizers : encoder_->tokenizers;
  const bool same = of_source.source->bytes() == of_target.target->bytes();
  tokenizers_ = {of_source.source, same ? of_source.source : of_target.target};
}

std::shared_ptr<const StartingModels::Part> StartingModels::read_part(
    const std::string& path, const std::vector<std::string>& added, const std::vector<std::string>& needed) {
  auto part = std::make_shared<Part>();
  part->directory = model_directory_of(path);
  part->model = read_text_model(part->directory, Weights::mapped);
  const TextModel& model = part->model;
  const auto with_symbols = [&](const std::shared_ptr<const Subwords>& old) {
    std::vector<std::string> symbols = added;
    for (const std::string& symbol : missing_symbols(*old, needed)) {
      if (std::ranges::count(added, symbol) == 0) symbols.push_back(symbol);
    }
    return extended(old, model.format, symbols);
  };
  const Extended source = with_symbols(model.source);
  const Extended target = model.source == model.target ? source : with_symbols(model.target);
  part->tokenizers = {source.subwords, target.subwords};
  part->source_origins = source.origins;
  part->target_origins = target.origins;
  return part;
}

std::string StartingModels::text() const {
  if (encoder_ == decoder_) return encoder_->directory;
  std::vector<std::string> parts;
  if (encoder_) parts.push_back("the encoder of " + encoder_->directory);
  if (decoder_) parts.push_back("the decoder of " + decoder_->directory);
  return join(parts, " and ");
}

NetworkSettings StartingModels::network(Form form, int chosen_layers) const {
  if (encoder_ == decoder_) {
    const NetworkSettings& own = encoder_->model.model.settings;
    // A network that reads text alone learns to tell classes.
    if (form != Form::classifier || form_of(own) == Form::encoder_decoder) {
      expect_form(encoder_->model, form, encoder_->directory);
    }
    return own;
  }
  if (form != Form::encoder_decoder) {
    throw UsageError(
        "--from-encoder and --from-decoder are for translation models, which have both; expected --from");
  }
  return joined_network(chosen_layers);
}

NetworkSettings StartingModels::joined_network(int chosen_layers) const {
  const auto expect_part = [](const std::shared_ptr<const Part>& part, Form without, const char* what) {
    if (!part) return;
    const NetworkSettings& network = part->model.model.settings;
    if (form_of(network) == without) {
      throw UsageError(concat(part->directory, " has no ", what, "; expected a model that has one"));
    }
    if (network.architecture != Architecture::transformer) {
      throw UsageError(
          concat(part->directory, " is a recurrent network; parts are taken of transformers only"));
    }
  };
  expect_part(encoder_, Form::decoder, "encoder");
  expect_part(decoder_, Form::encoder, "decoder");
  NetworkSettings joined = any().model.model.settings;
  TransformerSettings& sizes = joined.transformer;
  if (encoder_ && decoder_) {
    NetworkSettings other = decoder_->model.model.settings;
    const Fields ours = fields_of(sizes), theirs = fields_of(other.transformer);
    for (std::size_t i = 0; i < ours.size(); ++i) {
      const std::string& name = ours[i].name;
      const std::string our = field_text(ours[i]), their = field_text(theirs[i]);
      if (kRates.contains(name) || kOfEachPart.contains(name) || our == their) continue;
      throw UsageError(concat("the encoder of ", encoder_->directory, " and the decoder of ",
                              decoder_->directory, " do not fit together: ", "--", option_name(name), " is ",
                              our, " and ", their));
    }
    sizes.decoder_layers = other.transformer.decoder_layers;
    // Each has learned embeddings of its own.
    const bool untied = other.transformer.tied_embeddings == TiedEmbeddings::none;
    sizes.tied_embeddings = untied ? TiedEmbeddings::none : TiedEmbeddings::target;
    return joined;
  }
  int& missing = encoder_ ? sizes.decoder_layers : sizes.encoder_layers;
  const int there = encoder_ ? sizes.encoder_layers : sizes.decoder_layers;
  missing = chosen_layers > 0 ? chosen_layers : there;
  return joined;
}

void StartingModels::expect_tokenizers(const Tokenizers& given) const {
  const auto expect = [&](const Subwords& one, const Part& part, const Subwords& own) {
    if (one.bytes() == own.bytes()) return;
    throw UsageError(concat("the tokenizer that was given has ", one.size(), " pieces and is not that of ",
                            part.directory, ", which has ", own.size(),
                            ": a model learns on with its own; leave --tokenizer out, and give further "
                            "symbols with --add-symbols"));
  };
  const Part& source = encoder_ ? *encoder_ : *decoder_;
  const Part& target = decoder_ ? *decoder_ : *encoder_;
  expect(*given.source, source, *source.model.source);
  expect(*given.target, target, *target.model.target);
}

std::vector<std::string> StartingModels::give_weights(const Parameters& parameters) const {
  for (const auto& part : {encoder_, decoder_}) {
    if (part) expect_finite(*part->model.model.parameters, part->directory);
  }
  std::vector<std::string> fresh;
  for (const Parameters::Entry& entry : parameters.entries()) {
    if (!give(entry, entry.tensor.values())) fresh.push_back(entry.name);
  }
  return fresh;
}

bool StartingModels::give(const Parameters::Entry& entry, std::span<float> values) const {
  const std::string& name = entry.name;
  const bool of_source = name.starts_with("encoder.") || name.starts_with("source_embedding.");
  const bool of_both = name == "embedding.weight";
  const Part* const part = (of_source || (of_both && encoder_) ? encoder_ : decoder_).get();
  if (part == nullptr) return false;
  const auto entries = part->model.model.parameters->entries();
  const auto find = [&](const std::string& wanted) {
    return std::ranges::find(entries, wanted, &Parameters::Entry::name);
  };
  auto found = find(name);
  // A model of one side, or whose sides share a table, has one name for it.
  if (found == entries.end() && name.ends_with("_embedding.weight")) found = find("embedding.weight");
  if (found == entries.end()) return false;

  const StoredMatrix stored = found->tensor.stored();
  const auto columns = static_cast<std::size_t>(stored.columns);
  if (!is_table_of_tokens(name)) {
    if (found->tensor.shape() != entry.tensor.shape()) return false;
    for (std::int64_t row = 0; row < stored.rows; ++row) {
      widen_row(stored, row, values.data() + static_cast<std::size_t>(row) * columns);
    }
    return true;
  }
  const Origins& origins = of_source ? part->source_origins : part->target_origins;
  std::vector<float> old(columns);
  const std::size_t rows = std::min(values.size() / columns, origins.size());
  for (std::size_t row = 0; row < rows; ++row) {
    float* const to = values.data() + row * columns;
    if (origins[row].size() == 1) {  // as it was, bit for bit
      widen_row(stored, origins[row].front(), to);
      continue;
    }
    std::vector<double> sum(columns, 0);
    for (const int origin : origins[row]) {
      widen_row(stored, origin, old.data());
      for (std::size_t i = 0; i < columns; ++i) sum[i] += static_cast<double>(old[i]);
    }
    const auto count = static_cast<double>(origins[row].size());
    for (std::size_t i = 0; i < columns; ++i) to[i] = static_cast<float>(sum[i] / count);
  }
  return true;
}

void expect_apart(const std::string& output, const StartSettings& start) {
  namespace fs = std::filesystem;
  for (const std::string& from : {start.from, start.from_encoder, start.from_decoder}) {
    if (from.empty()) continue;
    const fs::path own = fs::weakly_canonical(output);
    fs::path at = fs::weakly_canonical(model_directory_of(from));
    for (; at.has_relative_path(); at = at.parent_path()) {
      if (at != own) continue;
      throw UsageError(concat("--output ", output, " has the model ", from,
                              " in it, which learning starts from; choose another --output"));
    }
  }
}

void apply_start(const StartSettings& start, Form form, NetworkSettings& network,
                 TokenizerSettings& tokenizers, const std::function<bool(const std::string& name)>& given) {
  const StartingModels models(start);
  const bool no_decoder = start.from.empty() && start.from_decoder.empty();
  const bool no_encoder = start.from.empty() && start.from_encoder.empty();
  const std::string chosen = no_decoder ? "decoder_layers" : no_encoder ? "encoder_layers" : "";
  const TransformerSettings& sizes = network.transformer;
  const int layers = chosen.empty() || !given(chosen) ? 0
                     : no_decoder                     ? sizes.decoder_layers
                                                      : sizes.encoder_layers;
  NetworkSettings own = models.network(form, layers);
  refuse_unused(own, given);
  const auto refuse = [&](const std::string& name, const std::string& value, const std::string& expected) {
    throw UsageError(concat("--", option_name(name), " is ", value, ", but ", expected, " in ", models.text(),
                            ", and learning goes on with what was learned; leave the option out"));
  };
  const Fields wanted = fields_of(network), there = fields_of(own);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::string& name = wanted[i].name;
    if (!given(name)) continue;
    // A table of sines is no part of what was learned.
    const bool free = kRates.contains(name) ||
                      (name == "max_positions" && own.transformer.positions == Positions::sinusoidal);
    if (free) set_field(there[i], field_text(wanted[i]), name);
    if (field_text(wanted[i]) != field_text(there[i]))
      refuse(name, field_text(wanted[i]), field_text(there[i]));
  }
  network = own;
  Normalization normalization = models.normalization();
  if (given("normalization") && tokenizers.normalization != normalization) {
    refuse("normalization",
           normalization_choice(tokenizers.normalization)
               .names[static_cast<std::size_t>(tokenizers.normalization)],
           normalization_choice(normalization).names[static_cast<std::size_t>(normalization)]);
  }
  tokenizers.normalization = normalization;
}

}  // namespace gloss
