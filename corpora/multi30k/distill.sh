#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Trains a student of models for Multi30k, English to German, and scores it on test_2016_flickr:
#   corpora/multi30k/distill.sh DATA_DIR OUTPUT_DIR tok|raw TEACHER_DIR[,TEACHER_DIR...] [TRAIN_OPTION...]
# TEACHER_DIR: a model of corpora/multi30k/run.sh for the same target, such as OUTPUT/raw/model; several with
# the same vocabulary are an ensemble. TRAIN_OPTIONs go to 'gloss train' and override student.ini.
# Environment: GLOSS is the program to run, N_BEST the number of translations to choose from (default 8),
# LEAST_CHRF the sentence chrF below which a translation of the teacher is dropped (default 20), CAPTIONS a file of
# more English lines to translate (default for raw: DATA_DIR/captions/train.en, if it is there; "": none),
# CAPTION_SHARE the share of their translations to keep, those with the best scores (default 0.9).
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
for i in "${!teachers[@]}"; do
  [[ ! -f ${teachers[i]}/best/tokenizer.model ]] || teachers[i]+=/best  # of a training directory
  teacher=${teachers[i]}
  [[ -f $teacher/tokenizer.model ]] || fail "$teacher is not a model directory with a joint vocabulary"
  teacher_options+=(--model "$teacher")
  student_options+=(--teacher "$teacher")
done
gloss=$(find_gloss)
work=$output/$target n_best=${N_BEST:-8} least=${LEAST_CHRF:-20}
from=$data/$target
find_texts "$from" "$infix"
captions=${CAPTIONS-}
if [[ -z ${CAPTIONS+set} && $target == raw && -e $data/captions/train.en ]]; then captions=$data/captions/train.en; fi
[[ -z $captions || -f $captions ]] || fail "CAPTIONS='$captions' is not a file"
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

if [[ -n $captions && ! -e $work/captions.all ]]; then
  echo "== translations of $(lines "$captions" | wc -l) more lines"
  "$gloss" translate "${teacher_options[@]}" --beam-size 5 --scores --input "$captions" --output "$work/captions.all" \
    --resume
fi
if [[ -n $captions && ! -e $work/captions.de ]]; then
  # The lowest score among the translations to keep.
  least_score=$(cut -f 1 "$work/captions.all" | sort -gr |
    awk -v share="${CAPTION_SHARE:-0.9}" '{ score[NR] = $1 } END { n = int(NR * share); if (n < 1) n = 1; print score[n] }')
  paste "$work/captions.all" <(lines "$captions") |
    awk -F '\t' -v least="$least_score" -v en="$work/captions.en" -v de="$work/captions.de.part" \
      '$1 >= least && $2 != "" { print $3 > en; print $2 > de }'
  mv "$work/captions.de.part" "$work/captions.de"
fi

# The corpora that the student learns from; all together are aligned.
sources=("$train_en" "$work/teacher.en") targets=("$train_de" "$work/teacher.de")
links=("$work/text.links" "$work/teacher.links")
if [[ -n $captions ]]; then
  echo "the translations of more lines: $(wc -l <"$work/captions.de") of $(lines "$captions" | wc -l) lines"
  sources+=("$work/captions.en") targets+=("$work/captions.de") links+=("$work/captions.links")
fi

if [[ ! -e ${links[-1]} ]]; then
  echo "== alignment of all text"
  "$gloss" align --statistical --source <(for file in "${sources[@]}"; do lines "$file"; done) \
    --target <(for file in "${targets[@]}"; do lines "$file"; done) --output "$work/links"
  first=1
  for corpus in "${!sources[@]}"; do
    count=$(lines "${sources[$corpus]}" | wc -l)
    sed -n "$first,$((first + count - 1))p" "$work/links" >"${links[$corpus]}.part"
    mv "${links[$corpus]}.part" "${links[$corpus]}"
    first=$((first + count))
  done
fi

echo "== the student"
"$gloss" train --config "$here/student.ini" \
  --source "${sources[@]}" --target "${targets[@]}" --guided-alignment "${links[@]}" "${student_options[@]}" \
  --valid-source "$valid_en" --valid-target "$valid_de" --tokenizer "${teachers[0]}/tokenizer.model" \
  --normalization "$normalization" --valid-tokenize "$tokenizer" "${train_options[@]}" \
  --output "$work/training"

echo "== int8 and a shortlist"
"$gloss" quantize --model "$work/training/best" --type int8 --output "$work/student" --overwrite
"$gloss" shortlist --model "$work/student" --source <(cat "${sources[@]:1}") --target <(cat "${targets[@]:1}") \
  --output "$work/student.shortlist"
"$gloss" info --model "$work/student"

echo "== translating to $work/test.de"
"$gloss" translate --model "$work/student" --shortlist "$work/student.shortlist" --beam-size 1 \
  --input "$test_en" --output "$work/test.de"
"$gloss" evaluate "$test_de" --input "$work/test.de" --tokenize "$tokenizer" --width 2 --format text
