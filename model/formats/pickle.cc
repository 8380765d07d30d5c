// SPDX-License-Identifier: Apache-2.0

#include "model/formats/pickle.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "base/error.h"

namespace gloss {
namespace {

using Kind = PickleObject::Kind;

constexpr std::size_t kMostPlaces = 2'000'000;  // objects and references to them
constexpr std::string_view kOrderedDict = "collections.OrderedDict";
constexpr std::string_view kNamespace = "argparse.Namespace";

/// The codes of the operations of Python's pickletools.
enum Operation : unsigned char {
  MARK = '(',
  STOP = '.',
  POP = '0',
  POP_MARK = '1',
  DUP = '2',
  BINFLOAT = 'G',
  BININT = 'J',
  BININT1 = 'K',
  BININT2 = 'M',
  NONE = 'N',
  BINPERSID = 'Q',
  REDUCE = 'R',
  BINSTRING = 'T',
  SHORT_BINSTRING = 'U',
  BINUNICODE = 'X',
  APPEND = 'a',
  BUILD = 'b',
  GLOBAL = 'c',
  DICT = 'd',
  EMPTY_DICT = '}',
  APPENDS = 'e',
  BINGET = 'h',
  LONG_BINGET = 'j',
  LIST = 'l',
  EMPTY_LIST = ']',
  BINPUT = 'q',
  LONG_BINPUT = 'r',
  SETITEM = 's',
  TUPLE = 't',
  EMPTY_TUPLE = ')',
  SETITEMS = 'u',
  BINBYTES = 'B',
  SHORT_BINBYTES = 'C',
  PROTO = 0x80,
  NEWOBJ = 0x81,
  TUPLE1 = 0x85,
  TUPLE2 = 0x86,
  TUPLE3 = 0x87,
  NEWTRUE = 0x88,
  NEWFALSE = 0x89,
  LONG1 = 0x8a,
  LONG4 = 0x8b,
  SHORT_BINUNICODE = 0x8c,
  BINUNICODE8 = 0x8d,
  BINBYTES8 = 0x8e,
  STACK_GLOBAL = 0x93,
  MEMOIZE = 0x94,
  FRAME = 0x95,
};

}  // namespace

/// The machine that runs a pickle: a stack of objects, and a memo of those that are used again.
class Unpickler {
 public:
  Unpickler(ByteReader& reader, std::span<const std::string_view> globals, std::deque<PickleObject>& objects)
      : reader_(reader), globals_(globals), objects_(objects) {}

  const PickleObject* run() {
    if (reader_.number<std::uint8_t>("a pickle") != PROTO)
      refuse("does not begin as a pickle of protocol 2 to 5");
    const int protocol = reader_.number<std::uint8_t>("the protocol");
    if (protocol < 2 || protocol > 5) refuse(concat("has protocol ", protocol, ", expected 2 to 5"));
    while (true) {
      const auto code = reader_.number<std::uint8_t>("an operation");
      if (code == STOP) return pop();
      execute(code);
    }
  }

 private:
  void execute(std::uint8_t code) {
    if (push_number(code) || push_characters(code) || arrange(code) || collect(code) || remember(code) ||
        use_class(code)) {
      return;
    }
    refuse(concat("has the operation ", static_cast<int>(code),
                  ", which files of PyTorch do not need; it may be damaged"));
  }

  // Each of these executes the operations of one kind; false: the operation is of another one.

  bool push_number(std::uint8_t code) {
    switch (code) {
      case NONE:
        return push(make({})), true;
      case NEWTRUE:
      case NEWFALSE:
        return push(make({.kind = Kind::boolean, .integer = code == NEWTRUE})), true;
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
      case BINFLOAT: {
        std::uint64_t bits = reader_.number<std::uint64_t>("a number");  // most significant byte first
        std::uint64_t turned = 0;
        for (int i = 0; i < 8; ++i, bits >>= 8) turned = turned << 8 | (bits & 0xff);
        return push(make({.kind = Kind::real, .real = std::bit_cast<double>(turned)})), true;
      }
      default:
        return false;
    }
  }

  bool push_characters(std::uint8_t code) {
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

  /// Operations on the stack and its marks.
  bool arrange(std::uint8_t code) {
    switch (code) {
      case MARK:
        take_place();
        return marks_.push_back(stack_.size()), true;
      case POP:
        return pop(), true;
      case POP_MARK:
        return pop_marked(), true;
      case DUP:
        return push(top()), true;
      case FRAME:
        return reader_.number<std::uint64_t>("the size of a frame"), true;
      default:
        return false;
    }
  }

  /// Operations on lists, tuples and dictionaries.
  bool collect(std::uint8_t code) {
    switch (code) {
      case EMPTY_LIST:
        return push(make({.kind = Kind::list})), true;
      case EMPTY_TUPLE:
        return push(make({.kind = Kind::tuple})), true;
      case EMPTY_DICT:
        return push(make({.kind = Kind::dict})), true;
      case TUPLE1:
      case TUPLE2:
      case TUPLE3:
        return push_tuple(static_cast<std::size_t>(code - TUPLE1) + 1), true;
      case LIST:
        return push(make_of(Kind::list, pop_marked())), true;
      case TUPLE:
        return push(make_of(Kind::tuple, pop_marked())), true;
      case DICT: {
        const std::vector<PickleObject*> items = pop_marked();
        push(make({.kind = Kind::dict}));
        return extend(Kind::dict, items), true;
      }
      case APPEND:
        return extend(Kind::list, {pop()}), true;
      case APPENDS:
        return extend(Kind::list, pop_marked()), true;
      case SETITEM: {
        PickleObject* const value = pop();
        PickleObject* const key = pop();
        return extend(Kind::dict, {key, value}), true;
      }
      case SETITEMS:
        return extend(Kind::dict, pop_marked()), true;
      default:
        return false;
    }
  }

  /// Operations on the memo.
  bool remember(std::uint8_t code) {
    switch (code) {
      case BINGET:
        return get(reader_.number<std::uint8_t>("a place in the memo")), true;
      case LONG_BINGET:
        return get(reader_.number<std::uint32_t>("a place in the memo")), true;
      case BINPUT:
        return put(reader_.number<std::uint8_t>("a place in the memo")), true;
      case LONG_BINPUT:
        return put(reader_.number<std::uint32_t>("a place in the memo")), true;
      case MEMOIZE:
        return put(static_cast<std::uint32_t>(memo_.size())), true;
      default:
        return false;
    }
  }

  bool use_class(std::uint8_t code) {
    switch (code) {
      case GLOBAL: {
        const std::string_view module = reader_.text_before('\n', "the name of a module");
        return push_global(module, reader_.text_before('\n', "the name of a class")), true;
      }
      case STACK_GLOBAL: {
        const std::string name = text_of(pop());
        return push_global(text_of(pop()), name), true;
      }
      case REDUCE:
      case NEWOBJ: {
        PickleObject* const arguments = pop();
        return call(pop(), arguments), true;
      }
      case BUILD: {
        PickleObject* const state = pop();
        return build(top(), state), true;
      }
      case BINPERSID:
        return push(make_of(Kind::persistent, {pop()})), true;
      default:
        return false;
    }
  }

  void take_place() {
    if (++places_ > kMostPlaces) refuse(concat("has more than ", kMostPlaces, " objects"));
  }
  PickleObject* make(PickleObject object) {
    take_place();
    return &objects_.emplace_back(std::move(object));
  }
  PickleObject* make_of(Kind kind, const std::vector<PickleObject*>& items) {
    PickleObject* const object = make({.kind = kind});
    add(*object, items);
    return object;
  }
  void add(PickleObject& object, const std::vector<PickleObject*>& items) {
    for (PickleObject* const item : items) {
      take_place();
      object.items.push_back(item);
    }
  }
  void push(PickleObject* object) {
    take_place();
    stack_.push_back(object);
  }
  /// Nothing below the latest mark may be taken.
  PickleObject* top() const {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) refuse("takes an object from an empty stack");
    return stack_.back();
  }
  PickleObject* pop() {
    PickleObject* const object = top();
    stack_.pop_back();
    return object;
  }
  std::vector<PickleObject*> pop_marked() {
    if (marks_.empty()) refuse("takes objects up to a mark that is missing");
    const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<PickleObject*> objects(first, stack_.end());
    stack_.erase(first, stack_.end());
    marks_.pop_back();
    return objects;
  }

  void push_integer(std::int64_t value) { push(make({.kind = Kind::integer, .integer = value})); }
  void push_long(std::uint64_t size) {
    const std::string_view bytes = reader_.text(size, "a number");
    if (size > sizeof(std::int64_t)) return push(make({.kind = Kind::text, .text = std::string(bytes)}));
    std::uint64_t value = size > 0 && static_cast<signed char>(bytes.back()) < 0 ? ~std::uint64_t{0} : 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    push_integer(static_cast<std::int64_t>(value));
  }
  void push_text(Kind kind, std::uint64_t size) {
    push(make({.kind = kind, .text = std::string(reader_.text(size, "a text"))}));
  }
  void push_tuple(std::size_t size) {
    std::vector<PickleObject*> items(size);
    for (std::size_t i = size; i-- > 0;) items[i] = pop();
    push(make_of(Kind::tuple, items));
  }
  void push_global(std::string_view module, std::string_view name) {
    const std::string full = concat(module.substr(0, 200), ".", name.substr(0, 200));
    if (std::ranges::count(globals_, full) == 0) {
      refuse(concat("wants to use '", full.c_str(),
                    "', which is not needed for weights and therefore not allowed"));
    }
    push(make({.kind = Kind::global, .text = full}));
  }
  std::string text_of(const PickleObject* object) const {
    if (object->kind != Kind::text) refuse(concat("has ", name_of(object->kind), " as the name of a class"));
    return object->text;
  }

  /// Appends to the list or dictionary on top of the stack.
  void extend(Kind kind, const std::vector<PickleObject*>& items) {
    PickleObject* const object = top();
    if (object->kind != kind) refuse(concat("adds items to ", name_of(object->kind)));
    if (kind == Kind::dict && items.size() % 2 != 0) refuse("sets a key without a value");
    add(*object, items);
  }
  void call(PickleObject* called, PickleObject* arguments) {
    if (called->kind != Kind::global || arguments->kind != Kind::tuple) {
      refuse(concat("calls ", name_of(called->kind), " with ", name_of(arguments->kind)));
    }
    const bool dict = called->text == kOrderedDict || called->text == kNamespace;
    if (dict && arguments->items.empty()) return push(make({.kind = Kind::dict, .text = called->text}));
    PickleObject* const result = make({.kind = Kind::call, .text = called->text});
    for (const PickleObject* item : arguments->items) {
      take_place();
      result->items.push_back(item);
    }
    push(result);
  }
  /// Attributes of a namespace are its content; those of other objects, such as the versions of the modules
  /// of an OrderedDict of weights, are ignored.
  void build(PickleObject* object, PickleObject* state) {
    if (object->kind == Kind::dict && object->text == kNamespace && state->kind == Kind::dict &&
        object != state) {
      for (const PickleObject* item : state->items) {
        take_place();
        object->items.push_back(item);
      }
    }
  }
  void get(std::uint32_t place) {
    const auto found = memo_.find(place);
    if (found == memo_.end()) refuse(concat("uses the place ", place, " of the memo, which is empty"));
    push(found->second);
  }
  void put(std::uint32_t place) {
    take_place();
    memo_[place] = top();
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(concat(reader_.where(), ": the pickle before offset ", reader_.offset(), " ", why));
  }

  ByteReader& reader_;
  std::span<const std::string_view> globals_;
  std::deque<PickleObject>& objects_;
  std::vector<PickleObject*> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint32_t, PickleObject*> memo_;
  std::size_t places_ = 0;
};

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
