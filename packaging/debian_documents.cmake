# SPDX-License-Identifier: Apache-2.0
# Gives the installed files the form that Debian's policy asks for; cpack runs it before it makes the package.
set(share ${CPACK_TEMPORARY_DIRECTORY}/usr/share)
file(REMOVE ${share}/doc/gloss/LICENSE)  # Debian has the text in /usr/share/common-licenses
file(COPY_FILE ${CPACK_GLOSS_CHANGELOG} ${share}/doc/gloss/changelog)
file(GLOB pages ${share}/man/man1/*.1)
execute_process(COMMAND gzip --best --no-name ${share}/doc/gloss/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)
