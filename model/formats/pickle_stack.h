// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/formats/byte_reader.h"
#include "model/formats/pickle.h"

namespace gloss {

/// The memory of the machine that runs a pickle: a stack of objects with marks, and a memo of those that are
/// used again. Limits the number of objects and references. All errors are InputErrors that name the file and
/// the offset.
class PickleStack {
 public:
  /// `objects` owns what is made.
  PickleStack(const ByteReader& reader, std::deque<PickleObject>& objects)
      : reader_(reader), objects_(objects) {}

  PickleObject* make(PickleObject);
  PickleObject* make_of(PickleObject::Kind, const std::vector<PickleObject*>& items);
  /// Appends items to an object.
  template <class Items>
  void add(PickleObject& object, const Items& items) {
    for (const PickleObject* item : items) {
      take_place();
      object.items.push_back(item);
    }
  }

  void push(PickleObject*);
  /// Nothing below the latest mark may be taken.
  PickleObject* top() const;
  PickleObject* pop();
  void mark();
  /// Takes the latest mark and all objects above it.
  std::vector<PickleObject*> pop_marked();

  /// Replaces as many objects by a tuple of them.
  void push_tuple(std::size_t size);
  /// Appends to the list or dictionary on top.
  void extend(PickleObject::Kind, const std::vector<PickleObject*>& items);
  /// Pushes the result of calling a class or function, which stays a `call`; some are dictionaries.
  void call(const PickleObject* called, const PickleObject* arguments);
  /// Attributes of a namespace are its content; those of other objects, such as the versions of the modules
  /// of an OrderedDict of weights, are ignored.
  void build(PickleObject*, const PickleObject* state);

  /// Pushes an object of the memo.
  void get(std::uint32_t place);
  /// Puts the object on top into the memo; without a place, into the next one.
  void put(std::uint32_t place);
  void put_next() { put(static_cast<std::uint32_t>(memo_.size())); }

  [[noreturn]] void refuse(const std::string& why) const;

 private:
  void take_place();

  const ByteReader& reader_;
  std::deque<PickleObject>& objects_;
  std::vector<PickleObject*> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint32_t, PickleObject*> memo_;
  std::size_t places_ = 0;
};

}  // namespace gloss
