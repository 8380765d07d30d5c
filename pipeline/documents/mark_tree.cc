// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/mark_tree.h"

namespace gloss {

std::vector<MarkNode> mark_tree(std::span<const Mark> marks, const LinkedWords& words) {
  std::vector<MarkNode> nodes(1);
  nodes.front().sources = {0, words.sources().size()};
  nodes.front().targets = {0, words.targets().size()};
  std::vector<std::size_t> open{0};
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const Mark& mark = marks[i];
    if (mark.kind == MarkKind::close) {
      open.pop_back();
      continue;
    }
    const bool pair = mark.kind == MarkKind::open;
    const std::size_t close = pair ? mark.partner : i;
    nodes[open.back()].children.push_back(nodes.size());
    if (pair) open.push_back(nodes.size());
    nodes.push_back({i, close, words.source_words(mark.at, marks[close].at), {}, {}});
  }
  return nodes;
}

}  // namespace gloss
