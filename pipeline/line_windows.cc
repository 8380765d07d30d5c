#include "pipeline/line_windows.h"

#include <chrono>
#include <utility>

#include "base/text.h"

namespace gloss {
namespace {

constexpr std::size_t kWindowLines = 8192;
constexpr std::size_t kWindowBytes = 1 << 20;

}  // namespace

std::vector<std::string> next_window(LineReader& reader) {
  std::vector<std::string> window;
  std::string line;
  if (!reader.next(line)) return window;
  // What comes within a blink of the first line belongs to it, as where a fast program writes into a pipe.
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
  std::size_t bytes = 0;
  do {
    bytes += line.size();
    window.push_back(std::move(line));
  } while (window.size() < kWindowLines && bytes < kWindowBytes && reader.available(until) &&
           reader.next(line));
  return window;
}

void Happening::add(std::int64_t line, std::int64_t times_on_line) {
  if (times_on_line == 0) return;
  if (lines++ == 0) first_line = line;
  times += times_on_line;
}

std::string Happening::where() const {
  return concat("on ", lines, lines == 1 ? " line (" : " lines (the first is ", "line ", first_line, ")");
}

}  // namespace gloss
