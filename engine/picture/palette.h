// How segments are told apart: seven colours that people with any colour vision tell apart (Okabe and Ito),
// in four textures. After 28 the looks come again; signs and hovering tell which is which.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>

namespace toposeg::picture {

inline constexpr std::size_t kColours = 7;
inline constexpr std::size_t kTextures = 4;

// Class of the shapes of a party: "p0" to "p27". Neighbours by number differ in colour.
[[nodiscard]] std::string look_class(std::size_t number);
// "dark" or "light": class of text that is readable on it.
[[nodiscard]] std::string ink_class(std::size_t number);

// The style sheet of every picture, light and dark, for the content of <style>. Looks `used` of the palette.
void write_style(std::ostream& out);
// Textures, for the content of <defs>.
void write_patterns(std::ostream& out);

}  // namespace toposeg::picture
