/* SPDX-License-Identifier: Apache-2.0 */
/* Where the sources of a package or folder are developed, as an address of the web. Examples:
 *
 *     Project-URL: Repository, https://github.com/NVIDIA/warp    https://github.com/NVIDIA/warp
 *     [remote "origin"] url = git@github.com:a/b.git             https://github.com/a/b
 *     url = https://user:secret@host/a/b                         https://host/a/b
 *     url = /srv/git/b.git                                       nothing: it is none of the web
 */
#include "collect/repository.h"

#include "base/ascii.h"
#include "base/file.h"
#include "collect/license.h"

static str trimmed(str s)
{
    while (s.n && (unsigned char)s.p[0] <= ' ')
        s = (str){s.p + 1, s.n - 1};
    while (s.n && (unsigned char)s.p[s.n - 1] <= ' ')
        s.n--;
    return s;
}

static str behind(str s, size_t n)
{
    return (str){s.p + n, s.n - n};
}

/* Printable ASCII without what quotes or escapes. */
static bool is_plain(str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] <= ' ' || (unsigned char)s.p[i] >= 127 ||
            strchr("\"'<>\\`", s.p[i]))
            return false;
    return s.n > 0;
}

/* An address without names and passwords; empty: it is none of the web. */
static str web_address(arena *a, str s)
{
    s = trimmed(s);
    const char *colon = memchr(s.p, ':', s.n);
    const size_t scheme = str_starts(s, "https://")  ? 8
                          : str_starts(s, "http://") ? 7
                          : str_starts(s, "ssh://")  ? 6
                                                     : 0;
    if (!s.n || !is_plain(s) || !colon)
        return STR("");
    str rest = behind(s, scheme);
    const char *slash = memchr(rest.p, '/', rest.n), *at = memchr(rest.p, '@', rest.n);
    if (at && (!slash || at < slash))
        rest = behind(rest, (size_t)(at - rest.p) + 1);
    else if (!scheme) /* of what has no scheme only git@host:path is one */
        return STR("");
    if (memchr(rest.p, '@', rest.n)) /* a password may have a slash */
        return STR("");
    while (rest.n && rest.p[rest.n - 1] == '/')
        rest.n--;
    if (rest.n > 4 && memcmp(rest.p + rest.n - 4, ".git", 4) == 0)
        rest.n -= 4;
    char *path = arena_dup(a, rest.p, rest.n);
    char *port = scheme ? NULL : strchr(path, ':');
    if (port) /* git@host:a/b */
        *port = '/';
    char *number = scheme == 6 ? strchr(path, ':') : NULL, *after = strchr(path, '/');
    if (number && after && number < after) /* ssh://git@host:22/a/b */
        memmove(number, after, strlen(after) + 1);
    if (!strchr(path, '/') || path[0] == '/')
        return STR("");
    return str_c(arena_printf(a, "%s%s", scheme == 7 ? "http://" : "https://", path));
}

/* Does a label of a Project-URL mean the repository? Homepages do where sources are kept. */
static bool names_sources(str label, str address)
{
    static const char *const labels[] = {"repository", "source",      "source code", "sourcecode",
                                         "code",       "github",      "gitlab",      "git",
                                         "sources",    "source-code", "repo"};
    static const char *const hosts[] = {"github.com/", "gitlab.com/", "bitbucket.org/",
                                        "codeberg.org/"};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        bool same = strlen(labels[i]) == label.n;
        for (size_t k = 0; same && k < label.n; k++)
            same = ascii_lower(label.p[k]) == labels[i][k];
        if (same)
            return true;
    }
    bool home = label.n == 8;
    for (size_t k = 0; home && k < label.n; k++)
        home = ascii_lower(label.p[k]) == "homepage"[k];
    for (size_t i = 0; home && i < sizeof hosts / sizeof *hosts; i++)
        if (str_find(address, str_c(hosts[i])))
            return true;
    return false;
}

str repository_of_metadata(arena *a, str metadata)
{
    static const char head[] = "Project-URL: ";
    for (size_t i = 0; i < metadata.n;) {
        const char *end = memchr(metadata.p + i, '\n', metadata.n - i);
        const size_t n = end ? (size_t)(end - metadata.p) - i : metadata.n - i;
        const str line = {metadata.p + i, n};
        const char *comma = memchr(line.p, ',', n);
        if (!trimmed(line).n)
            break; /* the description follows */
        if (str_starts(line, head) && comma) {
            const str label = trimmed(
                (str){line.p + sizeof head - 1, (size_t)(comma - line.p) - (sizeof head - 1)});
            const str address = web_address(a, behind(line, (size_t)(comma - line.p) + 1));
            if (address.n && names_sources(label, address))
                return address;
        }
        i += n + 1;
    }
    const str home = web_address(a, metadata_field(metadata, "Home-page"));
    return names_sources(STR("homepage"), home) ? home : STR("");
}

str repository_of_folder(arena *a, const char *folder)
{
    str text;
    bool is_origin = false;
    if (file_read(a, path_join(a, folder, STR(".git/config")), &text) != 0)
        return STR("");
    for (size_t i = 0; i < text.n;) {
        const char *end = memchr(text.p + i, '\n', text.n - i);
        const size_t n = end ? (size_t)(end - text.p) - i : text.n - i;
        const str line = trimmed((str){text.p + i, n});
        const char *equals = line.n ? memchr(line.p, '=', line.n) : NULL;
        if (line.n && line.p[0] == '[')
            is_origin = str_eq(line, STR("[remote \"origin\"]"));
        else if (is_origin && equals &&
                 str_eq(trimmed((str){line.p, (size_t)(equals - line.p)}), STR("url")))
            return web_address(a, behind(line, (size_t)(equals - line.p) + 1));
        i += n + 1;
    }
    return STR("");
}
