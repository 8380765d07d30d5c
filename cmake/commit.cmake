# SPDX-License-Identifier: Apache-2.0
# Writes the commit of the git checkout SOURCE into the section of PROGRAM that `gloss --version` reads; spaces if
# SOURCE is not the top of a checkout, such as an archive. Runs after the link, so that the build id, by which
# unfinished outputs recognise their program, stays the same from commit to commit as long as the code does.
#   cmake -D GIT=git -D OBJCOPY=objcopy -D SOURCE=DIR -D PROGRAM=FILE -P commit.cmake
function(run_git variable)
  execute_process(COMMAND ${GIT} --no-optional-locks -C ${SOURCE} ${ARGN} OUTPUT_VARIABLE output RESULT_VARIABLE status
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(${variable} "${output}" PARENT_SCOPE)
  set(status ${status} PARENT_SCOPE)
endfunction()

set(text "")
run_git(folder rev-parse --show-prefix)
if(status EQUAL 0 AND folder STREQUAL "")
  run_git(commit rev-parse --short --verify HEAD)
  if(status EQUAL 0)
    set(text "commit: ${commit}")
    run_git(changes status --porcelain --untracked-files=no)
    if(changes)
      string(APPEND text ", with uncommitted changes")
    endif()
  endif()
endif()
string(LENGTH "${text}" length)
math(EXPR rest "80 - ${length}")  # the size of the section
string(REPEAT " " ${rest} spaces)
set(file ${PROGRAM}.commit)
file(WRITE ${file} "${text}${spaces}")
execute_process(COMMAND ${OBJCOPY} --update-section .gloss_commit=${file} ${PROGRAM} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${file})
