# SPDX-License-Identifier: Apache-2.0
# Lets dpkg-shlibdeps find what the program depends on; cpack runs this before it makes the package. cpack's own call
# would add Open MPI, which gloss_mpi.so alone needs and which is to stay a suggestion.
set(work ${CPACK_TOPLEVEL_DIRECTORY}/dependencies)
file(WRITE ${work}/debian/control "")  # dpkg-shlibdeps asks for this file
execute_process(COMMAND dpkg-shlibdeps --ignore-missing-info -O ${CPACK_TEMPORARY_DIRECTORY}/usr/bin/gloss
                WORKING_DIRECTORY ${work} OUTPUT_VARIABLE dependencies OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "^shlibs:Depends=" "" CPACK_DEBIAN_PACKAGE_DEPENDS "${dependencies}")
