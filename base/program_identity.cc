// SPDX-License-Identifier: Apache-2.0

#include "base/program_identity.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

#include "base/error.h"
#include "base/rounding.h"

namespace gloss {
namespace {

using Bytes = std::span<const unsigned char>;

std::string hexadecimal_digits(Bytes bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0xf];
  }
  return text;
}

/// The build id among notes, each a header, a name and a description, which begin at multiples of
/// `alignment`; empty: there is none.
std::string build_id(Bytes notes, std::size_t alignment) {
  constexpr std::string_view kOwner{ELF_NOTE_GNU, sizeof ELF_NOTE_GNU};
  ElfW(Nhdr) header;
  while (notes.size() >= sizeof header) {
    std::memcpy(&header, notes.data(), sizeof header);
    const std::size_t description = round_up(sizeof header + header.n_namesz, alignment),
                      end = description + header.n_descsz;
    if (end > notes.size()) break;
    const std::string_view owner(reinterpret_cast<const char*>(notes.data() + sizeof header),
                                 header.n_namesz);
    if (owner == kOwner && header.n_type == NT_GNU_BUILD_ID) {
      return hexadecimal_digits(notes.subspan(description, header.n_descsz));
    }
    notes = notes.subspan(std::min(round_up(end, alignment), notes.size()));
  }
  return "";
}

/// Called for the program itself, which comes before its libraries; ends the search.
int take_build_id(dl_phdr_info* program, std::size_t, void* found) {
  for (const ElfW(Phdr) & segment : std::span(program->dlpi_phdr, program->dlpi_phnum)) {
    if (segment.p_type != PT_NOTE) continue;
    const auto* const notes = reinterpret_cast<const unsigned char*>(program->dlpi_addr + segment.p_vaddr);
    const std::string id = build_id({notes, segment.p_memsz}, segment.p_align == 8 ? 8 : 4);
    if (!id.empty()) *static_cast<std::string*>(found) = id;
  }
  return 1;
}

}  // namespace

const std::string& program_identity() {
  static const std::string identity = [] {
    std::string found;
    ::dl_iterate_phdr(take_build_id, &found);
    expects(!found.empty(), "the program was linked without --build-id");
    return found;
  }();
  return identity;
}

}  // namespace gloss
