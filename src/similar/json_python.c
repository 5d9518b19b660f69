/* Finds Python with kernels among the strings of a JSON value, by peeking, without a tree.
 *
 *     {"a": "@wp.kernel\ndef k(): ...", "b": ["no code"]}   ->   read("@wp.kernel\ndef k(): ...")
 *
 * A string that is no Python is searched for blocks of Markdown. */
#include "similar/json_python.h"

#include <string.h>

#include "base/json_peek.h"

/* Is there a decorator's line that names a kernel? */
static bool has_kernel(str text)
{
    static const char word[] = "kernel";
    enum { N = sizeof word - 1 };
    bool decorator = false, first = true;
    for (size_t i = 0; i < text.n; i++) {
        const char c = text.p[i];
        if (c == '\n')
            decorator = false, first = true;
        else if (first && c != ' ' && c != '\t')
            decorator = c == '@', first = false;
        if (decorator && c == 'k' && text.n - i >= N && memcmp(text.p + i, word, N) == 0)
            return true;
    }
    return false;
}

static size_t find(str text, size_t from, str what)
{
    for (; from + what.n <= text.n; from++)
        if (memcmp(text.p + from, what.p, what.n) == 0)
            return from;
    return text.n;
}

/* Code between ``` lines; false: no block of it could be read. */
static bool read_blocks(json_python *j, str text)
{
    const str fence = STR("```");
    bool any = false;
    for (size_t at = find(text, 0, fence); at < text.n;) {
        size_t begin = find(text, at, STR("\n"));
        if (begin == text.n)
            break;
        const size_t end = find(text, ++begin, fence);
        const str block = {text.p + begin, end - begin};
        if (has_kernel(block))
            any |= j->read(j->arg, block);
        at = end < text.n ? find(text, end + fence.n, fence) : end;
    }
    return any;
}

static void read_string(json_python *j, str v)
{
    j->text.n = 0;
    if (!json_peek_string(v, &j->text) || !has_kernel(sb_view(&j->text)))
        return;
    const str text = sb_view(&j->text);
    if (!j->read(j->arg, text) && !read_blocks(j, text))
        j->unread(j->arg, NULL);
}

/* Recursion is bounded, as anybody can write JSON that nests deep enough for any stack. */
static void read_value(json_python *j, str v, int depth)
{
    enum { DEPTH_MAX = 64 };
    size_t at = 0;
    str key, part;
    if (depth == DEPTH_MAX)
        j->unread(j->arg, "what is nested deeper than 64 levels is not looked at");
    if (!v.n || depth == DEPTH_MAX)
        return;
    if (v.p[0] == '"')
        read_string(j, v);
    while (v.p[0] == '{' && json_peek_member(v, &at, &key, &part))
        read_value(j, part, depth + 1);
    while (v.p[0] == '[' && json_peek_element(v, &at, &part))
        read_value(j, part, depth + 1);
}

void json_python_each(json_python *j, str value)
{
    read_value(j, value, 0);
}
