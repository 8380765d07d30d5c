// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/xliff_units.h"

#include <set>

#include "base/error.h"
#include "base/shown.h"
#include "base/text.h"
#include "pipeline/documents/text_place.h"
#include "pipeline/documents/white_space.h"

namespace gloss {
namespace {

class UnitFinder {
 public:
  explicit UnitFinder(std::span<const XmlPiece> pieces) : pieces_(pieces) {}

  std::vector<XliffUnit> find() {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (pieces_[i].kind == XmlKind::start) {
        enter(i);
      } else if (pieces_[i].kind == XmlKind::end) {
        leave(i);
      }
    }
    return std::move(units_);
  }

 private:
  struct Open {
    std::size_t start;
    bool translated, in_unit;
  };

  void enter(std::size_t i) {
    const std::string translate = pieces_[i].attribute("translate");
    const bool outer = open_.empty() || open_.back().translated, in_unit = innermost_is_in_unit();
    const bool unit = !in_unit && is_unit(pieces_[i].name);
    open_.push_back({i, translate.empty() ? outer : translate == "yes", in_unit || unit});
    if (in_unit) return;  // text with marks, whatever their names are
    if (pieces_[i].name == "file") file_ = i;
    if (unit) {
      unit_ = {};
      unit_.start = i;
      unit_.file = file_;
      segmented_.reset();
      has_source_ = false;
    }
  }
  void leave(std::size_t i) {
    const Open element = open_.back();
    open_.pop_back();
    if (!element.in_unit) return;
    const std::string& name = pieces_[i].name;
    if (!innermost_is_in_unit()) {
      if (has_source_ && element.translated && wants_translation()) {
        find_segments();
        units_.push_back(unit_);
      }
      has_source_ = false;
    } else if (open_.back().start == unit_.start) {
      const XmlElement found{element.start, i};
      if (name == "source") {
        unit_.source = found;
        unit_.last = i;
        has_source_ = true;
      } else if (name == "seg-source") {
        segmented_ = found;
        unit_.last = i;
      } else if (name == "target") {
        unit_.target = found;
      }
    }
  }
  bool innermost_is_in_unit() const { return !open_.empty() && open_.back().in_unit; }
  /// In XLIFF 2, a "unit" has segments; these have the sources.
  static bool is_unit(const std::string& name) { return name == "trans-unit" || name == "segment"; }
  /// The state of the target; in XLIFF 2, the segment has it.
  std::string state() const {
    const XmlPiece& unit = pieces_[unit_.start];
    if (unit.name == "segment") return unit.attribute("state");
    return unit_.target ? pieces_[unit_.target->start].attribute("state") : "";
  }
  /// True if an element has text, or an element if these count.
  bool has_content(const XmlElement& element, bool elements_count) const {
    for (std::size_t i = element.start + 1; i < element.end; ++i) {
      if (pieces_[i].kind == XmlKind::text ? !without_space_around(pieces_[i].text).empty()
                                           : elements_count && pieces_[i].kind == XmlKind::start)
        return true;
    }
    return false;
  }
  std::vector<XmlElement> segments_of(const XmlElement& source) const {
    std::vector<XmlElement> segments;
    for (std::size_t i = source.start + 1; i < source.end; ++i) {
      if (pieces_[i].name != "mrk" || pieces_[i].attribute("mtype") != "seg") continue;
      const std::size_t end = end_of_element(pieces_, i);
      if (pieces_[i].attribute("translate") != "no") segments.push_back({i, end});
      i = end;
    }
    return segments;
  }
  /// The segments of the unit that is complete.
  void find_segments() {
    if (segmented_) unit_.segments = segments_of(*segmented_);
    if (unit_.segments.empty()) {
      unit_.segments = segments_of(unit_.source);
    } else {
      unit_.source = *segmented_;
    }
  }
  bool wants_translation() const {
    static const std::set<std::string> kUntranslated{"new", "needs-translation", "initial"},
        kApproved{"final", "signed-off", "reviewed"};
    if (kApproved.contains(state()) || pieces_[unit_.start].attribute("approved") == "yes") return false;
    if (!has_content(unit_.source, true)) return false;
    if (!unit_.target || kUntranslated.contains(state())) return true;
    return !has_content(*unit_.target, false);
  }

  std::span<const XmlPiece> pieces_;
  std::vector<Open> open_;
  std::vector<XliffUnit> units_;
  XliffUnit unit_;
  std::optional<std::size_t> file_;      // the last start tag of one
  std::optional<XmlElement> segmented_;  // the source of the unit in segments
  bool has_source_ = false;
};

}  // namespace

std::vector<XliffUnit> xliff_units(std::string_view document, std::span<const XmlPiece> pieces,
                                   const std::string& name) {
  const std::string place = text_place(name, document, pieces.empty() ? 0 : pieces.front().bytes.begin);
  const std::string version = pieces.empty() ? "" : pieces.front().attribute("version");
  if (pieces.empty() || pieces.front().name != "xliff") {
    throw InputError(concat(place, ": found the element <", pieces.empty() ? "" : pieces.front().name,
                            ">, expected <xliff>"));
  }
  if (!version.starts_with("1.") && !version.starts_with("2.")) {
    throw InputError(concat(place, ": found XLIFF of version ", shown(version), ", expected 1.x or 2.x"));
  }
  return UnitFinder(pieces).find();
}

}  // namespace gloss
