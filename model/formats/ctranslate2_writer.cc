// SPDX-License-Identifier: Apache-2.0

#include "model/formats/ctranslate2_writer.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

constexpr std::uint32_t kVersion = 6;

template <class Number>
void write_number(AtomicFile& file, Number number) {
  file.write(std::as_bytes(std::span(&number, 1)));
}

void write_text(AtomicFile& file, const std::string& text) {
  write_number(file, static_cast<std::uint16_t>(text.size() + 1));
  file.write(std::string_view(text.c_str(), text.size() + 1));
}

std::uint8_t number_of(NumberType type) {
  switch (type) {
    case NumberType::f32:
      return 0;
    case NumberType::i8:
      return 1;
    case NumberType::i16:
      return 2;
    case NumberType::i32:
      return 3;
    default:
      throw BrokenPromise(concat("a variable of type ", name_of(type)));
  }
}

void write_variable(AtomicFile& file, const CTranslate2Variable& variable) {
  const std::span<const std::byte> bytes = variable.bytes();
  if (bytes.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError(concat(variable.name, " has ", bytes.size(),
                            " bytes; a variable of CTranslate2 has less than 4 GiB"));
  }
  write_text(file, variable.name);
  write_number(file, static_cast<std::uint8_t>(variable.shape.size()));
  std::size_t count = 1;
  for (const std::int64_t size : variable.shape) {
    write_number(file, static_cast<std::uint32_t>(size));
    count *= index(size);
  }
  expects(bytes.size() == count * size_of(variable.type), variable.name, " has ", bytes.size(), " bytes for ",
          count, " numbers");
  write_number(file, number_of(variable.type));
  write_number(file, static_cast<std::uint32_t>(bytes.size()));
  file.write(bytes);
}

}  // namespace

void write_ctranslate2(AtomicFile& file, const CTranslate2Contents& contents,
                       std::vector<CTranslate2Variable> variables) {
  std::ranges::sort(variables, {}, &CTranslate2Variable::name);
  write_number(file, kVersion);
  write_text(file, contents.specification);
  write_number(file, contents.revision);
  write_number(file, static_cast<std::uint32_t>(variables.size()));
  for (const CTranslate2Variable& variable : variables) write_variable(file, variable);
  write_number(file, static_cast<std::uint32_t>(contents.aliases.size()));
  for (const auto& [alias, name] : contents.aliases) {
    write_text(file, alias);
    write_text(file, name);
  }
}

}  // namespace gloss
