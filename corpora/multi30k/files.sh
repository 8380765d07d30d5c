# SPDX-License-Identifier: Apache-2.0
# Functions of the recipes; they read $here, the directory of the recipes.

fail() {
  echo "${0##*/}: $*" >&2
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
    [[ $program != "${GLOSS-}" ]] || fail "GLOSS='$program' is not a program"
  done
  fail "gloss not found; build it with scripts/setup or set GLOSS to its path"
}

# Prints the path of the file, or of its compressed form FILE.gz, which gloss reads too.
text_file() {
  local file
  for file in "$1" "$1.gz"; do
    if [[ -f $file ]]; then
      echo "$file"
      return
    fi
  done
  fail "neither $1 nor $1.gz exists; corpora/multi30k/README.md lists the expected files"
}

# find_texts DIR INFIX: sets train_en, train_de, valid_en and so on to the paths of the texts in DIR.
find_texts() {
  train_en=$(text_file "$1/train$2.en")
  train_de=$(text_file "$1/train$2.de")
  valid_en=$(text_file "$1/val$2.en")
  valid_de=$(text_file "$1/val$2.de")
  test_en=$(text_file "$1/test_2016_flickr$2.en")
  test_de=$(text_file "$1/test_2016_flickr$2.de")
}
