// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {

/// The path of Chromium from GLOSS_BROWSER or of an installed one; empty if there is none.
inline std::string find_browser() {
  if (const char* chosen = std::getenv("GLOSS_BROWSER")) return chosen;
  for (const char* folder : {"/usr/bin/", "/usr/local/bin/", "/snap/bin/"}) {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
      if (std::filesystem::exists(std::string(folder) + name)) return std::string(folder) + name;
    }
  }
  return "";
}

/// The result of running a script in a page.
struct PageVisit {
  bool skipped = false;  ///< there is no browser
  nlohmann::json seen;   ///< observations of the script; null if it did not finish
  std::string messages;  ///< messages of the browser; those of the page are marked "CONSOLE"
};

/// Opens the page in a browser window of telephone width and runs the script `program` after the page's own
/// scripts. It stores its observations in the object `seen`.
inline PageVisit visit_page(const std::string& page, const std::string& program,
                            const TemporaryDirectory& folder) {
  const std::string browser = find_browser();
  if (browser.empty()) return {true, {}, {}};
  const std::string wrapped = "<script>{ const seen = {};" + program +
                              "document.body.append(make(\"pre\", {}, \"SEEN\" + JSON.stringify(seen) + "
                              "\"NEES\")); }</script>";
  const std::size_t end = page.rfind("</body>");
  folder.write("visited.html", page.substr(0, end) + wrapped + page.substr(end));
  const ProgramResult result =
      run_program({browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                   "--user-data-dir=" + folder.path() + "/profile", "--window-size=390,844",
                   "--enable-logging=stderr", "--dump-dom", "file://" + folder.path() + "/visited.html"},
                  "", {"HOME=" + folder.path()});
  PageVisit visit{false, {}, result.errors};
  const std::size_t from = result.output.rfind("SEEN{"), to = result.output.rfind("}NEES");
  if (result.status != 0 || from == std::string::npos || to == std::string::npos) return visit;
  std::string text = result.output.substr(from + 4, to + 1 - from - 4);
  for (const auto& [entity, character] :
       {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}}) {
    for (std::size_t at = text.find(entity); at != std::string::npos; at = text.find(entity, at + 1)) {
      text.replace(at, std::string(entity).size(), character);
    }
  }
  visit.seen = nlohmann::json::parse(text);
  return visit;
}

}  // namespace gloss
