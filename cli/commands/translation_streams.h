// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/lines/run.h"
#include "cli/lines/translation_output.h"
#include "cli/process/terminal.h"
#include "pipeline/documents/document_part.h"
#include "pipeline/documents/protection.h"
#include "pipeline/reading/input_stream.h"
#include "pipeline/translation/paragraph_translator.h"
#include "pipeline/translation/shortcomings.h"

namespace gloss {

/// What translates a stream, and where the translations go.
struct StreamTranslation {
  const TranslationSettings& settings;
  const TranslationOutputSettings& format;
  ParagraphTranslator& translator;
  const Protection& protection;
  const UsualLines& usual;
  const Drafter* drafter;  ///< null: no drafts
  Terminal& terminal;
  Run& run;
};

/// Translates lines and completes the output. Returns why some have no translation; "" if all have one.
std::string translate_lines(InputStream<std::string>&, const StreamTranslation&);

/// How documents are read.
struct DocumentSettings {
  std::int64_t max_line_bytes;
  std::string
      language{};  ///< of the translation, as a tag; empty: unknown. May be set until the first part is read
};
/// The documents in these files, in a format that is one of documents. The settings must outlive the result.
/// Throws UsageError for several files if they cannot be one document.
std::unique_ptr<InputStream<DocumentPart>> open_document(const std::vector<std::string>& files,
                                                         TranslationFormat, const DocumentSettings&);
/// translate_lines for the parts of a document.
std::string translate_document(InputStream<DocumentPart>&, const DocumentSettings&, const StreamTranslation&);

}  // namespace gloss
