/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/linux/sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_READINGS = 8 /* of a folder that is changing all the time */
};

DgSys
dg__sys_init (const DgRoots *roots)
{
    DgSys sys = { "/sys", "/proc", "/run", "/dev", "/.flatpak-info" };

    if (roots && roots->sysfs)
        sys.sysfs = roots->sysfs;
    if (roots && roots->proc)
        sys.proc = roots->proc;
    if (roots && roots->run)
        sys.run = roots->run;
    if (roots && roots->dev)
        sys.dev = roots->dev;
    if (roots && roots->sandbox_info)
        sys.sandbox_info = roots->sandbox_info;
    return sys;
}

bool
dg__path (char *ret_path, const char *format, ...)
{
    va_list args;
    int n;

    va_start (args, format);
    n = vsnprintf (ret_path, DG__PATH_SIZE, format, args);
    va_end (args);
    if (n >= 0 && n < DG__PATH_SIZE)
        return true;
    ret_path[0] = 0;
    return false;
}

static long
read_fd (int fd, char *ret_text, size_t size)
{
    size_t used = 0;

    while (used < size) {
        ssize_t n = read (fd, ret_text + used, size - used);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && used == 0)
            return -1;
        if (n <= 0)
            break;
        used += (size_t) n;
    }
    return (long) used;
}

long
dg__read_file (const char *path, char *ret_text, size_t size)
{
    int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    long n;

    ret_text[0] = 0;
    if (fd < 0)
        return -1;
    n = read_fd (fd, ret_text, size - 1);
    close (fd);
    ret_text[n > 0 ? n : 0] = 0;
    return n;
}

char *
dg__read_all (const char *path, size_t limit, size_t *ret_size)
{
    size_t size = 4096, used = 0;
    char *text = NULL;
    int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd < 0)
        return NULL;
    for (;;) {
        char *more = realloc (text, size + 1);
        long n;
        if (!more)
            goto fail;
        text = more;
        n = read_fd (fd, text + used, size - used);
        if (n < 0)
            goto fail;
        used += (size_t) n;
        if (used < size || size >= limit)
            break;
        size *= 2;
    }
    close (fd);
    text[used] = 0;
    if (ret_size)
        *ret_size = used;
    return text;
fail:
    close (fd);
    free (text);
    return NULL;
}

void
dg__names_free (char **names)
{
    for (uint32_t i = 0; names && names[i]; i++)
        free (names[i]);
    free (names);
}

static int
by_text (const void *a, const void *b)
{
    return strcmp (*(char *const *) a, *(char *const *) b);
}

static char **
read_names (const char *folder)
{
    uint32_t n = 0, n_allocated = 64;
    char **names = malloc (n_allocated * sizeof *names);
    DIR *dir = names ? opendir (folder) : NULL;
    struct dirent *entry;

    if (!dir)
        goto fail;
    while ((entry = readdir (dir))) {
        if (entry->d_name[0] == '.')
            continue;
        if (n + 1 == n_allocated) {
            char **more = realloc (names, 2 * n_allocated * sizeof *names);
            if (!more)
                goto fail;
            names = more;
            n_allocated *= 2;
        }
        if (!(names[n] = strdup (entry->d_name)))
            goto fail;
        n++;
    }
    closedir (dir);
    qsort (names, n, sizeof *names, by_text);
    names[n] = NULL;
    return names;
fail:
    if (dir)
        closedir (dir);
    while (n > 0)
        free (names[--n]);
    free (names);
    return NULL;
}

static bool
is_same (char *const *a, char *const *b)
{
    while (*a && *b && strcmp (*a, *b) == 0) {
        a++;
        b++;
    }
    return !*a && !*b;
}

char **
dg__names (const char *folder)
{
    char **names = read_names (folder);

    for (int i = 1; names && i < MAX_READINGS; i++) {
        char **again = read_names (folder);
        bool is_settled = !again || is_same (names, again);
        dg__names_free (names);
        names = again;
        if (is_settled)
            break;
    }
    return names;
}

static bool
is_space (char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

bool
dg__attr (const char *folder, const char *name, char *ret_text, size_t size)
{
    char path[DG__PATH_SIZE];
    size_t start = 0, end;

    ret_text[0] = 0;
    if (!dg__path (path, "%s/%s", folder, name) || dg__read_file (path, ret_text, size) <= 0)
        return false;
    end = strlen (ret_text);
    while (end > 0 && is_space (ret_text[end - 1]))
        end--;
    while (start < end && is_space (ret_text[start]))
        start++;
    memmove (ret_text, ret_text + start, end - start);
    ret_text[end - start] = 0;
    return end > start;
}

char *
dg__attr_dup (const char *folder, const char *name)
{
    char text[512];

    return dg__attr (folder, name, text, sizeof text) ? dg__text_dup (text, strlen (text)) : NULL;
}

uint64_t
dg__attr_u64 (const char *folder, const char *name, uint64_t fallback)
{
    char text[32], *end;
    unsigned long long value;

    if (!dg__attr (folder, name, text, sizeof text) || text[0] < '0' || text[0] > '9')
        return fallback;
    errno = 0;
    value = strtoull (text, &end, 10);
    return errno || *end ? fallback : value;
}

bool
dg__link_name (const char *folder, const char *name, char *ret_text, size_t size)
{
    char path[DG__PATH_SIZE], target[DG__PATH_SIZE];
    ssize_t n;

    ret_text[0] = 0;
    if (!dg__path (path, "%s/%s", folder, name))
        return false;
    n = readlink (path, target, sizeof target - 1);
    if (n <= 0)
        return false;
    target[n] = 0;
    n = snprintf (ret_text, size, "%s", dg__base_name (target));
    if (n > 0 && (size_t) n < size)
        return true;
    ret_text[0] = 0;
    return false;
}

bool
dg__real_path (const char *folder, const char *name, char *ret_path)
{
    char path[DG__PATH_SIZE], real[PATH_MAX];

    ret_path[0] = 0;
    if (!dg__path (path, "%s/%s", folder, name) || !realpath (path, real))
        return false;
    return dg__path (ret_path, "%s", real);
}

bool
dg__parent_path (char *path, const char *root)
{
    char *slash = strrchr (path, '/');

    if (!slash || slash == path || (size_t) (slash - path) < strlen (root))
        return false;
    *slash = 0;
    return true;
}

const char *
dg__base_name (const char *path)
{
    const char *slash = strrchr (path, '/');

    return slash ? slash + 1 : path;
}

/* The length of the valid UTF-8 sequence at text (RFC 3629: no surrogates, nothing overlong), 0 if
 * there is none. */
static size_t
utf8_length (const unsigned char *text, size_t length)
{
    unsigned char c = text[0];
    size_t n = c < 0x80                ? 1
               : c >= 0xc2 && c < 0xe0 ? 2
               : c >= 0xe0 && c < 0xf0 ? 3
               : c >= 0xf0 && c < 0xf5 ? 4
                                       : 0;

    if (n == 0 || n > length)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    if ((c == 0xe0 && text[1] < 0xa0) || (c == 0xed && text[1] > 0x9f)
        || (c == 0xf0 && text[1] < 0x90) || (c == 0xf4 && text[1] > 0x8f))
        return 0;
    return n;
}

char *
dg__text_dup (const char *text, size_t length)
{
    char *copy, *out;

    length = strnlen (text, length);
    while (length > 0 && is_space (text[length - 1]))
        length--;
    while (length > 0 && is_space (text[0])) {
        text++;
        length--;
    }
    if (length == 0)
        return NULL;
    out = copy = malloc (length * 3 + 1);
    if (!copy)
        return NULL;
    while (length > 0) {
        size_t n = utf8_length ((const unsigned char *) text, length);
        if (n > 0) {
            memcpy (out, text, n);
            out += n;
        } else {
            memcpy (out, "\xef\xbf\xbd", 3);
            out += 3;
            n = 1;
        }
        text += n;
        length -= n;
    }
    *out = 0;
    return copy;
}

bool
dg__has_prefix (const char *text, const char *prefix)
{
    return strncmp (text, prefix, strlen (prefix)) == 0;
}

char *
dg__format (const char *format, ...)
{
    char text[1024];
    va_list args;
    int n;

    va_start (args, format);
    n = vsnprintf (text, sizeof text, format, args);
    va_end (args);
    return n > 0 ? dg__text_dup (text, sizeof text) : NULL;
}
