// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/reading/parallel_text.h"

namespace gloss {

// The forms that lines of text files have. A function adds the pairs of the lines of a block's source, one
// for each line; that of a line that is too long to have columns is empty. `name`: of the file, for messages.
// Functions throw InputError, with the place, for lines of another form.

/// Adds each line as a source without a target.
void add_lines(PairBlock&);
/// Adds lines source TAB target.
void add_rows(PairBlock&, const std::string& name);
/// Adds lines label TAB text, or label TAB text TAB text.
void add_labelled(PairBlock&, const std::string& name);
/// Adds the items of a list, without a target: the first column of each line.
void add_item_paths(PairBlock&, const ItemList&);
/// Adds lines path TAB text, or path TAB label.
void add_items(PairBlock&, const ItemList&, bool with_texts, const std::string& name);
/// Adds the items of an archive, with their labels unless these are null.
void add_archive(PairBlock&, const ItemList&, const IdxArchive* labels);
/// Adds lines story TAB question TAB answer.
void add_stories(PairBlock&, const std::string& name);
/// Adds stories in bAbI's format, which may begin in an earlier block of the file: this one has this number.
void add_babi_stories(PairBlock&, const IndexedLines& file, std::int64_t number, std::int64_t max_line_bytes);

/// Sets the targets of the pairs to the lines of the block's targets.
void take_targets(PairBlock&);
/// Sets the weights of the pairs from the lines of the block's weights: 0, or from 1e-6 to 1,000,000.
void take_weights(PairBlock&, const std::string& name);
/// Sets the links of the pairs that are not too long from the lines of the block's links.
void take_links(PairBlock&, const std::string& name);

/// The tab-separated columns of a line.
std::vector<std::string_view> between_tabs(std::string_view line);

}  // namespace gloss
