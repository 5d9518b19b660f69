#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails where src/ calls a function whose result depends on the locale.

usage: check_locale.py [ARCHIVE | OBJECT]...

A program that uses the library may have set any locale, and what weft reads and writes must not
depend on it. Sources are searched for calls; formats of printf's family for what it does by the
locale. With archives or objects, their undefined symbols are searched too: headers turn some calls
into others (isdigit into __ctype_b_loc). base/decimal.h, base/format.h, base/ascii.h and
base/c_locale.h have the substitutes. ALLOWED names the exceptions.
"""

import re
import subprocess
import sys

from project_files import finish, project_files, read_text

# {reason: functions}
DEPENDENT = {
    "the decimal point, and what else is a digit or white space":
        "strtod strtof strtold strtol strtoll strtoul strtoull strtoimax strtoumax strtoq strtouq"
        " atof atoi atol atoll scanf fscanf sscanf vscanf vfscanf vsscanf strfmon",
    "the decimal point, in a format that the check cannot see":
        "vprintf vfprintf vsprintf vsnprintf vdprintf vasprintf sprintf asprintf dprintf",
    "what is a letter":
        "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper"
        " isxdigit tolower toupper __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc strcasecmp"
        " strncasecmp strcasestr fnmatch glob regcomp regexec",
    "the order of letters": "strcoll strxfrm wcscoll wcsxfrm alphasort versionsort",
    "the encoding":
        "btowc mblen mbrlen mbrtowc mbsinit mbsnrtowcs mbsrtowcs mbstowcs mbtowc wcrtomb wcsnrtombs"
        " wcsrtombs wcstombs wctob wctomb wcstod wcstof wcstol wcstoul fgetwc fputwc getwc putwc"
        " fwprintf wprintf swprintf towlower towupper iswalpha iswdigit iswalnum iswspace wcwidth",
    "the language": "strerror strerror_r strerror_l perror strsignal psignal psiginfo dlerror"
                    " gai_strerror getopt getopt_long gettext dgettext dcgettext",
    "dates": "strftime wcsftime strptime asctime ctime",
    "the locale itself": "setlocale localeconv newlocale uselocale duplocale freelocale nl_langinfo",
}
REASON = {name: reason for reason, names in DEPENDENT.items() for name in names.split()}
CALL = re.compile(rf"\b({'|'.join(REASON)})\s*\(")

# Their formats are literals, which are checked.
PRINTF = re.compile(r"\b(?:printf|fprintf|snprintf)\s*\(")
FLOAT = re.compile(r"%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*)?)?[lL]?[aAeEfFgG]")
GROUPS = re.compile(r"%[-+ #0]*'|%[^%\s]*l[sc]")

# {file: {function: why it may}}
ALLOWED = {
    "src/base/c_locale.c": {name: "it makes the \"C\" locale, and calls them in it"
                            for name in ("newlocale", "uselocale", "freelocale", "strerror",
                                         "strerror_l")},
    "src/base/dynlib.c": {"dlerror": "between c_locale_enter and c_locale_leave"},
}

COMMENT_OR_TEXT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.DOTALL)
TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def without(text, keep_texts):
    """The text with blanks for its comments, and for its strings too unless they are to stay."""
    def blank(found):
        piece = found[0]
        if keep_texts and piece[0] == '"':
            return piece
        return re.sub(r"[^\n]", " ", piece)
    return COMMENT_OR_TEXT.sub(blank, text)


def call_text(text, start):
    """A call's arguments, from its bracket at `start` on."""
    depth, bare = 0, TEXT.sub(lambda found: " " * len(found[0]), text)
    for at in range(start, len(bare)):
        depth += {"(": 1, ")": -1}.get(bare[at], 0)
        if not depth:
            return text[start:at]
    return text[start:]


def source_problems(path, text):
    """What the text of a C file calls that depends on the locale."""
    allowed = ALLOWED.get(path, {})
    bare, with_texts = without(text, False), without(text, True)
    for found in CALL.finditer(bare):
        if found[1] not in allowed:
            line = bare.count("\n", 0, found.start()) + 1
            yield f"{path}:{line}: {found[1]}: {REASON[found[1]]}"
    for found in PRINTF.finditer(bare):
        arguments = call_text(with_texts, found.end() - 1)
        formats = " ".join(TEXT.findall(arguments)).replace("%%", "")
        if FLOAT.search(formats) or GROUPS.search(formats):
            line = bare.count("\n", 0, found.start()) + 1
            yield f"{path}:{line}: printf's format depends on the locale; format_text's do not"


def plain_name(symbol):
    """What a symbol of the C library is in the source: "__isoc23_strtol@GLIBC_2.38" is strtol, and
    "__vsnprintf_chk" vsnprintf."""
    return re.sub(r"^__isoc\d+_|^__(?=\w+_chk$)|_chk$", "", symbol.split("@")[0])


def symbol_problems(listing):
    """What the undefined symbols that `nm -A -u` lists need."""
    for line in listing.splitlines():
        where, _, symbol = line.rpartition(" ")
        name = plain_name(symbol)
        source = re.search(r"([\w-]+\.c)\.o\b", where)
        owner = source[1] if source else where
        allowed = any(path.endswith("/" + owner) and name in names for path, names in ALLOWED.items())
        if name in REASON and not allowed:
            yield f"{owner}: {symbol}: {REASON[name]}"


def main():
    problems = []
    for path in project_files(".c", ".h", ".def"):
        if path.startswith("src/"):
            problems += source_problems(path, read_text(path))
    for path in sys.argv[1:]:
        listing = subprocess.run(["nm", "-A", "-u", path], capture_output=True, text=True, check=True)
        problems += symbol_problems(listing.stdout)
    return finish("check_locale", problems)


if __name__ == "__main__":
    sys.exit(main())
