#include "cli/line_filter.h"

#include <exception>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/lines.h"
#include "base/threads.h"

namespace gloss {
namespace {

// Large enough that threads seldom wait for each other.
constexpr std::size_t kBlockBytes = 1 << 16;
constexpr std::size_t kBlockLines = 1024;
constexpr int kWaitingBlocks = 8;

struct Block {
  std::vector<std::string> lines;
  std::int64_t first_number = 0;
};

/// The output of a block, up to the line that failed.
struct Answer {
  std::string text;
  std::exception_ptr failure;
};

/// Waits for one line, then takes what more is at hand.
bool read_block(LineReader& reader, Block& block) {
  std::string line;
  if (!reader.next(line)) return false;
  block.first_number = reader.line_number();
  std::size_t bytes = 0;
  do {
    bytes += line.size();
    block.lines.push_back(std::move(line));
  } while (bytes < kBlockBytes && block.lines.size() < kBlockLines && reader.available() &&
           reader.next(line));
  return true;
}

Answer answer_block(const Block& block, const LineFunction& work, const std::string& input) {
  Answer answer;
  std::int64_t number = block.first_number;
  for (const std::string& line : block.lines) {
    try {
      answer.text += work(line, number);
      answer.text += '\n';
    } catch (const InputError& error) {
      answer.failure =
          std::make_exception_ptr(InputError(concat(input, " line ", number, ": ", error.what())));
      return answer;
    }
    ++number;
  }
  return answer;
}

}  // namespace

Fields line_filter_fields(LineFilterSettings& settings) {
  settings.threads = available_processors();
  return {
      {"input", &settings.input, "text file, .gz and .zst too; - is standard input", {}, 'i'},
      {"output", &settings.output, "file to write; - is standard output", {}, 'o'},
      {"threads", &settings.threads, "lines are worked on by so many threads", {1, 1024}, 'j'},
  };
}

void filter_lines(const LineFilterSettings& settings, const LineFunction& work) {
  LineReader reader(settings.input);
  Output output(settings.output);
  ordered_parallel<Block, Answer>(
      settings.threads, kWaitingBlocks, [&](Block& block) { return read_block(reader, block); },
      [&](Block& block, int) { return answer_block(block, work, reader.name()); },
      [&](Answer& answer) {
        output.write(answer.text);
        output.flush();
        if (answer.failure) std::rethrow_exception(answer.failure);
      });
  output.close();
}

}  // namespace gloss
