#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Trains on your copy of Multi30k, English to German, and scores the translations of test_2016_flickr:
#   corpora/multi30k/run.sh DATA_DIR OUTPUT_DIR [tok|raw|both] [TRAIN_OPTION...]
# tok: lower-cased tokens in DATA_DIR/tok; raw: cased text in DATA_DIR/raw; the default is both.
# TRAIN_OPTIONs go to 'gloss train' and override train.ini.
# Environment: GLOSS is the program to run, VOCABULARY_SIZE the size of the vocabulary (default 10000).
# The same call continues a stopped training.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

. "$here/files.sh"

# run_target NAME INFIX NORMALIZATION TOKENIZER: runs all steps on DATA_DIR/NAME/trainINFIX.en and so on, and
# writes to OUTPUT_DIR/NAME.
run_target() {
  local name=$1 from=$data/$1 work=$output/$1 infix=$2 normalization=$3 tokenizer=$4
  local train_en train_de valid_en valid_de test_en test_de
  find_texts "$from" "$infix"
  mkdir -p "$work"

  echo "== $name: vocabulary"
  "$gloss" vocab --input "$train_en" "$train_de" --size "${VOCABULARY_SIZE:-10000}" \
    --normalization "$normalization" --output "$work/bpe.model"

  echo "== $name: training"
  "$gloss" train --config "$here/train.ini" --source "$train_en" --target "$train_de" \
    --valid-source "$valid_en" --valid-target "$valid_de" --tokenizer "$work/bpe.model" \
    --normalization "$normalization" --valid-tokenize "$tokenizer" \
    "${train_options[@]}" --output "$work/training"

  echo "== $name: averaging the last 10 checkpoints"
  "$gloss" average "$work/training" --last 10 --output "$work/model"
  "$gloss" info --model "$work/model"

  echo "== $name: translating to $work/test.de"
  "$gloss" translate --model "$work/model" --beam-size 5 --input "$test_en" --output "$work/test.de"
  "$gloss" evaluate "$test_de" --input "$work/test.de" --tokenize "$tokenizer" --width 2 --format text
}

[[ $# -ge 2 ]] || fail "expected DATA_DIR OUTPUT_DIR [tok|raw|both] [TRAIN_OPTION...]"
data=$1 output=$2
shift 2
[[ -d $data ]] || fail "$data is not a directory; expected one that contains tok/ or raw/"
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
