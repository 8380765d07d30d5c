// SPDX-License-Identifier: Apache-2.0

#include "model/formats/pickle_stack.h"

#include <string_view>
#include <utility>

#include "base/error.h"

namespace gloss {
namespace {

using Kind = PickleObject::Kind;

constexpr std::size_t kMostPlaces = 2'000'000;  // objects and references to them
constexpr std::string_view kOrderedDict = "collections.OrderedDict";
constexpr std::string_view kNamespace = "argparse.Namespace";

}  // namespace

void PickleStack::take_place() {
  if (++places_ > kMostPlaces) refuse(concat("has more than ", kMostPlaces, " objects"));
}

PickleObject* PickleStack::make(PickleObject object) {
  take_place();
  return &objects_.emplace_back(std::move(object));
}

PickleObject* PickleStack::make_of(Kind kind, const std::vector<PickleObject*>& items) {
  PickleObject* const object = make({.kind = kind});
  add(*object, items);
  return object;
}

void PickleStack::push(PickleObject* object) {
  take_place();
  stack_.push_back(object);
}

PickleObject* PickleStack::top() const {
  if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) refuse("takes an object from an empty stack");
  return stack_.back();
}

PickleObject* PickleStack::pop() {
  PickleObject* const object = top();
  stack_.pop_back();
  return object;
}

void PickleStack::mark() {
  take_place();
  marks_.push_back(stack_.size());
}

std::vector<PickleObject*> PickleStack::pop_marked() {
  if (marks_.empty()) refuse("takes objects up to a mark that is missing");
  const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
  std::vector<PickleObject*> objects(first, stack_.end());
  stack_.erase(first, stack_.end());
  marks_.pop_back();
  return objects;
}

void PickleStack::push_tuple(std::size_t size) {
  std::vector<PickleObject*> items(size);
  for (std::size_t i = size; i-- > 0;) items[i] = pop();
  push(make_of(Kind::tuple, items));
}

void PickleStack::extend(Kind kind, const std::vector<PickleObject*>& items) {
  PickleObject* const object = top();
  if (object->kind != kind) refuse(concat("adds items to ", name_of(object->kind)));
  if (kind == Kind::dict && items.size() % 2 != 0) refuse("sets a key without a value");
  add(*object, items);
}

void PickleStack::call(const PickleObject* called, const PickleObject* arguments) {
  if (called->kind != Kind::global || arguments->kind != Kind::tuple) {
    refuse(concat("calls ", name_of(called->kind), " with ", name_of(arguments->kind)));
  }
  const bool dict = called->text == kOrderedDict || called->text == kNamespace;
  if (dict && arguments->items.empty()) return push(make({.kind = Kind::dict, .text = called->text}));
  PickleObject* const result = make({.kind = Kind::call, .text = called->text});
  add(*result, arguments->items);
  push(result);
}

void PickleStack::build(PickleObject* object, const PickleObject* state) {
  if (object->kind == Kind::dict && object->text == kNamespace && state->kind == Kind::dict &&
      object != state) {
    add(*object, state->items);
  }
}

void PickleStack::get(std::uint32_t place) {
  const auto found = memo_.find(place);
  if (found == memo_.end()) refuse(concat("uses the place ", place, " of the memo, which is empty"));
  push(found->second);
}

void PickleStack::put(std::uint32_t place) {
  take_place();
  memo_[place] = top();
}

void PickleStack::refuse(const std::string& why) const {
  throw InputError(concat(reader_.where(), ": the pickle before offset ", reader_.offset(), " ", why));
}

}  // namespace gloss
