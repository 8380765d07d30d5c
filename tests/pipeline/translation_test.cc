#include "pipeline/translation.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "pipeline/translation_stream.h"
#include "tests/pipeline/table_decoder.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"

namespace gloss {
namespace {

const Subwords& tokenizer() {
  static const Subwords subwords = small_vocabulary(330, true);
  return subwords;
}

/// Translates every row into itself.
class CopyingDecoder : public TableDecoder {
 public:
  explicit CopyingDecoder(int further_tokens = 0) : TableDecoder(tokenizer().size() + further_tokens) {}
  std::vector<float> scores(const Row& source, const Row& prefix) const override {
    std::vector<float> row(static_cast<std::size_t>(vocabulary_size()), 0.0f);
    row[static_cast<std::size_t>(source.at(std::min(prefix.size(), source.size()) - 1))] = 20;
    return row;
  }
};

Translator copier(const Decoder& decoder, const TranslationSettings& settings = {}, int threads = 1) {
  return Translator(decoder, tokenizer(), tokenizer(), Normalization::nfc, settings, threads);
}

std::vector<std::string> texts(const std::vector<TranslatedLine>& lines) {
  std::vector<std::string> result;
  for (const TranslatedLine& line : lines) result.push_back(line.translations.at(0).text);
  return result;
}

TEST(Translator, LinesComeBackInTheirOrder) {
  std::vector<std::string> lines;
  for (int i = 0; i < 150; ++i) {
    std::string line = std::to_string(i * 7919 % 1000);
    for (int word = 0; word < i * 31 % 17; ++word) line += " dog";
    lines.push_back(i % 10 == 3 ? "" : line);
  }
  const CopyingDecoder decoder;
  for (const int threads : {1, 3}) {
    for (const int size : {1, 7, 64}) {
      TranslationSettings settings;
      settings.batches.batch_size = size;
      int done = 0;
      const auto translated =
          copier(decoder, settings, threads).translate(lines, [&](int count) { done += count; });
      EXPECT_EQ(texts(translated), lines);
      EXPECT_EQ(done, 150);
    }
  }
}

/// Likes a token best that is no piece.
class MaskingDecoder : public CopyingDecoder {
 public:
  MaskingDecoder() : CopyingDecoder(1) {}
  std::vector<float> scores(const Row& source, const Row& prefix) const override {
    std::vector<float> row = CopyingDecoder::scores(source, prefix);
    row.back() = 30;
    return row;
  }
};

TEST(Translator, TokensThatAreNoPiecesNeverAppear) {
  const MaskingDecoder decoder;
  const std::vector<std::string> lines{"the small dog", "a big house"};
  TranslationSettings settings;
  for (const int beam : {1, 4}) {
    settings.search.beam_size = beam;
    EXPECT_EQ(texts(copier(decoder, settings).translate(lines)), lines);
  }
  settings.search.beam_size = 1;
  settings.search.sampling.sample = true;
  settings.search.sampling.temperature = 0.1;
  EXPECT_EQ(texts(copier(decoder, settings).translate(lines)), lines);
}

TEST(Translator, BlankLinesNeverReachTheNetwork) {
  const CopyingDecoder decoder;
  const std::vector<std::string> lines{"", " ", "\t  \r", "   "};
  for (const TranslatedLine& line : copier(decoder).translate(lines)) {
    ASSERT_EQ(line.translations.size(), 1u);
    EXPECT_EQ(line.translations[0].text, "");
    EXPECT_EQ(line.translations[0].score, 0);
  }
  EXPECT_EQ(decoder.starts, 0);
  EXPECT_TRUE(copier(decoder).translate({}).empty());
}

TEST(Translator, NastyLinesStayOneLineEach) {
  const CopyingDecoder decoder;
  const std::vector<std::string> lines{"dog\xE2\x80\xA8house", std::string("dog\0house", 9), "dog\r",
                                       "dog\xff\xfe house", std::string(3000, 'x')};
  const auto translated = copier(decoder).translate(lines);
  EXPECT_EQ(translated[0].translations[0].text, lines[0]);
  EXPECT_EQ(translated[1].translations[0].text, lines[1]);
  EXPECT_EQ(translated[3].replaced, 2);
  EXPECT_EQ(translated[3].translations[0].text, "dog\xEF\xBF\xBD\xEF\xBF\xBD house");
  EXPECT_GT(translated[4].left_out, 0);
  EXPECT_EQ(translated[4].translations[0].tokens, 1024);
  for (const std::string& text : texts(translated)) EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST(Translator, NewlinesThatTheNetworkSpellsBecomeBlanks) {
  class NewlineDecoder : public CopyingDecoder {
    std::vector<float> scores(const Row&, const Row& prefix) const override {
      std::vector<float> row(static_cast<std::size_t>(vocabulary_size()), 0.0f);
      int byte = 0;
      while (tokenizer().piece(byte) != "<0x0A>") ++byte;
      row[static_cast<std::size_t>(prefix.size() < 4 ? byte : end())] = 30;
      return row;
    }
  };
  const NewlineDecoder decoder;
  const auto translated = copier(decoder).translate(std::vector<std::string>{"dog"});
  EXPECT_EQ(translated[0].translations[0].tokens, 3);
  EXPECT_EQ(translated[0].translations[0].text.find('\n'), std::string::npos);
}

TEST(Translator, GivesAsManyTranslationsAsAskedFor) {
  const TableDecoder decoder(tokenizer().size(), 4);
  TranslationSettings settings;
  settings.search.n_best = 4;
  const auto translated = copier(decoder, settings).translate(std::vector<std::string>{"dog", ""});
  ASSERT_EQ(translated[0].translations.size(), 4u);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_GE(translated[0].translations[i - 1].score, translated[0].translations[i].score);
  }
  EXPECT_EQ(translated[1].translations.size(), 1u);
}

TEST(Translator, RefusesABeamLargerThanTheVocabulary) {
  const TableDecoder decoder(4);
  EXPECT_THROW(copier(decoder), UsageError);
}

/// Remembers what it is told.
struct Recorder : Listener {
  void warn(const std::string& text) override { warnings.push_back(text); }
  void progress(const Progress& progress) override { last = progress.done; }
  std::vector<std::string> warnings;
  std::int64_t last = 0;
};

TEST(TranslationStream, ReportsWhatHappenedByLine) {
  const TemporaryDirectory folder;
  const std::string file =
      folder.write("text", "dog\nbig big big big big big big big\n\xff\nhouse\n\xffmore\xff\n\nlast");
  const CopyingDecoder decoder;
  TranslationSettings settings;
  settings.max_source_tokens = 5;
  const Translator translator = copier(decoder, settings);
  LineReader reader(file);
  Recorder recorder;
  std::vector<std::string> output;
  const TranslationTotals totals = translate_stream(
      translator, reader,
      [&](std::int64_t first, std::span<const TranslatedLine> lines) {
        EXPECT_EQ(first, static_cast<std::int64_t>(output.size()));
        for (const TranslatedLine& line : lines) output.push_back(line.translations[0].text);
      },
      recorder);
  EXPECT_EQ(output.size(), 7u);
  EXPECT_EQ(output[0], "dog");
  EXPECT_EQ(output[5], "");
  EXPECT_EQ(totals.lines, 7);
  EXPECT_EQ(recorder.last, 7);
  ASSERT_GE(recorder.warnings.size(), 2u);
  EXPECT_NE(recorder.warnings[0].find(file + ":2: "), std::string::npos) << recorder.warnings[0];
  EXPECT_NE(recorder.warnings.back().find(
                "invalid UTF-8 on 2 lines (the first is line 3) was read as U+FFFD; sequences: 3"),
            std::string::npos)
      << recorder.warnings.back();
}

/// Never ends by itself.
class EndlessDecoder : public CopyingDecoder {
  std::vector<float> scores(const Row&, const Row&) const override {
    std::vector<float> row(static_cast<std::size_t>(vocabulary_size()), 0.0f);
    row[2] = -20;
    return row;
  }
};

/// The warnings of a stream with the line "dog".
std::vector<std::string> warnings_of(const Decoder& decoder, const TranslationSettings& settings) {
  const TemporaryDirectory folder;
  LineReader reader(folder.write("text", "\ndog\n"));
  Recorder recorder;
  translate_stream(
      copier(decoder, settings), reader, [](std::int64_t, std::span<const TranslatedLine>) {}, recorder);
  return recorder.warnings;
}

TEST(TranslationStream, SaysWhatEndedTranslations) {
  TranslationSettings settings;
  const auto limited = warnings_of(EndlessDecoder(), settings);
  ASSERT_EQ(limited.size(), 1u);
  EXPECT_NE(limited[0].find("length limit on 1 line (line 2)"), std::string::npos) << limited[0];
  settings.search.beam_size = 1;
  settings.search.no_repeat_ngram = 1;
  settings.search.min_length = 1000;  // more than there are tokens
  const auto ruled = warnings_of(EndlessDecoder(), settings);
  ASSERT_EQ(ruled.size(), 1u);
  EXPECT_NE(ruled[0].find("rules left no token to go on with on 1 line (line 2)"), std::string::npos)
      << ruled[0];
}

TEST(TranslationStream, ASlowStreamIsAnsweredLineByLine) {
  const TemporaryDirectory folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::mutex guard;
  std::condition_variable moved;
  std::size_t answered = 0;
  // Writes the next line only when the one before was answered; waiting for more would wait for ever.
  std::thread writer([&] {
    std::ofstream out(pipe);
    for (std::size_t line = 0; line < 5; ++line) {
      out << "dog " << line << std::endl;
      std::unique_lock lock(guard);
      moved.wait(lock, [&] { return answered == line + 1; });
    }
  });
  const CopyingDecoder decoder;
  LineReader reader(pipe);
  Recorder recorder;
  const TranslationTotals totals = translate_stream(
      copier(decoder), reader,
      [&](std::int64_t, std::span<const TranslatedLine> lines) {
        const std::lock_guard lock(guard);
        answered += lines.size();
        moved.notify_all();
      },
      recorder);
  writer.join();
  EXPECT_EQ(totals.lines, 5);
}

TEST(TranslationStream, ASteadyStreamIsAnsweredBeforeAWindowIsFull) {
  const TemporaryDirectory folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::atomic<bool> answered = false;
  std::thread writer([&] {
    std::ofstream out(pipe);
    while (!answered) {
      out << "dog" << std::endl;
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
  });
  const CopyingDecoder decoder;
  TranslationSettings settings;
  settings.search.beam_size = 1;
  LineReader reader(pipe);
  Recorder recorder;
  std::size_t first = 0;
  translate_stream(
      copier(decoder, settings), reader,
      [&](std::int64_t, std::span<const TranslatedLine> lines) {
        if (first == 0) first = lines.size();
        answered = true;
      },
      recorder);
  writer.join();
  EXPECT_LT(first, 8192u) << "lines went on coming, none of them later than a millisecond";
}

TEST(TranslationStream, ManyWindowsKeepTheOrder) {
  const TemporaryDirectory folder;
  std::string text;
  for (int line = 0; line < 20'000; ++line) text += std::to_string(line % 977) + "\n";
  LineReader reader(folder.write("text", text));
  const CopyingDecoder decoder;
  TranslationSettings settings;
  settings.search.beam_size = 1;
  Recorder recorder;
  std::string output;
  int windows = 0;
  translate_stream(
      copier(decoder, settings, 2), reader,
      [&](std::int64_t, std::span<const TranslatedLine> lines) {
        ++windows;
        for (const TranslatedLine& line : lines) output += line.translations[0].text + "\n";
      },
      recorder);
  EXPECT_EQ(output, text);
  EXPECT_GT(windows, 1);
}

}  // namespace
}  // namespace gloss
