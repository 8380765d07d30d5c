# SPDX-License-Identifier: Apache-2.0
# Where `cmake --install` puts the program, its man pages, completion files, documentation, example text and licence.
# The target `uninstall` removes them.
include(GNUInstallDirs)
set(GLOSS_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING
    "Folder for the completion of zsh, below the prefix; packages of Debian use share/zsh/vendor-completions")

install(TARGETS gloss RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET gloss_mpi)
  install(TARGETS gloss_mpi LIBRARY DESTINATION lib/gloss)  # where the program looks for it, see base/mpi_module.cc
endif()
# The target gloss_docs writes these at build time.
install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
set(completions ${PROJECT_BINARY_DIR}/completions)
install(FILES ${completions}/gloss DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions OPTIONAL)
install(FILES ${completions}/_gloss DESTINATION ${GLOSS_ZSH_DIR} OPTIONAL)
install(FILES ${completions}/gloss.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE NOTICE packaging/copyright
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
# All files that links of the documentation name.
install(DIRECTORY docs corpora DESTINATION ${CMAKE_INSTALL_DOCDIR}
        FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN "*.ini" PATTERN "distill.sh")
# The text of the quick start in README.md.
foreach(part train valid test)
  install(FILES corpora/phrasebook/${part}.en corpora/phrasebook/${part}.de
          DESTINATION ${CMAKE_INSTALL_DATADIR}/gloss/phrasebook)
endforeach()

add_custom_target(uninstall
                  COMMAND ${CMAKE_COMMAND} -D MANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
                          -P ${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake
                  USES_TERMINAL VERBATIM COMMENT "Removing the files of the latest installation")
