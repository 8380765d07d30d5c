# SPDX-License-Identifier: Apache-2.0
# `cpack` makes a Debian package of what `cmake --install` installs.
set(GLOSS_MAINTAINER "the gloss authors <authors@gloss.invalid>" CACHE STRING "Maintainer named in the package")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gloss)
set(CPACK_PACKAGE_CONTACT ${GLOSS_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "train and run translation and language models on CPUs")
set(CPACK_PACKAGE_DESCRIPTION
    "gloss takes text from raw corpus to scored translation. It learns subword
vocabularies; trains transformers and recurrent networks on parallel or plain
text; translates, generates, classifies, embeds and aligns text; and computes
BLEU, chrF and TER. It needs no GPU and no Python.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_documents.cmake
    ${CMAKE_CURRENT_LIST_DIR}/debian_dependencies.cmake)
if(TARGET gloss_mpi)
  string(APPEND CPACK_PACKAGE_DESCRIPTION "
.
If Open MPI (openmpi-bin) is installed, mpirun lets many machines train one
model or write one output.")
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS openmpi-bin)
endif()

string(TIMESTAMP GLOSS_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(${CMAKE_CURRENT_LIST_DIR}/changelog.in ${PROJECT_BINARY_DIR}/packaging/changelog @ONLY)
set(CPACK_GLOSS_CHANGELOG ${PROJECT_BINARY_DIR}/packaging/changelog)
include(CPack)
