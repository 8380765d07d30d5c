// SPDX-License-Identifier: Apache-2.0
// Every folder includes only what lies below it, so that it can be read without the rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/index.h"
#include "base/text.h"
#include "tests/support/paths.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

/// A folder and the folders that it may include besides itself.
struct Room {
  std::string folder;
  std::vector<std::string> below;
};

/// From the bottom to the top; "model" is the files directly in it.
std::vector<Room> rooms() {
  std::vector<Room> all{{"base", {}}, {"tokenizer", {"base"}}};
  const auto add = [&all](const std::string& folder, const std::vector<std::string>& direct) {
    Room room{folder, direct};
    for (const std::string& name : direct) {
      const auto found = std::ranges::find(all, name, &Room::folder);
      if (found == all.end()) throw std::logic_error("no room below " + folder + " is named " + name);
      room.below.insert(room.below.end(), found->below.begin(), found->below.end());
    }
    all.push_back(room);
  };
  add("tokenizer/sentences", {"tokenizer"});
  add("model/kernels", {"base"});
  add("model/tensor", {"model/kernels"});
  add("model/formats", {"model/tensor"});
  add("model/layers", {"model/tensor"});
  add("model/networks/parts", {"model/layers"});
  add("model/networks", {"model/networks/parts"});
  add("model/networks/sources", {"model/networks"});
  add("model/networks/mixers", {"model/networks"});
  add("model/networks/transformer", {"model/networks/sources", "model/networks/mixers"});
  add("model/networks/recurrent", {"model/networks/sources"});
  add("model/networks/convolutional", {"model/networks"});
  add("model/networks/memory", {"model/networks"});
  add("model", {"model/networks/transformer", "model/networks/recurrent", "model/networks/convolutional",
                "model/networks/memory", "model/formats"});
  add("pipeline/metrics", {"base", "tokenizer"});
  add("pipeline/identification", {"tokenizer", "model/formats"});
  add("pipeline/reading", {"tokenizer", "model"});
  add("pipeline/runs", {"pipeline/reading"});
  add("pipeline/examples", {"pipeline/reading"});
  add("pipeline/alignment", {"pipeline/examples"});
  add("pipeline/sentence_alignment", {"pipeline/alignment"});
  add("pipeline/search", {"pipeline/examples"});
  add("pipeline/documents", {"pipeline/examples", "tokenizer/sentences"});
  add("pipeline/records", {"pipeline/documents"});
  add("pipeline/cleaning", {"pipeline/records", "pipeline/identification"});
  add("pipeline/preparation", {"pipeline/records"});
  add("pipeline/media", {"pipeline/examples"});
  add("pipeline/pages", {"pipeline/metrics", "pipeline/examples"});
  add("pipeline/foreign/shared", {"pipeline/examples"});
  add("pipeline/foreign/hugging_face", {"pipeline/foreign/shared"});
  add("pipeline/foreign/marian", {"pipeline/foreign/shared", "pipeline/search"});
  add("pipeline/foreign/ctranslate2", {"pipeline/foreign/shared"});
  add("pipeline/foreign/fairseq", {"pipeline/foreign/hugging_face"});
  add("pipeline/foreign",
      {"pipeline/foreign/fairseq", "pipeline/foreign/marian", "pipeline/foreign/ctranslate2"});
  add("pipeline/text_models", {"pipeline/foreign", "pipeline/search"});
  add("pipeline/translation", {"pipeline/text_models", "pipeline/runs", "pipeline/alignment",
                               "pipeline/media", "pipeline/documents", "tokenizer/sentences"});
  add("pipeline/tasks", {"pipeline/translation"});
  add("pipeline/reranking", {"pipeline/metrics", "pipeline/tasks"});
  add("pipeline/training", {"pipeline/metrics", "pipeline/tasks", "pipeline/preparation"});
  add("cli/process", {"pipeline/pages", "pipeline/training", "pipeline/reranking", "pipeline/cleaning",
                      "pipeline/sentence_alignment"});
  add("cli/table", {"cli/process"});
  add("cli/help", {"cli/table"});
  add("cli/options", {"cli/help"});
  add("cli/lines", {"cli/options"});
  add("cli/commands", {"cli/lines"});
  add("cli", {"cli/commands"});
  return all;
}

/// The sources directly in a folder.
std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> sources;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string kind = entry.path().extension().string();
    if (kind == ".h" || kind == ".cc") sources.push_back(entry.path());
  }
  return sources;
}

TEST(Structure, FoldersIncludeOnlyWhatLiesBelowThem) {
  const std::regex include("#include \"([a-z0-9_/]+)/[a-z0-9_]+\\.h\"");
  int includes = 0;
  for (const Room& room : rooms()) {
    for (const fs::path& source : sources_in(fs::path(kSourceFolder) / room.folder)) {
      const std::string text = read_file(source.string());
      for (std::sregex_iterator at(text.begin(), text.end(), include), end; at != end; ++at) {
        const std::string included = (*at)[1];
        const bool below = included == room.folder || std::ranges::count(room.below, included) > 0;
        EXPECT_TRUE(below) << source << " includes " << at->str();
        ++includes;
      }
    }
  }
  EXPECT_GT(includes, 500);
}

TEST(Structure, OnlyTheListedFoldersHaveSources) {
  const std::vector<Room> known = rooms();
  for (const char* top : {"base", "tokenizer", "model", "pipeline", "cli"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(fs::path(kSourceFolder) / top)) {
      if (entry.path().extension() != ".cc") continue;
      const std::string folder = fs::relative(entry.path().parent_path(), kSourceFolder).string();
      EXPECT_EQ(std::ranges::count(known, folder, &Room::folder), 1) << entry.path();
    }
  }
}

/// The types that a file defines outside of unnamed namespaces.
std::vector<std::string> types_of(const fs::path& file) {
  static const std::regex type("(?:struct|class|enum class) ([A-Z][A-Za-z0-9]*)(?: final)?(?: :.*| \\{.*)");
  std::vector<std::string> types;
  bool unnamed = false;
  for (const std::string& line : split(read_file(file.string()), '\n')) {
    if (line == "namespace {") unnamed = true;
    if (line == "}  // namespace") unnamed = false;
    std::smatch match;
    if (!unnamed && std::regex_match(line, match, type)) types.push_back(match[1]);
  }
  return types;
}

// Two types of one name in one program: the linker takes the functions of either for both, without a word.
TEST(Structure, EveryTypeHasItsOwnName) {
  std::map<std::string, fs::path> homes;
  for (const char* top : {"base", "tokenizer", "model", "pipeline", "cli", "tests"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(fs::path(kSourceFolder) / top)) {
      const std::string kind = entry.path().extension().string();
      if (kind != ".h" && kind != ".cc") continue;
      for (const std::string& type : types_of(entry.path())) {
        const auto [home, added] = homes.emplace(type, entry.path());
        EXPECT_TRUE(added) << type << " is defined in " << home->second << " and in " << entry.path();
      }
    }
  }
  EXPECT_GT(homes.size(), 500U);
}

/// The arguments of a call whose opening bracket is at `begin`.
std::string arguments_at(const std::string& text, std::size_t begin) {
  int open = 0;
  for (std::size_t at = begin; at < text.size(); ++at) {
    open += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (open == 0) return text.substr(begin + 1, at - begin - 1);
  }
  return "";
}

// The functions of the standard library that ask the file system throw exceptions with raw texts, unless they
// get an error_code: base/paths.h and base/files.h have some that do not.
TEST(Structure, NoCallOfTheFileSystemThrows) {
  const std::regex call(
      "(?:fs|filesystem)::(?:exists|is_[a-z_]+|canonical|weakly_canonical|absolute|relative|equivalent|copy|"
      "copy_file|file_size|status|symlink_status|read_symlink|remove|remove_all|rename|resize_file|space|"
      "create_[a-z]+|permissions|last_write_time|current_path|temp_directory_path|hard_link_count|"
      "directory_iterator|recursive_directory_iterator)(?: [a-z]+)?\\(");
  // The names of error codes, or a status that was asked for before.
  const std::regex harmless("(?:^|, )(?:error|missing|unknown|ignored|unreadable|status)$");
  int calls = 0;
  for (const Room& room : rooms()) {
    for (const fs::path& source : sources_in(fs::path(kSourceFolder) / room.folder)) {
      const std::string text = read_file(source.string());
      for (std::sregex_iterator at(text.begin(), text.end(), call), end; at != end; ++at) {
        const std::string arguments = arguments_at(text, index(at->position() + at->length() - 1));
        const bool outer = arguments.starts_with("fs::symlink_status(");  // a call of its own
        EXPECT_TRUE(outer || std::regex_search(arguments, harmless))
            << source << " calls " << at->str() << arguments << ")";
        ++calls;
      }
    }
  }
  EXPECT_GT(calls, 20);
}

}  // namespace
}  // namespace gloss
