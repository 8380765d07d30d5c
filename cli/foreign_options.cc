// SPDX-License-Identifier: Apache-2.0

#include "cli/foreign_options.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace gloss {
namespace {

/// One answer: for options with any of the `spellings` in any of the `commands`, both separated by spaces.
struct ForeignOption {
  std::string_view commands;
  std::string_view spellings;
  std::string_view programs;
  std::string_view answer;
};

constexpr std::string_view kTraining = "train pretrain finetune";
constexpr std::string_view kSearching = "translate generate";
constexpr std::string_view kComputing =
    "train pretrain finetune translate generate fill classify embed align score";
constexpr std::string_view kScoring = "evaluate compare";

constexpr auto kForeignOptions = std::to_array<ForeignOption>({
    // Data of a training.
    {"train finetune", "--train-sets --train-set", "Marian", "use --source FILE and --target FILE"},
    {"train finetune", "--valid-sets", "Marian", "use --valid-source FILE and --valid-target FILE"},
    {"train finetune", "--src --src-train -src --train-src --source-lang -s --trainpref",
     "OpenNMT and fairseq",
     "use --source FILE, the training text; it is read as it is, without a step to prepare it"},
    {"train finetune", "--tgt --tgt-train -tgt --train-tgt --target-lang --ref", "OpenNMT and fairseq",
     "use --target FILE, the training text; it is read as it is, without a step to prepare it"},
    {"train finetune", "--validation-source -vs --validpref", "Sockeye and fairseq",
     "use --valid-source FILE"},
    {"train finetune", "--validation-target -vt", "Sockeye", "use --valid-target FILE"},
    {"train finetune", "--prepared-data --data -data --data-bin", "Sockeye, OpenNMT and fairseq",
     "gloss reads text: use --source FILE and --target FILE"},
    {"pretrain", "--train-sets --data --train-data", "Marian and others", "use --input FILE"},
    {"train pretrain", "--vocabs --vocab --sp-model --spm --sp_model --source-vocab --src_vocab --srcdict",
     "Marian, OpenNMT and fairseq",
     "use --tokenizer FILE, a SentencePiece model, or --vocab-size N to learn one"},
    {"train pretrain", "--dim-vocabs --num-words --vocab_size --src_vocab_size", "Marian, Sockeye and others",
     "use --vocab-size N"},
    {"finetune", "--pretrained-model --finetune-from-model --restore-file --params --train_from",
     "Marian, fairseq, Sockeye and OpenNMT", "use --from DIR"},
    {"train pretrain", "--pretrained-model --finetune-from-model --params", "Marian, fairseq and Sockeye",
     "use 'gloss finetune --from DIR'"},
    {"train pretrain", "--restore-file --train_from --no-restore-training --reset-optimizer",
     "fairseq, OpenNMT and Marian",
     "the same command with the same --output continues a training; --fresh starts over"},
    // Where a training goes, how long it takes.
    {kTraining, "--save-dir --model -m --save_model --save-model --serialization-dir",
     "fairseq, Marian and OpenNMT", "use --output DIR"},
    {kTraining, "--overwrite --overwrite-output", "Marian and Sockeye",
     "checkpoints beyond --keep-checkpoints N are removed; --fresh starts over"},
    {kTraining, "--max-update --after-batches --train-steps --train_steps --max-steps --max_steps",
     "fairseq, Marian and OpenNMT", "use --max-updates N"},
    {kTraining, "--max-epoch --after-epochs --after --max-num-epochs --epochs", "fairseq, Marian and Sockeye",
     "use --max-epochs N"},
    {kTraining, "--patience --max-num-checkpoint-not-improved --early_stopping", "fairseq and Sockeye",
     "use --early-stopping N"},
    {kTraining, "--save-freq --valid-freq --save-interval-updates --checkpoint-interval --valid_steps",
     "Marian, fairseq, Sockeye and OpenNMT", "use --valid-interval N: it validates and saves"},
    {kTraining, "--validate-interval-updates --save-interval --save_checkpoint_steps", "fairseq and OpenNMT",
     "use --valid-interval N: it validates and saves"},
    {kTraining, "--keep-last-epochs --keep-interval-updates --keep-last-params --keep_checkpoint --keep-best",
     "fairseq, Sockeye and Marian", "use --keep-checkpoints N; the best one is always kept"},
    {kTraining, "--disp-freq --log-interval --report_every", "Marian, fairseq and OpenNMT",
     "use --report-interval N"},
    {kTraining, "--valid-metrics --best-checkpoint-metric --optimized-metric --early-stopping-on",
     "Marian, fairseq and Sockeye", "use --stop-on cross_entropy, bleu or accuracy, and --valid-bleu"},
    // Batches and the optimizer.
    {kTraining, "--lr -lr --learn-rate -l --initial-learning-rate --learning_rate",
     "fairseq, Marian, Sockeye and OpenNMT",
     "use --learning-rate X: the highest rate, reached after the warm-up"},
    {kTraining, "--lr-warmup --warmup --warmup-steps --warmup_steps --learning-rate-warmup",
     "Marian, fairseq, OpenNMT and Sockeye", "use --warmup-updates N"},
    {kTraining, "--lr-scheduler --lr-decay-strategy --decay_method --learning-rate-scheduler-type --lr-decay",
     "fairseq, Marian, OpenNMT and Sockeye", "use --schedule inverse_sqrt, linear, cosine or constant"},
    {kTraining, "--lr-decay-inv-sqrt --lr-report", "Marian",
     "--schedule inverse_sqrt is the default; --warmup-updates N gives its length"},
    {kTraining,
     "--mini-batch --batch-size --batch_size --mini-batch-words --mini-batch-fit --max-sentences "
     "--batch-type",
     "Marian, fairseq, Sockeye and OpenNMT", "use --batch-tokens N: batches are counted in tokens"},
    {kTraining, "--mini-batch-fit-step -w --workspace", "Marian",
     "gloss takes the memory that --batch-tokens N needs"},
    {kTraining, "--maxi-batch --maxi-batch-sort --bucket-width --bucket_size", "Marian, Sockeye and OpenNMT",
     "use --shuffle-window N: pairs that are shuffled and sorted by length together"},
    {kTraining, "--update-freq --optimizer-delay --update-interval --accum_count",
     "fairseq, Marian, Sockeye and OpenNMT", "use --accumulation N"},
    {kTraining, "--optimizer --optim --optimizer-params --adam-betas --adam_beta2 --adam-eps",
     "fairseq, Marian and OpenNMT", "the optimizer is Adam; use --beta1 X, --beta2 X, --epsilon X"},
    {kTraining, "--criterion", "fairseq", "the loss is cross-entropy; use --label-smoothing X"},
    {kTraining, "--exponential-smoothing", "Marian", "use --ema-decay X"},
    {kTraining, "--gradient-clipping-threshold --max_grad_norm", "Sockeye and OpenNMT", "use --clip-norm X"},
    // The network.
    {kTraining, "--arch --type --model_type --task-arch --encoder_type --decoder_type",
     "fairseq, Marian and OpenNMT", "use --preset NAME for its sizes, --architecture NAME for its kind"},
    {kTraining, "--enc-depth --num-layers --enc_layers", "Marian, Sockeye and OpenNMT",
     "use --encoder-layers N and --decoder-layers N"},
    {kTraining, "--dec-depth --dec_layers", "Marian and OpenNMT", "use --decoder-layers N"},
    {kTraining, "--dim-emb --encoder-embed-dim --rnn_size --transformer-model-size --word_vec_size",
     "Marian, fairseq, OpenNMT and Sockeye", "use --width N"},
    {kTraining, "--transformer-heads --encoder-attention-heads --transformer-attention-heads",
     "Marian, fairseq and Sockeye", "use --heads N"},
    {kTraining, "--transformer-dim-ffn --encoder-ffn-embed-dim --transformer_ff",
     "Marian, fairseq and OpenNMT", "use --feed-forward-width N"},
    {kTraining, "--transformer-dropout", "Marian", "use --dropout X"},
    {kTraining, "--tied-embeddings-all --share-all-embeddings --share_embeddings --weight-tying-type",
     "Marian, fairseq, OpenNMT and Sockeye", "use --tied-embeddings all"},
    {kTraining, "--share-decoder-input-output-embed --share_decoder_embeddings", "fairseq and OpenNMT",
     "use --tied-embeddings target"},
    {kTraining, "--share-vocab --joined-dictionary --shared-vocab", "OpenNMT, fairseq and Sockeye",
     "one --tokenizer serves both sides; --source-tokenizer and --target-tokenizer give two"},
    {kTraining, "--max-length-crop --max-seq-len --max-source-positions --src_seq_length",
     "Marian, Sockeye and fairseq", "use --max-length N: longer pairs are skipped"},
    // What computes.
    {kComputing,
     "--gpu --gpus --gpu-id --devices -d --device --device-ids --device_index --gpu_ranks --world_size",
     "Marian, CTranslate2, Sockeye and OpenNMT", "gloss computes on CPUs; use --threads N"},
    {kComputing, "--use-cpu --cpu --no-cuda --cuda", "Sockeye and fairseq", "gloss computes on CPUs anyway"},
    {kComputing,
     "--cpu-threads --intra_threads --inter_threads --num-workers --num_workers --omp-num-threads",
     "Marian, CTranslate2 and fairseq", "use --threads N"},
    {kTraining, "--fp16 --bf16 --amp --precision-type --apex-amp", "fairseq, Marian and Sockeye",
     "use --precision bf16, or auto, which takes bf16 where the processor has it"},
    {"translate generate fill classify embed align score",
     "--compute_type --compute-type --int8 --intgemm8bit --quantize --fp16 --gemm-type --dtype",
     "CTranslate2, Marian and Sockeye",
     "use --precision int8, bf16 or f32; 'gloss quantize' stores a smaller model"},
    {"quantize", "--quantization --gemm-type", "CTranslate2 and Marian", "use --type int8 or bf16"},
    {kComputing, "--quiet-translation --quiet-validation --log-level --no-progress-bar", "Marian and fairseq",
     "use --quiet"},
    {kTraining, "--tempdir -T", "Marian", "temporary files are in the output directory"},
    {kTraining, "--sqlite --no-shuffle", "Marian", "text may be larger than memory: use --shuffle-window N"},
    // Translation.
    {kSearching, "--models --path --model_path -model", "Marian, fairseq and CTranslate2",
     "use --model DIR... (-m)"},
    {kSearching, "--vocabs --vocab -v --sp-model --src_vocab --spm", "Marian and CTranslate2",
     "the model directory holds the vocabulary"},
    {kSearching, "--src -src --source -s --input-file", "OpenNMT and CTranslate2",
     "use --input FILE (-i), or standard input"},
    {"translate", "--tgt -tgt --output-file --hypo", "OpenNMT and CTranslate2",
     "use --output FILE (-o), or standard output"},
    {kSearching, "--beam --beam_size -beam_size --nbest_size", "fairseq, CTranslate2 and OpenNMT",
     "use --beam-size N (-b)"},
    {kSearching, "--lenpen --normalize -n --length_penalty --length-penalty-alpha --lp-alpha",
     "fairseq, Marian, CTranslate2 and Sockeye",
     "use --length-penalty X: the score is log-probability / length^X"},
    {kSearching, "--word-penalty --unkpen", "Marian and fairseq", "use --length-penalty X"},
    {kSearching, "--nbest --n-best-list --num_hypotheses --nbest-size", "fairseq, CTranslate2 and Sockeye",
     "use --n-best N"},
    {kSearching, "--mini-batch --max-sentences --batch_size --max_batch_size",
     "Marian, fairseq, CTranslate2 and OpenNMT", "use --batch-size N or --batch-tokens N"},
    {kSearching, "--mini-batch-words --max-tokens-per-batch --batch_type", "Marian and CTranslate2",
     "use --batch-tokens N"},
    {kSearching, "--maxi-batch --maxi-batch-sort --buffer-size", "Marian and fairseq",
     "gloss sorts lines by length on its own; use --batch-tokens N"},
    {kSearching, "--max-len-a --max-len-b --max_decoding_length --max-output-length",
     "fairseq and CTranslate2", "use --max-length-factor X and --max-length N"},
    {kSearching, "--sampling --output-sampling --random_sampling", "fairseq and Marian", "use --sample"},
    {kSearching, "--sampling-topk --sampling_topk --random_sampling_topk", "fairseq and CTranslate2",
     "use --sample --top-k N"},
    {kSearching, "--sampling-topp --sampling_topp --random_sampling_topp", "fairseq and CTranslate2",
     "use --sample --top-p X"},
    {kSearching, "--sampling_temperature --random_sampling_temp --softmax-temperature",
     "CTranslate2, OpenNMT and Sockeye", "use --sample --temperature X"},
    {kSearching, "--no-repeat-ngram-size --no_repeat_ngram_size", "fairseq and CTranslate2",
     "use --no-repeat-ngram N"},
    {"translate", "--prefix-size --target_prefix", "fairseq and CTranslate2",
     "use --prefix: lines are SOURCE<tab>BEGINNING"},
    {"translate", "--replace-unk --replace_unk --replace_unknowns", "fairseq, OpenNMT and CTranslate2",
     "use --unknown-replacement"},
    {"translate", "--print-alignment --return_alignment --output-type", "fairseq, CTranslate2 and Sockeye",
     "use --alignment hard or soft"},
    {"generate", "--prompt --start_tokens", "others",
     "use --input FILE (-i), or standard input: a prompt a line"},
    {kSearching, "--remove-bpe --post-process --bpe --detokenize", "fairseq",
     "gloss reads and writes plain text; nothing is to be removed"},
    // Scoring and evaluation.
    {"score", "--src --train-sets -src", "OpenNMT and Marian", "use --source FILE"},
    {"score", "--tgt -tgt --ref", "OpenNMT", "use --target FILE"},
    {"score", "--n-best --n-best-feature", "Marian", "use --n-best-list FILE and --feature NAME"},
    {kScoring, "-t --test-set --echo --download --langpair --subset --origlang -ol --detail -d", "sacreBLEU",
     "gloss has no test sets and loads none: 'sacrebleu -t NAME -l PAIR --echo ref > FILE' writes the "
     "reference "
     "to a file to give instead"},
    {kScoring, "--list", "sacreBLEU",
     "gloss has no test sets: 'sacrebleu --list' lists those that 'sacrebleu -t NAME -l PAIR --echo ref > "
     "FILE' "
     "writes to a file"},
    {kScoring, "--cite --citation", "sacreBLEU",
     "for the scores, cite Post (2018), \"A Call for Clarity in Reporting BLEU Scores\", and give the "
     "signature; "
     "'sacrebleu -t NAME --cite' prints the entry of a test set"},
    {kScoring, "--spm-model", "earlier versions of gloss", "use --tokenize spm=FILE"},
    {kScoring, "--hyp --hypothesis --sys --system", "others", "use --input FILE (-i)"},
    {kScoring, "--ref --reference -r --refs", "others",
     "give references as arguments: gloss evaluate REFERENCE -i SYSTEM"},
    {"evaluate", "--tokenizer", "others", "use --tokenize NAME (-tok)"},
    {"compare", "--paired-bs -pbs --paired-ar -par", "sacreBLEU",
     "compare always tests with the paired bootstrap; 'gloss evaluate' has --paired-ar"},
    // SentencePiece and subword-nmt.
    {"vocab", "--model_prefix --model-prefix --write-vocabulary", "SentencePiece", "use --output FILE (-o)"},
    {"vocab", "--vocab_size --vocab-size -s --symbols", "SentencePiece and subword-nmt", "use --size N"},
    {"vocab", "--model_type --model-type", "SentencePiece", "use --type bpe, unigram, char or byte-bpe"},
    {"vocab", "--input_sentence_size", "SentencePiece", "use --sample-lines N"},
    {"vocab", "--user_defined_symbols --control_symbols", "SentencePiece", "use --user-symbol NAME..."},
    {"vocab", "--normalization_rule_name", "SentencePiece", "use --normalization none, nfc or nfkc"},
    {"vocab", "--character_coverage", "SentencePiece", "use --character-coverage X"},
    {"vocab", "--byte_fallback", "SentencePiece", "use --byte-fallback"},
    {"vocab", "--num_threads --unk_id --bos_id --eos_id --pad_id", "SentencePiece",
     "<unk>, <s> and </s> always have the ids 0, 1 and 2; vocab runs on one thread"},
    {"encode decode", "--model -m --codes -c", "SentencePiece and subword-nmt", "use --tokenizer FILE (-t)"},
    {"encode", "--output_format --output-format", "SentencePiece", "use --output-type piece or id"},
    {"decode", "--input_format --input-format", "SentencePiece", "use --input-type piece or id"},
    {"encode", "--dropout --alpha --nbest_size --enable_sampling", "SentencePiece and subword-nmt",
     "use --bpe-dropout X"},
    // Averaging.
    {"average", "--inputs --models -m --model -n --num-update-checkpoints", "fairseq, Marian and OpenNMT",
     "give model directories as arguments, or a training directory and --last N"},
});

bool contains_word(std::string_view words, std::string_view wanted) {
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t end = std::min(words.find(' ', begin), words.size());
    if (words.substr(begin, end - begin) == wanted) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

std::string answer_to_foreign_option(std::string_view command, std::string_view option) {
  const std::string_view name = option.substr(0, option.find('='));
  const auto known = std::ranges::find_if(kForeignOptions, [&](const ForeignOption& one) {
    return contains_word(one.commands, command) && contains_word(one.spellings, name);
  });
  if (known == kForeignOptions.end()) return "";
  return concat("it is an option of ", known->programs, "; ", known->answer);
}

}  // namespace gloss
