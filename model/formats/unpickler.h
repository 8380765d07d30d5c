// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/formats/byte_reader.h"
#include "model/formats/pickle.h"
#include "model/formats/pickle_stack.h"

namespace gloss {

/// The machine that runs the operations of a pickle, without calling anything. `Pickle` describes it.
class Unpickler {
 public:
  /// `objects` owns what the pickle makes.
  Unpickler(ByteReader& reader, std::span<const std::string_view> globals, std::deque<PickleObject>& objects)
      : reader_(reader), globals_(globals), stack_(reader, objects) {}

  /// Runs it; returns the object that remains.
  const PickleObject* run();

 private:
  void execute(std::uint8_t code);

  // Each of these executes the operations of one kind; false: the operation is of another one.

  bool push_number(std::uint8_t code);
  bool push_characters(std::uint8_t code);
  /// Operations on the stack and its marks.
  bool arrange(std::uint8_t code);
  /// Operations on lists, tuples and dictionaries.
  bool collect(std::uint8_t code);
  /// Operations on the memo.
  bool remember(std::uint8_t code);
  bool use_class(std::uint8_t code);

  void push(PickleObject object) { stack_.push(stack_.make(std::move(object))); }
  void push_integer(std::int64_t value);
  void push_long(std::uint64_t size);
  void push_real();
  void push_text(PickleObject::Kind, std::uint64_t size);
  void push_global(std::string_view module, std::string_view name);
  std::string text_of(const PickleObject*) const;

  ByteReader& reader_;
  std::span<const std::string_view> globals_;
  PickleStack stack_;
};

}  // namespace gloss
