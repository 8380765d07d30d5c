// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "pipeline/documents/document_part.h"
#include "pipeline/reading/input_stream.h"

namespace gloss {

/// A document that is read as a whole before its parts are known; "-" is standard input.
class WholeDocument : public InputStream<DocumentPart> {
 public:
  using Parts = std::function<std::vector<DocumentPart>(std::string_view bytes, const std::string& name)>;

  /// Throws InputError if the file cannot be opened.
  WholeDocument(std::string path, Parts parts);

  /// The first call reads the document; throws InputError if it is not one.
  bool next(DocumentPart& part) override;
  bool available(std::chrono::steady_clock::time_point until) override;
  std::string place(std::int64_t number) const override;
  std::string unit() const override { return "texts"; }
  /// The number of texts.
  std::int64_t total() const override;

 private:
  void read();

  std::string path_;
  Parts read_parts_;
  bool read_ = false;
  std::size_t next_ = 0;
  std::vector<DocumentPart> parts_;
  mutable std::mutex guard_;
  std::vector<std::int64_t> lines_;  // guarded; of the parts
  std::int64_t texts_ = 0;           // guarded; the parts that have one
};

}  // namespace gloss
