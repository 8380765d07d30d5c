#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Trains a student of models for Multi30k, English to German, and scores it on test_2016_flickr:
#   corpora/multi30k/distill.sh DATA_DIR OUTPUT_DIR tok|raw TEACHER_DIR[,TEACHER_DIR...] [TRAIN_OPTION...]
# TEACHER_DIR: a model of corpora/multi30k/run.sh for the same target, such as OUTPUT/raw/model; several with
# the same vocabulary are an ensemble. TRAIN_OPTIONs go to 'gloss train' and override student.ini.
# Environment: GLOSS is the program to run, N_BEST the number of translations to choose from (default 8),
# LEAST_CHRF the sentence chrF below which a translation of the teacher is dropped (default 20).
# Steps whose output exists are not run again; the same call continues a stopped training.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

. "$here/files.sh"

[[ $# -ge 4 ]] || fail "expected DATA_DIR OUTPUT_DIR tok|raw TEACHER_DIR[,TEACHER_DIR...] [TRAIN_OPTION...]"
data=$1 output=$2 target=$3
IFS=, read -r -a teachers <<<"$4"
shift 4
train_options=("$@")
[[ -d $data ]] || fail "$data is not a directory; expected one that contains tok/ or raw/"
case $target in
  tok) infix=.lc.norm.tok normalization=none tokenizer=none ;;
  raw) infix="" normalization=nfc tokenizer=13a ;;
  *) fail "unknown target '$target'; expected tok or raw" ;;
esac
teacher_options=() student_options=()
for teacher in "${teachers[@]}"; do
  [[ -f $teacher/tokenizer.model ]] || fail "$teacher is not a model directory with a joint vocabulary"
  teacher_options+=(--model "$teacher")
  student_options+=(--teacher "$teacher")
done
gloss=$(find_gloss)
work=$output/$target n_best=${N_BEST:-8} least=${LEAST_CHRF:-20}
from=$data/$target
find_texts "$from" "$infix"
mkdir -p "$work"

# lines FILE: prints the lines of a file that may be compressed.
lines() {
  if [[ $1 == *.gz ]]; then gzip -dc "$1"; else cat "$1"; fi
}

if [[ ! -e $work/teacher.de ]]; then
  echo "== the best of $n_best translations of each line by sentence BLEU"
  "$gloss" translate "${teacher_options[@]}" --beam-size "$n_best" --n-best "$n_best" \
    --input "$train_en" --output "$work/n-best" --resume
  "$gloss" rerank --references "$train_de" --tokenize "$tokenizer" "$work/n-best" >"$work/teacher.all"
  "$gloss" evaluate "$train_de" -i "$work/teacher.all" --metrics chrf --sentence-level --score-only \
    >"$work/teacher.chrf"
  # A text with tabs would have more columns; none has.
  paste "$work/teacher.chrf" <(lines "$train_en") "$work/teacher.all" |
    awk -F '\t' -v least="$least" -v en="$work/teacher.en" -v de="$work/teacher.de.part" \
      '$1 >= least && $3 != "" { print $2 > en; print $3 > de }'
  [[ -s $work/teacher.de.part ]] ||
    fail "no translation of the teacher has a sentence chrF of $least or more; is it trained? (LEAST_CHRF is the limit)"
  mv "$work/teacher.de.part" "$work/teacher.de"
fi
echo "the teacher's translations: $(wc -l <"$work/teacher.de") of $(lines "$train_en" | wc -l) lines"

if [[ ! -e $work/teacher.links ]]; then
  echo "== alignment of the text and of the teacher's translations"
  "$gloss" align --statistical --source <(lines "$train_en"; cat "$work/teacher.en") \
    --target <(lines "$train_de"; cat "$work/teacher.de") --output "$work/links"
  count=$(lines "$train_en" | wc -l)
  head -n "$count" "$work/links" >"$work/text.links"
  tail -n "+$((count + 1))" "$work/links" >"$work/teacher.links.part"
  mv "$work/teacher.links.part" "$work/teacher.links"
fi

echo "== the student"
"$gloss" train --config "$here/student.ini" \
  --source "$train_en" "$work/teacher.en" --target "$train_de" "$work/teacher.de" \
  --guided-alignment "$work/text.links" "$work/teacher.links" "${student_options[@]}" \
  --valid-source "$valid_en" --valid-target "$valid_de" --tokenizer "${teachers[0]}/tokenizer.model" \
  --normalization "$normalization" --valid-tokenize "$tokenizer" "${train_options[@]}" \
  --output "$work/training"

echo "== int8 and a shortlist"
"$gloss" average "$work/training" --last 10 --output "$work/model" --overwrite
"$gloss" quantize --model "$work/model" --type int8 --output "$work/student" --overwrite
"$gloss" shortlist --model "$work/student" --source "$work/teacher.en" --target "$work/teacher.de" \
  --output "$work/student.shortlist"
"$gloss" info --model "$work/student"

echo "== translating to $work/test.de"
"$gloss" translate --model "$work/student" --shortlist "$work/student.shortlist" --beam-size 1 \
  --input "$test_en" --output "$work/test.de"
"$gloss" evaluate "$test_de" --input "$work/test.de" --tokenize "$tokenizer" --width 2 --format text
