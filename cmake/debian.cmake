# SPDX-License-Identifier: Apache-2.0
# What Debian keeps elsewhere: cpack runs this on the installed tree before it packs the .deb.
set(usr ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
file(RENAME ${usr}/share/doc/weft/LICENSE ${usr}/share/doc/weft/copyright)
file(APPEND ${usr}/share/doc/weft/copyright
  "\nOn Debian systems the licence's full text is in /usr/share/common-licenses/Apache-2.0.\n")
if(EXISTS ${usr}/share/zsh/site-functions/_weft) # zsh reads this folder below /usr/local only
  file(MAKE_DIRECTORY ${usr}/share/zsh/vendor-completions)
  file(RENAME ${usr}/share/zsh/site-functions/_weft ${usr}/share/zsh/vendor-completions/_weft)
  file(REMOVE_RECURSE ${usr}/share/zsh/site-functions)
endif()
