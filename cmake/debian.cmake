# SPDX-License-Identifier: Apache-2.0
# What Debian keeps elsewhere or packed: cpack runs this on the installed tree before it makes the .deb.
#
#     share/doc/weft/LICENSE             ->   share/doc/weft/copyright
#     share/doc/weft/CHANGELOG.md        ->   share/doc/weft/changelog.gz
#     share/man/man1/weft.1              ->   share/man/man1/weft.1.gz
#     share/zsh/site-functions/_weft     ->   share/zsh/vendor-completions/_weft
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
file(RENAME ${share}/doc/weft/LICENSE ${share}/doc/weft/copyright)
file(APPEND ${share}/doc/weft/copyright
  "\nOn Debian systems the licence's full text is in /usr/share/common-licenses/Apache-2.0.\n")
file(RENAME ${share}/doc/weft/CHANGELOG.md ${share}/doc/weft/changelog)
set(packed ${share}/doc/weft/changelog)
if(EXISTS ${share}/man/man1/weft.1) # not where the program of another machine could not print it
  list(APPEND packed ${share}/man/man1/weft.1)
  file(MAKE_DIRECTORY ${share}/zsh/vendor-completions) # zsh reads site-functions below /usr/local only
  file(RENAME ${share}/zsh/site-functions/_weft ${share}/zsh/vendor-completions/_weft)
  file(REMOVE_RECURSE ${share}/zsh/site-functions)
endif()
execute_process(COMMAND gzip -9n ${packed} COMMAND_ERROR_IS_FATAL ANY)
