// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/mark_placement.h"

#include <algorithm>
#include <utility>

#include "pipeline/documents/closing_mark.h"

namespace gloss {
namespace {

/// A pair of marks, or a mark alone, with the words in it.
struct MarkNode {
  std::size_t open = 0, close = 0;  ///< numbers of its marks; the same for a mark alone
  WordSpan sources{}, targets{};
  std::vector<std::size_t> children{};  ///< numbers of nodes, in the order of the text
};

/// The marks of a text as a tree, parents before their children. The first node is the text itself and has no
/// marks. The target words are not known yet, except for the first.
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

bool is_space_at(std::string_view text, std::size_t byte) { return byte < text.size() && text[byte] == ' '; }

/// Finds the target words of all nodes.
class Placement {
 public:
  Placement(const MarkedPair& pair, const LinkedWords& words)
      : source_(pair.source),
        target_(pair.target),
        marks_(pair.marks),
        words_(words),
        nodes_(mark_tree(pair.marks, words)),
        owner_(words.targets().size()) {}

  std::vector<MarkNode> nodes() && {
    for (std::size_t node = 0; node < nodes_.size(); ++node) place_children(node);
    return std::move(nodes_);
  }

 private:
  struct Choice {
    WordSpan span{};
    float score = 0;
  };

  void place_children(std::size_t node);
  void place_pair(std::size_t node, std::size_t child);
  /// Target words of the node in the sentences of these source words.
  WordSpan window(const MarkNode& node, WordSpan sources) const;
  Choice best_words(std::size_t node, WordSpan sources) const;
  std::size_t best_word(WordSpan window, WordSpan sources) const;
  /// The number of target words before a mark without words.
  std::size_t place_between(const MarkNode& node, const Mark& mark) const;
  /// A place between these target words, moved over marks that belong to the word before it.
  std::size_t after_closing_marks(std::size_t place, WordSpan all) const;
  std::size_t outside_of_siblings(std::size_t node, std::size_t place, bool before) const;

  std::string_view source_, target_;
  std::span<const Mark> marks_;
  const LinkedWords& words_;
  std::vector<MarkNode> nodes_;
  std::vector<std::size_t> owner_;  // for each target word the innermost node so far that has it
};

WordSpan Placement::window(const MarkNode& node, WordSpan sources) const {
  const WordSpan sentences = words_.target_sentences(sources);
  return {std::max(node.targets.begin, sentences.begin), std::min(node.targets.end, sentences.end)};
}

Placement::Choice Placement::best_words(std::size_t node, WordSpan sources) const {
  const WordSpan all = window(nodes_[node], sources);
  Choice best;
  WordSpan now;
  float sum = 0;
  for (std::size_t target = all.begin; target < all.end; ++target) {
    if (owner_[target] != node) {
      now = {};
      continue;
    }
    const float gain = words_.share(target, sources) - 0.5f;
    if (now.empty() || sum < 0) {
      now = {target, target};
      sum = 0;
    }
    now.end = target + 1;
    sum += gain;
    if (best.span.empty() || sum > best.score) best = {now, sum};
  }
  return best;
}

void Placement::place_pair(std::size_t node, std::size_t child) {
  MarkNode& pair = nodes_[child];
  const bool whole = pair.sources == nodes_[node].sources;
  pair.targets = whole ? nodes_[node].targets : best_words(node, pair.sources).span;
  if (pair.targets.empty()) {  // the words are those of its siblings
    const std::size_t place = place_between(nodes_[node], marks_[pair.open]);
    pair.targets = {place, place};
  }
  for (std::size_t word = pair.targets.begin; word < pair.targets.end; ++word) owner_[word] = child;
}

void Placement::place_children(std::size_t node) {
  std::vector<std::pair<float, std::size_t>> pairs;  // score, child
  for (const std::size_t child : nodes_[node].children) {
    const WordSpan sources = nodes_[child].sources;
    if (nodes_[child].open == nodes_[child].close || sources.empty()) continue;
    const bool whole = sources == nodes_[node].sources;
    pairs.emplace_back(whole ? 0 : -best_words(node, sources).score, child);
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [score, child] : pairs) place_pair(node, child);
  for (const std::size_t child : nodes_[node].children) {
    MarkNode& mark = nodes_[child];
    if (!mark.targets.empty()) continue;
    const bool before = belongs_to_next(source_, marks_[mark.open]);
    const std::size_t place =
        outside_of_siblings(node, place_between(nodes_[node], marks_[mark.open]), before);
    mark.targets = {place, place};
  }
  std::stable_sort(nodes_[node].children.begin(), nodes_[node].children.end(),
                   [&](std::size_t a, std::size_t b) {
                     const WordSpan first = nodes_[a].targets, second = nodes_[b].targets;
                     return std::pair(first.begin, first.end) < std::pair(second.begin, second.end);
                   });
}

std::size_t Placement::best_word(WordSpan all, WordSpan sources) const {
  std::size_t best = all.begin;
  float most = -1;
  for (std::size_t target = all.begin; target < all.end; ++target) {
    const float share = words_.share(target, sources);
    if (share > most) best = target, most = share;
  }
  return best;
}

std::size_t Placement::place_between(const MarkNode& node, const Mark& mark) const {
  const std::size_t next = words_.source_words(mark.at, mark.at).begin;
  const bool inside = next < words_.sources().size() && words_.sources()[next].begin < mark.at;
  const std::size_t after = inside ? next + 1 : next;
  if (after <= node.sources.begin) return node.targets.begin;
  if (after >= node.sources.end) return node.targets.end;
  const WordSpan before_it{after - 1, after}, after_it{after, after + 1};
  const bool ends_sentence = !words_.same_sentence(after - 1, after);
  const bool to_next = ends_sentence || (!inside && belongs_to_next(source_, mark));
  const WordSpan all = window(node, to_next ? after_it : before_it);
  if (all.empty()) return std::clamp(all.begin, node.targets.begin, node.targets.end);
  if (ends_sentence) return all.begin;
  const std::size_t place = to_next ? best_word(all, after_it) : best_word(all, before_it) + 1;
  const bool closed = is_closing_mark_at(source_, words_.sources()[after].begin);
  return closed ? place : after_closing_marks(place, all);
}

std::size_t Placement::after_closing_marks(std::size_t place, WordSpan all) const {
  const std::vector<ByteRange>& targets = words_.targets();
  while (place > all.begin && place < all.end && targets[place - 1].end == targets[place].begin &&
         is_closing_mark_at(target_, targets[place].begin))
    ++place;
  return place;
}

std::size_t Placement::outside_of_siblings(std::size_t node, std::size_t place, bool before) const {
  const WordSpan all = nodes_[node].targets;
  if (place <= all.begin || place >= all.end) return place;
  const std::size_t sibling = owner_[place];
  if (sibling == node || owner_[place - 1] != sibling) return place;
  return before ? nodes_[sibling].targets.begin : nodes_[sibling].targets.end;
}

}  // namespace

bool belongs_to_next(std::string_view source, const Mark& mark) {
  if (mark.at == 0 || is_space_at(source, mark.at - 1)) return true;
  if (mark.at == source.size() || is_space_at(source, mark.at)) return false;
  return mark.kind == MarkKind::open;
}

std::vector<PlacedMark> place_marks(const MarkedPair& pair, const LinkedWords& words) {
  const std::vector<MarkNode> nodes = Placement(pair, words).nodes();
  std::vector<PlacedMark> placed;
  struct Visit {
    std::size_t node, next;
  };
  std::vector<Visit> path{{0, 0}};  // not the stack of the program: there may be 100,000 levels
  while (!path.empty()) {
    Visit& now = path.back();
    const MarkNode& node = nodes[now.node];
    if (now.next == node.children.size()) {
      if (now.node != 0 && node.close != node.open) placed.push_back({node.close, node.targets.end});
      path.pop_back();
      continue;
    }
    const std::size_t child = node.children[now.next++];
    placed.push_back({nodes[child].open, nodes[child].targets.begin});
    path.push_back({child, 0});
  }
  return placed;
}

}  // namespace gloss
