// SPDX-License-Identifier: Apache-2.0

#include "pipeline/cleaning/known_phrases.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "tokenizer/characters.h"

namespace gloss {
namespace {

constexpr std::size_t kLongestBoilerplate = 400;  // bytes: a longer text has more to say

/// What pages say around their texts, in lower case.
constexpr auto kBoilerplate = std::to_array<std::string_view>({
    "all rights reserved",
    "alle rechte vorbehalten",
    "tous droits réservés",
    "todos los derechos reservados",
    "tutti i diritti riservati",
    "todos os direitos reservados",
    "alle rechten voorbehouden",
    "všechna práva vyhrazena",
    "wszelkie prawa zastrzeżone",
    "все права защищены",
    "copyright ©",
    "uses cookies",
    "use cookies",
    "verwendet cookies",
    "verwenden cookies",
    "nutzt cookies",
    "utilise des cookies",
    "utilisons des cookies",
    "utiliza cookies",
    "utilizza i cookie",
    "utilizza cookie",
    "gebruikt cookies",
    "používá cookies",
    "používá soubory cookie",
    "wykorzystuje pliki cookie",
    "accept all cookies",
    "skip to main content",
    "skip to content",
    "zum hauptinhalt springen",
    "zum inhalt springen",
    "aller au contenu",
    "ir al contenido",
    "vai al contenuto",
    "přejít na obsah",
    "přejít k hlavnímu obsahu",
    "add to cart",
    "in den warenkorb",
    "ajouter au panier",
    "añadir al carrito",
    "aggiungi al carrello",
    "vložit do košíku",
    "přidat do košíku",
    "forgot your password",
    "forgot password",
    "passwort vergessen",
    "mot de passe oublié",
    "olvidó su contraseña",
    "password dimenticata",
    "zapomenuté heslo",
    "zapomněli jste heslo",
    "you are here:",
    "sie sind hier:",
    "vous êtes ici",
    "usted está aquí",
    "nacházíte se zde",
    "jste zde:",
    "posted by",
    "next »",
    "weiter »",
    "suivant »",
    "siguiente »",
    "successivo »",
    "další »",
    "volgende »",
    "« previous",
    "« zurück",
    "« précédent",
    "« anterior",
    "« předchozí",
    "1 2 3 4 5",
    "geschrieben von admin",
    "publié par",
    "publicado por",
    "přidal admin",
    "lorem ipsum",
    "privacy policy |",
    "terms of use |",
    "subscribe to our newsletter",
    "newsletter abonnieren",
    "share on facebook",
    "auf facebook teilen",
    "partager sur facebook",
    "click here to",
    "javascript is disabled",
    "enable javascript",
});

/// Parts of programs, of their messages and of their data.
constexpr auto kCode = std::to_array<std::string_view>({
    "<?",      "?>",           "/>",        "</",       "=>",        "->",      "::",          "==",
    "!=",      "&&",           "||",        "+=",       "();",       ");",      "};",          "{{",
    "}}",      "\\u",          "\\x",       "\\n",      "\":",       "':",      "=\"",         "='",
    "[\"",     "\"]",          ":\\",       "#include", "import ",   "SELECT ", "INSERT INTO", " FROM ",
    " WHERE ", "function(",    "return ",   "null",     "undefined", "Error:",  "Exception",   "apt-get",
    "sudo ",   "://localhost", "px;",       "px }",     "%s",        "%d",      " = ",         "/*",
    "*/",      "</div",        "className", "var ",     "0x",
});

/// Finds phrases that begin with one of several texts of a few bytes, in one pass.
class PhraseFinder {
 public:
  /// All phrases have at least `prefix` bytes, at most 4.
  PhraseFinder(std::span<const std::string_view> phrases, std::size_t prefix) : prefix_(prefix) {
    for (const std::string_view phrase : phrases) {
      const std::uint32_t key = key_of(phrase, 0);
      may_begin_[slot(key)] = true;
      by_key_[key].push_back(phrase);
    }
  }

  /// The number of different phrases in a text.
  std::size_t count(std::string_view text) const {
    std::vector<std::string_view> found;
    for (std::size_t at = 0; at + prefix_ <= text.size(); ++at) {
      const std::uint32_t key = key_of(text, at);
      if (!may_begin_[slot(key)]) continue;
      const auto phrases = by_key_.find(key);
      if (phrases == by_key_.end()) continue;
      for (const std::string_view phrase : phrases->second) {
        if (text.substr(at).starts_with(phrase) && std::ranges::count(found, phrase) == 0)
          found.push_back(phrase);
      }
    }
    return found.size();
  }

 private:
  static constexpr std::size_t kSlots = 1 << 14;

  std::uint32_t key_of(std::string_view text, std::size_t at) const {
    std::uint32_t key = 0;
    for (std::size_t i = 0; i < prefix_; ++i) key = key << 8 | static_cast<unsigned char>(text[at + i]);
    return key;
  }
  static std::size_t slot(std::uint32_t key) { return key * 2654435761U >> 18; }

  std::size_t prefix_;
  std::array<bool, kSlots> may_begin_{};
  std::unordered_map<std::uint32_t, std::vector<std::string_view>> by_key_;
};

bool is_word(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Calls: a name of more than one letter, and a bracket right after it that is no ending such as "(s)".
std::size_t calls(std::string_view text) {
  constexpr std::size_t kEnding = 3;
  std::size_t count = 0;
  for (std::size_t at = text.find('('); at != std::string_view::npos; at = text.find('(', at + 1)) {
    if (at < 2 || !is_word(static_cast<unsigned char>(text[at - 1])) ||
        !is_word(static_cast<unsigned char>(text[at - 2])))
      continue;
    const std::string_view ending = text.substr(at + 1, kEnding + 1);
    const std::size_t size = ending.find(')');
    const bool letters =
        size != std::string_view::npos && size > 0 &&
        std::ranges::all_of(ending.substr(0, size), [](char c) { return c >= 'a' && c <= 'z'; });
    count += letters ? 0 : 1;
  }
  return count;
}

}  // namespace

std::size_t boilerplate_count(std::string_view text) {
  if (text.size() > kLongestBoilerplate) return 0;
  static const PhraseFinder finder(kBoilerplate, 4);
  return finder.count(lower_case(text));
}

std::size_t code_signs(std::string_view text) {
  // Nearly all lines have none of these characters, and no code.
  constexpr std::string_view kMarks = "{}<>=\\$_|&#%;:()[]*/";
  if (text.find_first_of(kMarks) == std::string_view::npos) return 0;
  static const PhraseFinder finder(kCode, 2);
  std::size_t signs = calls(text) + finder.count(text);
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    signs += text[at] == '$' && (is_word(static_cast<unsigned char>(text[at + 1])) &&
                                 (text[at + 1] < '0' || text[at + 1] > '9'))
                 ? 1
                 : 0;
    signs += text[at] == '{' || text[at] == '}' ? 1 : 0;
  }
  return signs;
}

}  // namespace gloss
