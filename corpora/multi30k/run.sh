#!/usr/bin/env bash
# Trains on your copy of Multi30k, English to German, and scores the translations of test_2016_flickr:
#   corpora/multi30k/run.sh DATA_DIR OUTPUT_DIR [tok|raw|both] [TRAIN_OPTION...]
# tok: lower-cased tokens in DATA_DIR/tok; raw: cased text in DATA_DIR/raw; both is the default.
# TRAIN_OPTIONs go to 'gloss train' and count more than those in train.ini.
# The variable GLOSS names the program, VOCABULARY_SIZE the pieces of the vocabulary (10000).
# The same call again continues where an earlier one was stopped.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

fail() {
  echo "run.sh: $*" >&2
  exit 2
}

find_gloss() {
  local program
  for program in "${GLOSS-}" "$here/../../build/gloss" gloss; do
    [[ -n $program ]] || continue
    if command -v "$program" >/dev/null; then
      echo "$program"
      return
    fi
    [[ $program != "${GLOSS-}" ]] || fail "GLOSS is '$program', which is not a program"
  done
  fail "found no gloss; build it with scripts/setup or name it in the variable GLOSS"
}

# The file FOLDER/NAME, or its packed form NAME.gz, which gloss reads as well.
text_file() {
  local file
  for file in "$1" "$1.gz"; do
    if [[ -f $file ]]; then
      echo "$file"
      return
    fi
  done
  fail "$1 is missing, and $1.gz too; corpora/multi30k/README.md says which files are expected"
}

# run_target NAME INFIX NORMALIZATION TOKENIZER: with the texts DATA_DIR/NAME/trainINFIX.en and so on, into
# OUTPUT_DIR/NAME.
run_target() {
  local name=$1 from=$data/$1 work=$output/$1 infix=$2 normalization=$3 tokenizer=$4
  local train_en train_de valid_en valid_de test_en test_de
  train_en=$(text_file "$from/train$infix.en")
  train_de=$(text_file "$from/train$infix.de")
  valid_en=$(text_file "$from/val$infix.en")
  valid_de=$(text_file "$from/val$infix.de")
  test_en=$(text_file "$from/test_2016_flickr$infix.en")
  test_de=$(text_file "$from/test_2016_flickr$infix.de")
  mkdir -p "$work"

  echo "== $name: vocabulary"
  "$gloss" vocab --input "$train_en" "$train_de" --size "${VOCABULARY_SIZE:-10000}" \
    --normalization "$normalization" --output "$work/bpe.model"

  echo "== $name: training"
  "$gloss" train --config "$here/train.ini" --source "$train_en" --target "$train_de" \
    --valid-source "$valid_en" --valid-target "$valid_de" --tokenizer "$work/bpe.model" \
    --normalization "$normalization" --valid-tokenize "$tokenizer" \
    "${train_options[@]}" --output "$work/training"

  echo "== $name: mean of the last 10 checkpoints"
  "$gloss" average "$work/training" --last 10 --output "$work/model"
  "$gloss" info --model "$work/model"

  echo "== $name: translations in $work/test.de"
  "$gloss" translate --model "$work/model" --beam-size 5 --input "$test_en" --output "$work/test.de"
  "$gloss" evaluate "$test_de" --input "$work/test.de" --tokenize "$tokenizer" --width 2 --format text
}

[[ $# -ge 2 ]] || fail "expected DATA_DIR OUTPUT_DIR [tok|raw|both] [TRAIN_OPTION...]"
data=$1 output=$2
shift 2
[[ -d $data ]] || fail "$data is no folder; expected one with tok/ or raw/"
target=both
if [[ $# -gt 0 && $1 != -* ]]; then
  target=$1
  shift
fi
[[ $target == tok || $target == raw || $target == both ]] ||
  fail "unknown target '$target'; expected tok, raw or both"
train_options=("$@")
gloss=$(find_gloss)

if [[ $target != raw ]]; then run_target tok .lc.norm.tok none none; fi
if [[ $target != tok ]]; then run_target raw "" nfc 13a; fi
