#include "model/networks/classifier_settings.h"

namespace gloss {

Field pooling_field(ClassifierSettings& settings) {
  return {"pooling", choice(settings.pooling, {"first", "last", "mean", "max"}),
          "what tells the class of a text: the state of its first or last token, or mean or maximum of all"};
}

}  // namespace gloss
