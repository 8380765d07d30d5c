// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/finetuning_task.h"

#include "base/error.h"

namespace gloss {
namespace {

struct FormNames {
  const char* model;
  const char* task;  ///< of gloss finetune
};

FormNames names_of(Form form) {
  switch (form) {
    case Form::encoder_decoder:
      return {"a translation model", "translate"};
    case Form::decoder:
      return {"a language model", "lm"};
    case Form::encoder:
      return {"a masked model", "mlm"};
    case Form::classifier:
      return {"a classifier", "classify"};
  }
  throw BrokenPromise("a form without a task");
}

}  // namespace

void expect_finetuning(const std::string& name, Form own, Form wanted) {
  const bool starts = wanted == Form::classifier ? own != Form::encoder_decoder : own == wanted;
  if (starts) return;
  const FormNames found = names_of(own);
  const std::string expected = wanted == Form::classifier ? "a classifier, a masked model or a language model"
                                                          : names_of(wanted).model;
  throw InputError(concat("--model ", name, " is ", found.model, "; expected ", expected,
                          ". This model can be fine-tuned with --task ", found.task));
}

}  // namespace gloss
