# SPDX-License-Identifier: Apache-2.0
# What Debian keeps elsewhere or packed: cpack runs this on the installed tree before it makes the .deb.
#
#     share/doc/weft/LICENSE             ->   share/doc/weft/copyright
#     share/doc/weft/CHANGELOG.md        ->   share/doc/weft/changelog.gz, beside changelog.Debian.gz
#     share/man/man1/weft.1              ->   share/man/man1/weft.1.gz
#     share/zsh/site-functions/_weft     ->   share/zsh/vendor-completions/_weft
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
file(READ ${share}/doc/weft/LICENSE grant)
file(REMOVE ${share}/doc/weft/LICENSE)
file(WRITE ${share}/doc/weft/copyright "Copyright 2026 the weft developers\n\n${grant}
On Debian systems the licence's full text is in /usr/share/common-licenses/Apache-2.0.\n")
file(RENAME ${share}/doc/weft/CHANGELOG.md ${share}/doc/weft/changelog)
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH sets it
file(WRITE ${share}/doc/weft/changelog.Debian
  "weft (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n
  * What changes from version to version stands in changelog.gz.\n
 -- ${CPACK_PACKAGE_CONTACT}  ${now}\n")
set(packed ${share}/doc/weft/changelog ${share}/doc/weft/changelog.Debian)
if(EXISTS ${share}/man/man1/weft.1) # not where the program of another machine could not print it
  list(APPEND packed ${share}/man/man1/weft.1)
  file(MAKE_DIRECTORY ${share}/zsh/vendor-completions) # zsh reads site-functions below /usr/local only
  file(RENAME ${share}/zsh/site-functions/_weft ${share}/zsh/vendor-completions/_weft)
  file(REMOVE_RECURSE ${share}/zsh/site-functions)
endif()
execute_process(COMMAND gzip -9n ${packed} COMMAND_ERROR_IS_FATAL ANY)
