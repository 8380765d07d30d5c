// SPDX-License-Identifier: Apache-2.0

#include <array>

#include "cli/options/foreign_option_table.h"

namespace gloss {
namespace {

constexpr std::string_view kTraining = "train pretrain finetune";
constexpr std::string_view kComputing =
    "train pretrain finetune translate generate fill classify embed align score";

constexpr auto kForeignTrainingOptions = std::to_array<ForeignOption>({
    // Data of a training.
    {"train finetune", "Marian --train-sets OpenNMT -train_src --train_src -train_tgt --train_tgt",
     "use --source FILE and --target FILE"},
    {"train finetune",
     "--dev --valid --validation --dev-set --valid-set Marian --valid-sets OpenNMT -valid_src --valid_src "
     "-valid_tgt --valid_tgt",
     "use --valid-source FILE and --valid-target FILE, or --valid-tsv FILE"},
    {"finetune",
     "--src-lang --src_lang --tgt-lang --tgt_lang --forced_bos_token_id fairseq --source-lang --target-lang",
     "use --source-language CODE and --target-language CODE if the model has several languages"},
    {"finetune", "--input -i",
     "it belongs to --task lm, mlm, denoise and classify; for translation models use --source FILE and "
     "--target "
     "FILE"},
    {"train", "--input -i", "use --source FILE and --target FILE; 'gloss pretrain' has --input"},
    {"train finetune", "--src --src-train --train-src fairseq --source-lang -s --trainpref Sockeye -s",
     "use --source FILE, the training text; it is read as it is, without a step to prepare it"},
    {"train finetune", "--tgt --tgt-train --train-tgt --trg --ref fairseq --target-lang",
     "use --target FILE, the training text; it is read as it is, without a step to prepare it"},
    {"train finetune", "--dev-source --valid-src Sockeye --validation-source -vs fairseq --validpref",
     "use --valid-source FILE"},
    {"train finetune", "--dev-target --valid-tgt Sockeye --validation-target -vt", "use --valid-target FILE"},
    {"train finetune", "--data-bin Sockeye --prepared-data OpenNMT --data -data",
     "gloss reads text: use --source FILE and --target FILE"},
    {"pretrain", "--data --train-data --train --text --source Marian --train-sets", "use --input FILE"},
    {"pretrain", "--dev --valid --validation --dev-set --valid-set --valid-source Marian --valid-sets",
     "use --valid-input FILE"},
    {"train pretrain",
     "--vocab --spm --sp-model --sp_model Marian --vocabs -v OpenNMT --src_vocab Sockeye --source-vocab "
     "fairseq --srcdict",
     "use --tokenizer FILE, a SentencePiece model, or --vocab-size N to learn one"},
    {"train pretrain", "Marian --dim-vocabs OpenNMT --src_vocab_size Sockeye --num-words",
     "use --vocab-size N"},
    {"finetune",
     "--pretrained --init Marian --pretrained-model fairseq --finetune-from-model --restore-file Sockeye "
     "--params -p OpenNMT --train_from",
     "use --model DIR (-m)"},
    {"train pretrain",
     "--pretrained --init Marian --pretrained-model fairseq --finetune-from-model Sockeye --params -p",
     "use 'gloss finetune --model DIR'"},
    {"train pretrain", "--resume --continue --restart fairseq --restore-file OpenNMT --train_from",
     "the same command with the same --output continues a training; --fresh starts over"},
    {"finetune", "--resume --continue --restart",
     "the same command with the same --output continues a training; --fresh starts over"},
    {kTraining,
     "Marian --no-reload fairseq --reset-optimizer --reset-dataloader --reset-lr-scheduler OpenNMT "
     "--reset_optim",
     "the same command continues a training with all of its state; --fresh starts over"},
    // Where a training goes, how long it takes.
    {kTraining,
     "--model-dir --output-dir --serialization-dir fairseq --save-dir Marian --model OpenNMT --save_model "
     "-save_model",
     "use --output DIR (-o)"},
    {"train pretrain", "Marian -m", "use --output DIR (-o)"},
    {kTraining, "--force -f", "--fresh starts over; without it the same command continues a training"},
    {"average quantize", "--force -f", "use --overwrite, which replaces the model in --output DIR"},
    {"vocab encode decode plot shortlist translate generate fill classify embed align score", "--force -f",
     "a file named with --output is replaced without asking"},
    {kTraining,
     "--tensorboard fairseq --tensorboard-logdir OpenNMT --tensorboard --tensorboard_log_dir Marian "
     "--tensorboard",
     "'gloss plot RUN --format tensorboard --output DIR' writes event files for TensorBoard"},
    {kTraining, "--log-file --logfile --log-dir Marian --log --valid-log fairseq --log-file",
     "the log of a training is OUTPUT/train.log.jsonl; 'gloss plot' draws it"},
    {kTraining, "--verbose", "progress and notes are shown by default; --quiet (-q) hides them"},
    {kTraining, "Marian --overwrite Sockeye --overwrite-output",
     "checkpoints beyond --keep-checkpoints N are removed; --fresh starts over"},
    {kTraining,
     "--steps --updates --max-steps --max_steps fairseq --max-update Marian --after-batches OpenNMT "
     "--train_steps",
     "use --max-updates N"},
    {kTraining,
     "--num-epochs fairseq --max-epoch Marian --after-epochs -e Sockeye --max-num-epochs OpenNMT --epochs",
     "use --max-epochs N"},
    {kTraining, "Marian --after -a", "use --max-epochs N, --max-updates N or --max-tokens N"},
    {kTraining, "fairseq --stop-time-hours Sockeye --max-seconds", "use --max-minutes X"},
    {kTraining, "fairseq --patience Sockeye --max-num-checkpoint-not-improved", "use --early-stopping N"},
    {kTraining,
     "Marian --save-freq --valid-freq fairseq --save-interval --save-interval-updates --validate-interval "
     "--validate-interval-updates Sockeye --checkpoint-interval OpenNMT --valid_steps "
     "--save_checkpoint_steps",
     "use --valid-interval N: it validates and saves"},
    {kTraining,
     "fairseq --keep-last-epochs --keep-interval-updates --keep-best-checkpoints Sockeye --keep-last-params "
     "Marian --keep-best OpenNMT --keep_checkpoint",
     "use --keep-checkpoints N; the best one is always kept"},
    {kTraining, "Marian --disp-freq fairseq --log-interval OpenNMT --report_every",
     "use --report-interval N"},
    {"train finetune", "Marian --valid-metrics fairseq --best-checkpoint-metric Sockeye --optimized-metric",
     "use --stop-on cross_entropy or bleu, for classifiers accuracy; --valid-bleu computes BLEU"},
    {"pretrain", "Marian --valid-metrics fairseq --best-checkpoint-metric Sockeye --optimized-metric",
     "training is judged by the cross-entropy of --valid-input FILE"},
    // Batches and the optimizer.
    {kTraining, "-lr fairseq --lr Marian --learn-rate -l Sockeye --initial-learning-rate",
     "use --learning-rate X: the highest rate, reached after the warm-up"},
    {kTraining, "--warmup Marian --lr-warmup OpenNMT --warmup_steps Sockeye --learning-rate-warmup",
     "use --warmup-updates N"},
    {kTraining,
     "fairseq --lr-scheduler Marian --lr-decay-strategy --lr-decay OpenNMT --decay_method "
     "--learning_rate_decay Sockeye --learning-rate-scheduler-type",
     "use --schedule inverse_sqrt, linear, cosine or constant"},
    {kTraining, "Marian --lr-decay-inv-sqrt",
     "--schedule inverse_sqrt is the default; --warmup-updates N gives its length"},
    {kTraining, "Marian --lr-report", "reports have the learning rate; --report-interval N sets how often"},
    {kTraining,
     "Marian --mini-batch --mini-batch-words --mini-batch-fit fairseq --max-sentences --batch-size Sockeye "
     "--batch-size --batch-type OpenNMT --batch_size --batch_type",
     "use --batch-tokens N: batches are counted in tokens"},
    {kTraining, "Marian --mini-batch-fit-step --workspace -w",
     "gloss takes the memory that --batch-tokens N needs"},
    {kTraining, "Marian --maxi-batch --maxi-batch-sort Sockeye --bucket-width OpenNMT --bucket_size",
     "use --shuffle-window N: lines that are shuffled and sorted by length together"},
    {kTraining,
     "--gradient-accumulation fairseq --update-freq Marian --optimizer-delay Sockeye --update-interval "
     "OpenNMT --accum_count",
     "use --accumulation N"},
    {kTraining,
     "fairseq --adam-betas --adam-eps Marian --optimizer-params OpenNMT --optim --adam_beta1 --adam_beta2",
     "use --optimizer adam or muon, with --beta1 X, --beta2 X, --epsilon X"},
    {kTraining, "fairseq --criterion Marian --cost-type",
     "the loss is cross-entropy; use --label-smoothing X"},
    {"train finetune",
     "Marian --guided-alignment-cost --transformer-guided-alignment-layer fairseq --load-alignments "
     "--alignment-layer --alignment-heads",
     "use --guided-alignment FILE: the first head of the last decoder layer learns by cross-entropy, with "
     "--guided-alignment-weight X"},
    {kTraining, "Marian --exponential-smoothing OpenNMT --average_decay", "use --ema-decay X"},
    {kTraining, "--grad-clip Sockeye --gradient-clipping-threshold OpenNMT --max_grad_norm",
     "use --clip-norm X"},
    // The network.
    {"train pretrain",
     "--model-type fairseq --arch Marian --type OpenNMT --model_type --encoder_type --decoder_type",
     "use --preset NAME for the sizes of the network, --architecture NAME for its kind"},
    {"train",
     "--num-layers-encoder OpenNMT --layers -layers --enc_layers Sockeye --num-layers Marian --enc-depth "
     "--num-layers",
     "use --encoder-layers N and --decoder-layers N"},
    {"train", "Marian --dec-depth OpenNMT --dec_layers", "use --decoder-layers N"},
    {"pretrain",
     "fairseq --encoder-layers --decoder-layers Sockeye --num-layers Marian --enc-depth --dec-depth OpenNMT "
     "--enc_layers --dec_layers",
     "use --layers N"},
    {"train pretrain",
     "--hidden --hidden-size --hidden-dim --d-model --d_model --embed-dim --embedding-size --emb-size --dim "
     "--dim-model Marian --dim-emb fairseq --encoder-embed-dim --decoder-embed-dim OpenNMT --hidden_size "
     "--rnn_size --word_vec_size Sockeye --transformer-model-size",
     "use --width N"},
    {"train pretrain",
     "--num-heads --attention-heads Marian --transformer-heads fairseq --encoder-attention-heads "
     "--decoder-attention-heads Sockeye --transformer-attention-heads",
     "use --heads N"},
    {"train pretrain",
     "--ffn-dim --ff-size --filter-size Marian --transformer-dim-ffn fairseq --encoder-ffn-embed-dim "
     "--decoder-ffn-embed-dim OpenNMT --transformer_ff Sockeye --transformer-feed-forward-num-hidden",
     "use --feed-forward-width N"},
    {"finetune", "--layers --hidden-size --d-model fairseq --arch Marian --type --dim-emb",
     "the network is that of the model that --model DIR names"},
    {kTraining, "Marian --transformer-dropout", "use --dropout X"},
    {"train pretrain",
     "Marian --tied-embeddings-all fairseq --share-all-embeddings OpenNMT --share_embeddings Sockeye "
     "--weight-tying-type",
     "use --tied-embeddings all"},
    {"train pretrain", "fairseq --share-decoder-input-output-embed OpenNMT --share_decoder_embeddings",
     "use --tied-embeddings target"},
    {"train", "OpenNMT --share_vocab fairseq --joined-dictionary Sockeye --shared-vocab",
     "one --tokenizer serves both sides; --source-tokenizer and --target-tokenizer give two"},
    {"train finetune",
     "Marian --max-length-crop Sockeye --max-seq-len fairseq --max-source-positions --max-target-positions "
     "OpenNMT --src_seq_length --tgt_seq_length",
     "use --max-length N: longer pairs are skipped"},
    // What computes.
    {kComputing,
     "--gpu --gpus --gpu-id --use-gpu Marian --devices -d --num-devices Sockeye --device-ids CTranslate2 "
     "--device --device_index OpenNMT --gpu --gpu_ranks --world_size",
     "gloss computes on CPUs; use --threads N (-j)"},
    {kComputing, "--no-cuda --cuda --use-cuda Sockeye --use-cpu fairseq --cpu",
     "gloss computes on CPUs anyway"},
    {kComputing,
     "--num-threads --nthreads --omp-num-threads --workers --jobs Marian --cpu-threads CTranslate2 "
     "--intra_threads --inter_threads fairseq --num-workers OpenNMT --num_workers",
     "use --threads N (-j)"},
    {kTraining,
     "--mixed-precision fairseq --fp16 --bf16 --amp Marian --fp16 Sockeye --amp --apex-amp OpenNMT "
     "--model_dtype",
     "use --precision bf16, or auto, which takes bf16 where the processor has it"},
    {kTraining, "--qat --quantization-aware-training Marian --quantize-bits fairseq --quant-noise-pq",
     "use --quantization-aware int8 or int4, then 'gloss quantize'"},
    {kReading,
     "--bf16 --int8 --quantize CTranslate2 --compute_type Marian --gemm-type --fp16 Sockeye --dtype fairseq "
     "--fp16",
     "use --precision int8, bf16 or f32; 'gloss quantize' stores a smaller model"},
    {"quantize", "--precision --dtype CTranslate2 --quantization Marian --gemm-type",
     "use --type int8, bf16 or int4"},
    {"quantize", "--int4 --4bit --load-in-4bit", "use --type int4"},
    {"quantize", "--int8 --8bit", "use --type int8, which is the default"},
    {"quantize", "--bf16 --bfloat16 --half", "use --type bf16"},
    {"quantize", "-t", "use --type int8, bf16 or int4"},
    {kComputing, "--silent --no-progress Marian --quiet-translation --log-level fairseq --no-progress-bar",
     "use --quiet (-q)"},
    {kTraining, "Marian --tempdir -T", "temporary files are in the output directory"},
    {kTraining, "Marian --sqlite --no-shuffle --shuffle-in-ram",
     "text may be larger than memory: use --shuffle-window N"},
});

}  // namespace

std::span<const ForeignOption> foreign_training_options() { return kForeignTrainingOptions; }

}  // namespace gloss
