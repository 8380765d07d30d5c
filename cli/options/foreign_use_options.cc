// SPDX-License-Identifier: Apache-2.0

#include <array>

#include "cli/options/foreign_option_table.h"

namespace gloss {
namespace {

constexpr std::string_view kSearching = "translate generate";
constexpr std::string_view kScoring = "evaluate compare";

constexpr auto kForeignUseOptions = std::to_array<ForeignOption>({
    // Models of other programs.
    {"import", "--model -m --input -i --from Marian --models CTranslate2 --model_dir --model_path",
     "give the model as an argument: gloss import MODEL --output DIR"},
    {"import", "--vocab Marian --vocabs -v CTranslate2 --vocab_mapping --copy_files fairseq --data-dir",
     "vocabularies are read from the directory of the model"},
    {"import", "--format", "the format is recognised by the files of the model"},
    {"import", "--type --precision CTranslate2 --quantization", "use 'gloss quantize' after the import"},
    {"translate score align", "--src-lang --src_lang fairseq --source-lang -s",
     "use --source-language CODE if the model has several languages; others need no option"},
    {"translate score align", "--tgt-lang --tgt_lang --forced_bos_token_id fairseq --target-lang",
     "use --target-language CODE if the model has several languages; others need no option"},
    // Translation.
    {kSearching, "--checkpoint Marian --models fairseq --path CTranslate2 --model_path",
     "use --model DIR... (-m)"},
    {"fill classify embed align score info quantize shortlist",
     "--models --checkpoint fairseq --path CTranslate2 --model_path", "use --model DIR (-m)"},
    {kSearching, "--vocab --sp-model --src_vocab --spm --tokenizer -t Marian --vocabs -v",
     "the model directory holds the vocabulary"},
    {kSearching, "--source --text --input-file OpenNMT -src --src CTranslate2 --src",
     "use --input FILE (-i), plain arguments or standard input"},
    {"translate", "--target --output-file --hypo CTranslate2 --out",
     "use --output FILE (-o), or standard output"},
    {"translate", "OpenNMT -tgt --tgt CTranslate2 --tgt",
     "'gloss score --source FILE --target FILE' scores given translations"},
    {kSearching, "--beam --beams --num-beams fairseq --beam", "use --beam-size N (-b)"},
    {kSearching, "--greedy --no-beam-search", "use --beam-size 1 (-b)"},
    {kSearching,
     "--lp-alpha fairseq --lenpen Marian --normalize -n Sockeye --length-penalty-alpha OpenNMT -alpha "
     "--alpha",
     "use --length-penalty X: the score is log-probability / length^X"},
    {kSearching, "Marian --word-penalty fairseq --unkpen", "use --length-penalty X"},
    {kSearching, "fairseq --unnormalized", "use --length-penalty 0"},
    {kSearching, "--n-best-list fairseq --nbest Sockeye --nbest-size CTranslate2 --num_hypotheses",
     "use --n-best N"},
    {kReading, "Marian --mini-batch fairseq --max-sentences CTranslate2 --max_batch_size",
     "use --batch-size N or --batch-tokens N"},
    {kReading, "Marian --mini-batch-words CTranslate2 --batch_type OpenNMT --batch_type",
     "use --batch-tokens N"},
    {"translate fill classify embed align score", "fairseq --max-tokens", "use --batch-tokens N"},
    {kReading, "Marian --maxi-batch --maxi-batch-sort fairseq --buffer-size Sockeye --chunk-size",
     "gloss sorts lines by length on its own; use --batch-tokens N"},
    {"translate",
     "--max-new-tokens --max_new_tokens fairseq --max-len-a --max-len-b CTranslate2 --max_decoding_length "
     "Sockeye --max-output-length",
     "use --max-length-factor X and --max-length N"},
    {"generate",
     "--max-new-tokens --max_new_tokens --max-length fairseq --max-len-b CTranslate2 --max_length",
     "use --max-tokens N"},
    {kSearching, "fairseq --min-len CTranslate2 --min_decoding_length", "use --min-length N"},
    {kSearching, "--do-sample --random fairseq --sampling Marian --output-sampling", "use --sample"},
    {kSearching, "fairseq --sampling-topk CTranslate2 --sampling_topk OpenNMT --random_sampling_topk",
     "use --sample --top-k N"},
    {kSearching, "fairseq --sampling-topp CTranslate2 --sampling_topp OpenNMT --random_sampling_topp",
     "use --sample --top-p X"},
    {kSearching,
     "CTranslate2 --sampling_temperature OpenNMT --random_sampling_temp Sockeye --softmax-temperature",
     "use --sample --temperature X"},
    {kSearching,
     "fairseq --no-repeat-ngram-size CTranslate2 --no_repeat_ngram_size OpenNMT --block_ngram_repeat",
     "use --no-repeat-ngram N"},
    {"translate", "Marian --weights -w", "use --ensemble-weights X..."},
    {"translate", "fairseq --gen-subset",
     "gloss translates the text that it is given: use --input FILE (-i)"},
    {"translate", "Marian --force-decode", "use --prefix: lines are SOURCE<tab>BEGINNING"},
    {kReading, "--verbose", "progress and notes are shown by default; --quiet (-q) hides them"},
    {"translate", "fairseq --prefix-size CTranslate2 --target_prefix",
     "use --prefix: lines are SOURCE<tab>BEGINNING"},
    {"translate", "fairseq --replace-unk OpenNMT --replace_unk CTranslate2 --replace_unknowns",
     "use --unknown-replacement"},
    {"translate", "--align fairseq --print-alignment CTranslate2 --return_attention OpenNMT --report_align",
     "use --alignment hard or soft"},
    {"translate", "Sockeye --output-type", "use --format json, --scores or --alignment hard"},
    {"translate", "Sockeye --restrict-lexicon CTranslate2 --use_vmap",
     "use --shortlist FILE, made by 'gloss shortlist'"},
    {"translate", "Sockeye --avoid-list", "use --ban FILE"},
    {"generate", "--prompt CTranslate2 --start_tokens",
     "use --input FILE (-i), or standard input: a prompt a line"},
    {kSearching, "--detokenize fairseq --remove-bpe --post-process --bpe",
     "gloss reads and writes plain text; nothing is to be removed"},
    {"translate generate fill classify align score evaluate compare", "--json", "use --format json"},
    // Scoring and evaluation.
    {"score", "--src OpenNMT -src Marian --train-sets CTranslate2 --src",
     "use --source FILE and --target FILE"},
    {"score", "--ref --hyp OpenNMT -tgt CTranslate2 --tgt", "use --target FILE"},
    {"score", "Marian --n-best --n-best-feature", "use --n-best-list FILE and --feature NAME"},
    {"score", "--ppl --perplexity", "'gloss evaluate --task lm' computes the perplexity of text"},
    {"align shortlist", "--src --tgt --trg --input -i", "use --source FILE and --target FILE, or --tsv FILE"},
    {"align", "--symmetrization --symmetrisation --heuristic fast_align -r --reverse",
     "use --statistical --symmetrize NAME: forward, reverse or a combination of both"},
    {"align", "fast_align -I", "use --statistical --iterations N"},
    {"align", "--lowercase --lc", "use --statistical --lower-case"},
    {"align", "fast_align -d -v --favor_diagonal --optimize_tension --variational_bayes -T -p -a -N",
     "'gloss align --statistical' has no such settings: leave it out"},
    {kScoring, "sacreBLEU -t --test-set --echo --download --langpair --subset --origlang -ol --detail -d",
     "gloss has no test sets and loads none: 'sacrebleu -t NAME -l PAIR --echo ref > FILE' writes the "
     "reference to a file to give instead"},
    {kScoring, "sacreBLEU --list",
     "gloss has no test sets: 'sacrebleu --list' lists those that 'sacrebleu -t NAME -l PAIR --echo ref > "
     "FILE' writes to a file"},
    {kScoring, "sacreBLEU --cite --citation",
     "for the scores, cite Post (2018), \"A Call for Clarity in Reporting BLEU Scores\", and give the "
     "signature; 'sacrebleu -t NAME --cite' prints the entry of a test set"},
    {kScoring, "--spm-model", "use --tokenize spm=FILE"},
    {kScoring, "--hyp --hyps --hypothesis --hypotheses --sys --system --systems", "use --input FILE (-i)"},
    {"evaluate", "--ref --refs --reference --references -r",
     "give references as arguments: gloss evaluate REFERENCE -i SYSTEM"},
    {"compare", "--ref --refs --reference -r",
     "give the reference as the first argument: gloss compare REFERENCE SYSTEM..."},
    {kScoring, "--tokenizer", "use --tokenize NAME (-tok)"},
    {kScoring, "--bleu --chrf --ter --metric", "use --metrics bleu chrf ter (-m)"},
    {"compare", "sacreBLEU --paired-bs -pbs --paired-ar -par",
     "compare always tests with the paired bootstrap; 'gloss evaluate' has --paired-ar"},
    // SentencePiece and subword-nmt.
    {"vocab", "--model -m --tokenizer -t SentencePiece --model_prefix subword-nmt --write-vocabulary",
     "use --output FILE (-o)"},
    {"vocab", "--vocab-size --pieces SentencePiece --vocab_size subword-nmt --symbols -s", "use --size N"},
    {"vocab", "SentencePiece --model_type", "use --type bpe, unigram, char or byte-bpe"},
    {"vocab", "SentencePiece --input_sentence_size", "use --sample-lines N"},
    {"vocab", "SentencePiece --user_defined_symbols --control_symbols subword-nmt --glossaries",
     "use --user-symbol NAME..."},
    {"vocab", "SentencePiece --normalization_rule_name", "use --normalization none, nfc or nfkc"},
    {"vocab", "SentencePiece --unk_id --bos_id --eos_id --pad_id",
     "<unk>, <s> and </s> have the ids 0, 1 and 2; --no-begin-piece leaves out <s>, as in Marian"},
    {"vocab", "--threads -j SentencePiece --num_threads subword-nmt --num-workers",
     "vocab runs on one thread; --sample-lines N takes less time"},
    {"encode decode", "--model -m --models --vocab SentencePiece --model subword-nmt --codes -c",
     "use --tokenizer FILE (-t): a vocabulary, such as tokenizer.model in a model directory"},
    {"encode", "SentencePiece --output_format", "use --output-type piece or id"},
    {"decode", "SentencePiece --input_format", "use --input-type piece or id"},
    {"encode", "SentencePiece --alpha --nbest_size subword-nmt --dropout", "use --bpe-dropout X"},
    // Models as plain arguments.
    {"average", "--model -m --models --input -i fairseq --inputs OpenNMT -models",
     "give model directories as arguments, or a training directory and --last N: gloss average DIR... "
     "--output DIR"},
    {"average", "-n fairseq --num-update-checkpoints --num-epoch-checkpoints Sockeye -n", "use --last N"},
    {"plot", "--model -m --input -i --log --logs",
     "give training directories as arguments: gloss plot DIR..."},
});

}  // namespace

std::span<const ForeignOption> foreign_use_options() { return kForeignUseOptions; }

}  // namespace gloss
