// SPDX-License-Identifier: Apache-2.0

#include "pipeline/cleaning/known_phrases.h"

#include <algorithm>
#include <array>
#include <string>

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

bool is_word(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Calls: a name of more than one letter, and a bracket right after it that is no ending such as "(s)".
std::size_t calls(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find('('); at != std::string_view::npos; at = text.find('(', at + 1)) {
    if (at < 2 || !is_word(static_cast<unsigned char>(text[at - 1])) ||
        !is_word(static_cast<unsigned char>(text[at - 2])))
      continue;
    const std::size_t close = text.find(')', at);
    constexpr std::size_t kEnding = 3;
    if (close == std::string_view::npos || close - at - 1 > kEnding || close == at + 1) ++count;
    if (close != std::string_view::npos && close - at - 1 <= kEnding && close > at + 1 &&
        !std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                     text.begin() + static_cast<std::ptrdiff_t>(close),
                     [](char c) { return c >= 'a' && c <= 'z'; }))
      ++count;
  }
  return count;
}

}  // namespace

std::size_t boilerplate_count(std::string_view text) {
  if (text.size() > kLongestBoilerplate) return 0;
  const std::string lower = lower_case(text);
  return static_cast<std::size_t>(std::ranges::count_if(
      kBoilerplate, [&](std::string_view phrase) { return lower.find(phrase) != std::string::npos; }));
}

std::size_t code_signs(std::string_view text) {
  // Nearly all lines have none of these characters, and no code.
  constexpr std::string_view kMarks = "{}<>=\\$_|&#%;:()[]*/";
  if (text.find_first_of(kMarks) == std::string_view::npos) return 0;
  std::size_t signs = calls(text);
  for (const std::string_view part : kCode) signs += text.find(part) != std::string_view::npos ? 1 : 0;
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
