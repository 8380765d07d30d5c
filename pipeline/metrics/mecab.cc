// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/mecab.h"

#include <dlfcn.h>

#include <array>

#include "base/error.h"
#include "base/paths.h"
#include "tokenizer/white_space.h"

namespace gloss {
namespace {

// MeCab's C interface, declared here so that gloss can be built without MeCab.
struct Tagger;
struct DictionaryInfo {
  const char* filename;
  const char* charset;
  unsigned int size;
  int type;
  unsigned int left_size, right_size;
  unsigned short version;
  DictionaryInfo* next;
};

struct Library {
  Tagger* (*create)(const char* arguments);
  void (*destroy)(Tagger*);
  const char* (*parse)(Tagger*, const char* text, std::size_t size);
  const char* (*version)();
  const char* (*message)(Tagger*);
  const DictionaryInfo* (*dictionary)(Tagger*);
};

constexpr const char* kInstall = "; install it with 'apt-get install libmecab2 mecab-ipadic-utf8'";

Library load_library() {
  void* handle = dlopen("libmecab.so.2", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    throw Error(
        concat("the tokenizer ja-mecab needs the library libmecab.so.2, which is not installed", kInstall));
  }
  Library library{};
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, name));
    if (function == nullptr) throw Error(concat("libmecab.so.2 lacks the function ", name, kInstall));
  };
  find(library.create, "mecab_new2");
  find(library.destroy, "mecab_destroy");
  find(library.parse, "mecab_sparse_tostr2");
  find(library.version, "mecab_version");
  find(library.message, "mecab_strerror");
  find(library.dictionary, "mecab_dictionary_info");
  return library;
}

/// The folder where Debian installs the IPA dictionary in UTF-8; empty if it is missing.
std::string dictionary_folder() {
  for (const char* folder :
       {"/var/lib/mecab/dic/ipadic-utf8", "/usr/lib/x86_64-linux-gnu/mecab/dic/ipadic-utf8",
        "/usr/share/mecab/dic/ipadic-utf8", "/usr/share/mecab/dic/ipadic"}) {
    if (path_exists(std::string(folder) + "/sys.dic")) return folder;
  }
  return "";
}

class MecabTokenizer : public WordTokenizer {
 public:
  MecabTokenizer() : library_(load_library()) {
    const std::string folder = dictionary_folder();
    if (folder.empty()) {
      throw Error(
          concat("the tokenizer ja-mecab needs the IPA dictionary, which is not installed", kInstall));
    }
    // Ignores the settings files of system and user, so that they cannot change the words.
    tagger_ = library_.create(("-r /dev/null -d " + folder + " -Owakati").c_str());
    if (tagger_ == nullptr) throw Error(concat("MeCab cannot start: ", library_.message(nullptr)));
    const DictionaryInfo* dictionary = library_.dictionary(tagger_);
    constexpr unsigned kIpaWords = 392126;  // Debian's version has one more
    if (dictionary == nullptr || (dictionary->size != kIpaWords && dictionary->size != kIpaWords + 1) ||
        dictionary->next != nullptr) {
      const unsigned found = dictionary == nullptr ? 0 : dictionary->size;
      library_.destroy(tagger_);
      throw Error(concat("the dictionary in ", folder, " has ", found,
                         " words; expected the IPA dictionary of ", kIpaWords, kInstall));
    }
  }
  ~MecabTokenizer() override { library_.destroy(tagger_); }

  std::string signature() const override { return concat("ja-mecab-", library_.version(), "-IPA"); }

  void tokenize(std::string_view line, std::string& out, std::vector<std::string_view>& words) override {
    const std::string_view text = trim(line);
    const char* divided = library_.parse(tagger_, text.data(), text.size());
    if (divided == nullptr) throw Error(concat("MeCab cannot tokenise a line: ", library_.message(tagger_)));
    out = divided;
    split_words(out, words);
  }

 private:
  Library library_;
  Tagger* tagger_ = nullptr;
};

}  // namespace

std::unique_ptr<WordTokenizer> make_mecab_tokenizer() { return std::make_unique<MecabTokenizer>(); }

}  // namespace gloss
