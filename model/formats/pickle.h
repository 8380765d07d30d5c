// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/formats/byte_reader.h"

namespace gloss {

/// An object of a pickle. Objects may contain one another in circles, so whoever walks through them limits
/// the depth.
struct PickleObject {
  enum class Kind {
    none,
    boolean,
    integer,
    real,
    text,  ///< str; also a whole number of more than 64 bits, as the bytes of the pickle
    bytes,
    list,
    tuple,
    dict,        ///< keys and values alternate
    global,      ///< a class or function by name, such as "torch.FloatStorage"
    call,        ///< the result of calling `name` with `items`; nothing is called
    persistent,  ///< something outside the pickle; the only item describes it
  };
  Kind kind = Kind::none;
  std::int64_t integer = 0;  ///< also of a boolean
  double real = 0;
  std::string text = {};  ///< also the name of a global and a call, and the class of a dict
  std::vector<const PickleObject*> items = {};
};

/// Reads a Python pickle of protocol 2 to 5 without executing anything: calls stay a `call`. The
/// classes and functions that occur must be in a list; any other is refused by its name. Memory is bounded by
/// the size of the pickle and a fixed number of objects.
class Pickle {
 public:
  /// Reads one pickle; the reader continues after it. Throws InputError that names the file and the offset.
  Pickle(ByteReader& reader, std::span<const std::string_view> globals);
  Pickle(const Pickle&) = delete;
  Pickle& operator=(const Pickle&) = delete;

  const PickleObject& root() const { return *root_; }
  /// All objects, in the order in which they were made.
  const std::deque<PickleObject>& objects() const { return objects_; }

 private:
  std::deque<PickleObject> objects_;
  const PickleObject* root_ = nullptr;
};

/// "a list", for messages.
const char* name_of(PickleObject::Kind);

}  // namespace gloss
