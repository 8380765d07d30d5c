// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/xml_tag.h"

#include <algorithm>

#include "base/byte_range.h"
#include "base/text.h"
#include "pipeline/documents/white_space.h"

namespace gloss {
namespace {

/// Where an attribute is in a tag.
struct AttributePlace {
  ByteRange all{};    ///< with the white space before it; empty, before the end of the tag, if there is none
  ByteRange value{};  ///< without quotes
};

AttributePlace find_attribute(std::string_view tag, std::string_view name) {
  std::size_t at = tag.find_first_of(" \t\r\n/>");
  for (;;) {
    const std::size_t begin = tag.find_first_not_of(kDocumentSpace, at);
    if (begin >= tag.size() || tag[begin] == '/' || tag[begin] == '>') return {{at, at}, {}};
    const std::size_t equals = std::min(tag.find('=', begin), tag.size() - 1);
    const std::size_t quote = std::min(tag.find_first_of("\"'", equals), tag.size() - 1);
    const std::size_t end = std::min(tag.find(tag[quote], quote + 1), tag.size() - 1);
    if (without_space_around(tag.substr(begin, equals - begin)) == name)
      return {{at, end + 1}, {quote + 1, end}};
    at = end + 1;
  }
}

}  // namespace

std::string with_attribute(std::string_view tag, std::string_view name, std::string_view value) {
  const AttributePlace place = find_attribute(tag, name);
  if (place.all.size() == 0)
    return concat(tag.substr(0, place.all.begin), " ", name, "=\"", value, "\"", tag.substr(place.all.begin));
  return concat(tag.substr(0, place.value.begin), value, tag.substr(place.value.end));
}

std::string without_attribute(std::string_view tag, std::string_view name) {
  const AttributePlace place = find_attribute(tag, name);
  return concat(tag.substr(0, place.all.begin), tag.substr(place.all.end));
}

}  // namespace gloss
