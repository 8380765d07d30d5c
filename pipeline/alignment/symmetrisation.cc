// SPDX-License-Identifier: Apache-2.0

#include "pipeline/alignment/symmetrisation.h"

#include <array>

#include "base/index.h"

namespace gloss {
namespace {

/// The links of both directions, and those that are chosen of them.
class Links {
 public:
  Links(std::span<const int> source_of, std::span<const int> target_of)
      : source_of_(source_of),
        target_of_(target_of),
        chosen_(source_of.size() * target_of.size()),
        source_linked_(target_of.size()),
        target_linked_(source_of.size()) {}

  bool forward(WordLink link) const { return source_of_[index(link.target)] == link.source; }
  bool reverse(WordLink link) const { return target_of_[index(link.source)] == link.target; }
  bool chosen(WordLink link) const { return chosen_[place(link)]; }
  bool source_linked(WordLink link) const { return source_linked_[index(link.source)]; }
  bool target_linked(WordLink link) const { return target_linked_[index(link.target)]; }
  void choose(WordLink link) {
    chosen_[place(link)] = source_linked_[index(link.source)] = target_linked_[index(link.target)] = true;
  }
  bool within(WordLink link) const {
    return link.source >= 0 && link.source < sources() && link.target >= 0 && link.target < targets();
  }
  template <class Use>
  void each(Use use) const {
    for (int source = 0; source < sources(); ++source) {
      for (int target = 0; target < targets(); ++target) use(WordLink{source, target});
    }
  }

 private:
  int sources() const { return static_cast<int>(target_of_.size()); }
  int targets() const { return static_cast<int>(source_of_.size()); }
  std::size_t place(WordLink link) const {
    return index(link.source) * source_of_.size() + index(link.target);
  }

  std::span<const int> source_of_, target_of_;
  std::vector<bool> chosen_;  // [sources, targets]
  std::vector<bool> source_linked_, target_linked_;
};

/// Adds links of either direction next to chosen ones, if one of their words has no link yet.
void grow(Links& links) {
  constexpr auto kNeighbours =
      std::to_array<WordLink>({{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}});
  bool grows = true;
  while (grows) {
    grows = false;
    links.each([&](WordLink link) {
      if (!links.chosen(link)) return;
      for (const WordLink& step : kNeighbours) {
        const WordLink next{link.source + step.source, link.target + step.target};
        if (!links.within(next) || links.chosen(next)) continue;
        if (links.source_linked(next) && links.target_linked(next)) continue;
        if (!links.forward(next) && !links.reverse(next)) continue;
        links.choose(next);
        grows = true;
      }
    });
  }
}

/// Adds links of which neither word has one yet.
void finish(Links& links) {
  for (const bool forward : {true, false}) {
    links.each([&](WordLink link) {
      const bool linked = links.source_linked(link) || links.target_linked(link);
      if (!linked && (forward ? links.forward(link) : links.reverse(link))) links.choose(link);
    });
  }
}

}  // namespace

Choice symmetrisation_choice(Symmetrisation& symmetrisation) {
  return choice(symmetrisation,
                {"grow-diag-final-and", "grow-diag", "intersection", "union", "forward", "reverse"});
}

std::vector<WordLink> symmetrise(std::span<const int> source_of, std::span<const int> target_of,
                                 Symmetrisation method) {
  Links links(source_of, target_of);
  links.each([&](WordLink link) {
    const bool forward = links.forward(link), reverse = links.reverse(link);
    const bool wanted = method == Symmetrisation::forward         ? forward
                        : method == Symmetrisation::reverse       ? reverse
                        : method == Symmetrisation::union_of_both ? forward || reverse
                                                                  : forward && reverse;
    if (wanted) links.choose(link);
  });
  if (method == Symmetrisation::grow_diag || method == Symmetrisation::grow_diag_final_and) grow(links);
  if (method == Symmetrisation::grow_diag_final_and) finish(links);
  std::vector<WordLink> chosen;
  links.each([&](WordLink link) {
    if (links.chosen(link)) chosen.push_back(link);
  });
  return chosen;
}

}  // namespace gloss
