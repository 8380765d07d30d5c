// SPDX-License-Identifier: Apache-2.0

#include "model/formats/unpickler.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "model/formats/pickle_operation.h"

namespace gloss {
namespace {

using Kind = PickleObject::Kind;

}  // namespace

const PickleObject* Unpickler::run() {
  if (reader_.number<std::uint8_t>("a pickle") != PROTO)
    stack_.refuse("does not begin as a pickle of protocol 2 to 5");
  const int protocol = reader_.number<std::uint8_t>("the protocol");
  if (protocol < 2 || protocol > 5) stack_.refuse(concat("has protocol ", protocol, ", expected 2 to 5"));
  while (true) {
    const auto code = reader_.number<std::uint8_t>("an operation");
    if (code == STOP) return stack_.pop();
    execute(code);
  }
}

void Unpickler::execute(std::uint8_t code) {
  if (push_number(code) || push_characters(code) || arrange(code) || collect(code) || remember(code) ||
      use_class(code)) {
    return;
  }
  stack_.refuse(concat("has the operation ", static_cast<int>(code),
                       ", which files of PyTorch do not need; it may be damaged"));
}

bool Unpickler::push_number(std::uint8_t code) {
  switch (code) {
    case NONE:
      return push({}), true;
    case NEWTRUE:
    case NEWFALSE:
      return push({.kind = Kind::boolean, .integer = code == NEWTRUE}), true;
    case BININT:
      return push_integer(reader_.number<std::int32_t>("a number")), true;
    case BININT1:
      return push_integer(reader_.number<std::uint8_t>("a number")), true;
    case BININT2:
      return push_integer(reader_.number<std::uint16_t>("a number")), true;
    case LONG1:
      return push_long(reader_.number<std::uint8_t>("the size of a number")), true;
    case LONG4:
      return push_long(reader_.number<std::uint32_t>("the size of a number")), true;
    case BINFLOAT:
      return push_real(), true;
    default:
      return false;
  }
}

bool Unpickler::push_characters(std::uint8_t code) {
  switch (code) {
    case BINSTRING:
    case BINUNICODE:
      return push_text(Kind::text, reader_.number<std::uint32_t>("the size of a text")), true;
    case SHORT_BINSTRING:
    case SHORT_BINUNICODE:
      return push_text(Kind::text, reader_.number<std::uint8_t>("the size of a text")), true;
    case BINUNICODE8:
      return push_text(Kind::text, reader_.number<std::uint64_t>("the size of a text")), true;
    case BINBYTES:
      return push_text(Kind::bytes, reader_.number<std::uint32_t>("the size of bytes")), true;
    case SHORT_BINBYTES:
      return push_text(Kind::bytes, reader_.number<std::uint8_t>("the size of bytes")), true;
    case BINBYTES8:
      return push_text(Kind::bytes, reader_.number<std::uint64_t>("the size of bytes")), true;
    default:
      return false;
  }
}

bool Unpickler::arrange(std::uint8_t code) {
  switch (code) {
    case MARK:
      return stack_.mark(), true;
    case POP:
      return stack_.pop(), true;
    case POP_MARK:
      return stack_.pop_marked(), true;
    case DUP:
      return stack_.push(stack_.top()), true;
    case FRAME:
      return reader_.number<std::uint64_t>("the size of a frame"), true;
    default:
      return false;
  }
}

bool Unpickler::collect(std::uint8_t code) {
  switch (code) {
    case EMPTY_LIST:
      return push({.kind = Kind::list}), true;
    case EMPTY_TUPLE:
      return push({.kind = Kind::tuple}), true;
    case EMPTY_DICT:
      return push({.kind = Kind::dict}), true;
    case TUPLE1:
    case TUPLE2:
    case TUPLE3:
      return stack_.push_tuple(static_cast<std::size_t>(code - TUPLE1) + 1), true;
    case LIST:
      return stack_.push(stack_.make_of(Kind::list, stack_.pop_marked())), true;
    case TUPLE:
      return stack_.push(stack_.make_of(Kind::tuple, stack_.pop_marked())), true;
    case DICT: {
      const std::vector<PickleObject*> items = stack_.pop_marked();
      push({.kind = Kind::dict});
      return stack_.extend(Kind::dict, items), true;
    }
    case APPEND:
      return stack_.extend(Kind::list, {stack_.pop()}), true;
    case APPENDS:
      return stack_.extend(Kind::list, stack_.pop_marked()), true;
    case SETITEM: {
      PickleObject* const value = stack_.pop();
      PickleObject* const key = stack_.pop();
      return stack_.extend(Kind::dict, {key, value}), true;
    }
    case SETITEMS:
      return stack_.extend(Kind::dict, stack_.pop_marked()), true;
    default:
      return false;
  }
}

bool Unpickler::remember(std::uint8_t code) {
  switch (code) {
    case BINGET:
      return stack_.get(reader_.number<std::uint8_t>("a place in the memo")), true;
    case LONG_BINGET:
      return stack_.get(reader_.number<std::uint32_t>("a place in the memo")), true;
    case BINPUT:
      return stack_.put(reader_.number<std::uint8_t>("a place in the memo")), true;
    case LONG_BINPUT:
      return stack_.put(reader_.number<std::uint32_t>("a place in the memo")), true;
    case MEMOIZE:
      return stack_.put_next(), true;
    default:
      return false;
  }
}

bool Unpickler::use_class(std::uint8_t code) {
  switch (code) {
    case GLOBAL: {
      const std::string_view module = reader_.text_before('\n', "the name of a module");
      return push_global(module, reader_.text_before('\n', "the name of a class")), true;
    }
    case STACK_GLOBAL: {
      const std::string name = text_of(stack_.pop());
      return push_global(text_of(stack_.pop()), name), true;
    }
    case REDUCE:
    case NEWOBJ: {
      PickleObject* const arguments = stack_.pop();
      return stack_.call(stack_.pop(), arguments), true;
    }
    case BUILD: {
      PickleObject* const state = stack_.pop();
      return stack_.build(stack_.top(), state), true;
    }
    case BINPERSID:
      return stack_.push(stack_.make_of(Kind::persistent, {stack_.pop()})), true;
    default:
      return false;
  }
}

void Unpickler::push_integer(std::int64_t value) { push({.kind = Kind::integer, .integer = value}); }

void Unpickler::push_real() {
  std::uint64_t bits = reader_.number<std::uint64_t>("a number");  // most significant byte first
  std::uint64_t turned = 0;
  for (int i = 0; i < 8; ++i, bits >>= 8) turned = turned << 8 | (bits & 0xff);
  push({.kind = Kind::real, .real = std::bit_cast<double>(turned)});
}

void Unpickler::push_long(std::uint64_t size) {
  const std::string_view bytes = reader_.text(size, "a number");
  if (size > sizeof(std::int64_t)) return push({.kind = Kind::text, .text = std::string(bytes)});
  std::uint64_t value = size > 0 && static_cast<signed char>(bytes.back()) < 0 ? ~std::uint64_t{0} : 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  push_integer(static_cast<std::int64_t>(value));
}

void Unpickler::push_text(Kind kind, std::uint64_t size) {
  push({.kind = kind, .text = std::string(reader_.text(size, "a text"))});
}

void Unpickler::push_global(std::string_view module, std::string_view name) {
  const std::string full = concat(module.substr(0, 200), ".", name.substr(0, 200));
  if (std::ranges::count(globals_, full) == 0) {
    stack_.refuse(concat("wants to use '", full.c_str(),
                         "', which is not needed for weights and therefore not allowed"));
  }
  push({.kind = Kind::global, .text = full});
}

std::string Unpickler::text_of(const PickleObject* object) const {
  if (object->kind != Kind::text)
    stack_.refuse(concat("has ", name_of(object->kind), " as the name of a class"));
  return object->text;
}

}  // namespace gloss
