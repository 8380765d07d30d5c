// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace gloss {

// The files of pipeline/pages/web, which are part of the program: a style (.css), the markup of a body
// (.html) or a script (.js). To prevent injection, scripts show text of the data only through text nodes.

/// The style of all pages, with colours for light and dark mode, and the beginning of all scripts: `data`,
/// `byId` and `make`.
extern const char *const kPageStyle, *const kPageProgram;

/// Colours and line styles of curves, for light and dark mode: seven colours with a contrast of at least 3 to
/// the background, which people with protanopia, deuteranopia or tritanopia can distinguish (found by a
/// search that maximises distances in OKLab, simulated as in Machado 2009). Without CSS variables, which some
/// SVG viewers do not support.
extern const char* const kCurveStyle;
/// The additional style and the script of a page of curves.
extern const char *const kCurvePageStyle, *const kCurvePageProgram;

/// The comparison report; the body is without data.
extern const char *const kReportStyle, *const kReportBody, *const kReportProgram;

/// What pages of attention have in common: the choice of an item, a layer and a head, and a line for the
/// value under the pointer. The body precedes the markup of a page, the script its script.
extern const char *const kMapControlsBody, *const kMapControlsProgram;
extern const char *const kAlignmentStyle, *const kAlignmentBody, *const kAlignmentProgram;
extern const char *const kPictureStyle, *const kPictureBody, *const kPictureProgram;
/// The additional style of a page of samples.
extern const char* const kSampleStyle;

}  // namespace gloss
