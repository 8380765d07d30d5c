// SPDX-License-Identifier: Apache-2.0

#include "model/formats/pickle.h"

#include "model/formats/unpickler.h"

namespace gloss {

Pickle::Pickle(ByteReader& reader, std::span<const std::string_view> globals) {
  root_ = Unpickler(reader, globals, objects_).run();
}

const char* name_of(PickleObject::Kind kind) {
  constexpr const char* kNames[] = {"None",
                                    "a boolean",
                                    "a number",
                                    "a number",
                                    "a text",
                                    "bytes",
                                    "a list",
                                    "a tuple",
                                    "a dictionary",
                                    "a class",
                                    "the result of a call",
                                    "an external object"};
  return kNames[static_cast<int>(kind)];
}

}  // namespace gloss
