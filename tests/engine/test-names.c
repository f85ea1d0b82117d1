/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder of sysfs of which a reading leaves a name out, as the kernel does while another name
 * goes away. */
#include "tests/engine/check.h"

#include "engine/linux/sysfs.h"

#include <dirent.h>
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    N_NAMES = 100
};

static char folder[] = "/tmp/drivegauge-names-XXXXXX";
static const char *left_out; /* by the next reading */

/* Instead of the C library's. */
struct dirent *
readdir (DIR *dir)
{
    static struct dirent *(*real) (DIR *);
    struct dirent *entry;

    if (!real)
        real = (struct dirent * (*) (DIR *) ) dlsym (RTLD_NEXT, "readdir");
    entry = real (dir);
    if (entry && left_out && strcmp (entry->d_name, left_out) == 0) {
        left_out = NULL;
        entry = real (dir);
    }
    return entry;
}

static uint32_t
count (char **names)
{
    uint32_t n = 0;

    while (names && names[n])
        n++;
    return n;
}

static void
is_whole (void)
{
    char **names = dg__names (folder), name[16];

    CHECK_U64 (count (names), N_NAMES);
    for (uint32_t i = 0; i < count (names); i++) {
        snprintf (name, sizeof name, "%03u", (unsigned) i);
        CHECK_TEXT (names[i], name);
    }
    dg__names_free (names);
}

static void
is_whole_though_a_reading_is_not (void)
{
    left_out = "057";
    is_whole ();
    CHECK (left_out == NULL);
}

static void
is_none_where_there_is_no_folder (void)
{
    CHECK (dg__names ("/dev/null/none") == NULL);
    dg__names_free (NULL);
}

static bool
each_name (int (*make) (const char *path))
{
    char path[64];

    for (unsigned i = 0; i < N_NAMES; i++) {
        snprintf (path, sizeof path, "%s/%03u", folder, i);
        if (make (path) != 0)
            return false;
    }
    return true;
}

static int
make_folder (const char *path)
{
    return mkdir (path, 0700);
}

static const Case cases[] = {
    { "all names, sorted", is_whole },
    { "a name that one reading leaves out is found", is_whole_though_a_reading_is_not },
    { "no folder has no names", is_none_where_there_is_no_folder },
};

int
main (int argc, char **argv)
{
    if (!mkdtemp (folder) || !each_name (make_folder))
        return 99;
    int status = run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
    each_name (rmdir);
    rmdir (folder);
    return status;
}
