/* SPDX-License-Identifier: Apache-2.0 */
/* Finds Python with kernels among the strings of a JSON value, by peeking, without a tree.
 *
 *     {"a": "@wp.kernel\ndef k(): ...", "b": ["no code"]}   ->   read("@wp.kernel\ndef k(): ...")
 *
 * A string that is no Python is searched for blocks of Markdown:
 *
 *     "Translate:\n```python\n@wp.kernel\n...\n```"   ->   read("@wp.kernel\n...\n")
 *
 * Peeking reads each nesting level of the text once more, without memory for a tree: records are
 * long, and few of their strings are Python. */
#include "similar/json_python.h"

#include <string.h>

#include "base/json_peek.h"

/* Is there a decorator's line that names a kernel? A cheap filter in front of the parser: it
 * accepts too much ("@my_kernels"), but misses only a kernel under another name (from warp import
 * kernel as k). */
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

/* Where `what` stands from `from` on; text.n: nowhere. */
static size_t find(str text, size_t from, str what)
{
    for (; from + what.n <= text.n; from++)
        if (memcmp(text.p + from, what.p, what.n) == 0)
            return from;
    return text.n;
}

/* Reads the code between ``` lines; false: no block of it could be read. The language behind the
 * first fence does not matter, and a block that is not closed ends with the text. */
static bool read_blocks(json_python *j, str text)
{
    const str fence = STR("```");
    bool any = false;
    for (size_t at = find(text, 0, fence); at < text.n;) {
        size_t begin = find(text, at, STR("\n"));
        if (begin == text.n)
            break;
        const size_t end = find(text, ++begin, fence);
        WEFT_ASSERT(begin <= end && end <= text.n);
        const str block = {text.p + begin, end - begin};
        if (has_kernel(block))
            any |= j->read(j->arg, block);
        at = end < text.n ? find(text, end + fence.n, fence) : end;
    }
    return any;
}

/* v: the JSON text of a string, with quotes and escapes. */
static void read_string(json_python *j, str v)
{
    j->text.n = 0;
    if (!json_peek_string(v, &j->text) || !has_kernel(sb_view(&j->text)))
        return;
    const str text = sb_view(&j->text);
    if (!j->read(j->arg, text) && !read_blocks(j, text))
        j->unread(j->arg, NULL);
}

/* Recursion is bounded, as input can nest deep enough for any stack. What is not well-formed JSON
 * is read as far as it is. */
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
