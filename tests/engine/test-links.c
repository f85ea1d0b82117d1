/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drives recorded from real kernels, and trees built like those that could not be recorded: each
 * expects the whole record, kept in expected/NAME.txt. With --write the records are written there
 * (then read what changed). */
#include "tests/engine/check.h"
#include "tests/engine/links-built.h"
#include "tests/engine/tree.h"

#include <unistd.h>

static const char *source_folder;
static bool is_writing;

static void
compare (const char *name, const char *record)
{
    char path[4096], *expected = NULL;
    size_t size = 0, used = 0;
    FILE *file;

    snprintf (path, sizeof path, "%s/expected/%s.txt", source_folder, name);
    if (is_writing) {
        file = fopen (path, "w");
        CHECK (file && fputs (record, file) >= 0 && fclose (file) == 0);
        return;
    }
    file = fopen (path, "r");
    CHECK (file != NULL);
    if (!file)
        return;
    expected = calloc (1, 65536);
    size = 65535;
    used = fread (expected, 1, size, file);
    fclose (file);
    CHECK (used > 0);
    if (strcmp (expected, record) != 0) {
        check_failures++;
        printf ("# %s differs. Expected:\n", name);
        for (char *rest = expected, *line; (line = strsep (&rest, "\n"));)
            printf ("#   %s\n", line);
        printf ("# Found:\n");
        char *copy = strdup (record);
        for (char *rest = copy, *line; (line = strsep (&rest, "\n"));)
            printf ("#   %s\n", line);
        free (copy);
    }
    free (expected);
}

/* The drive of one target is told as in the list of all. */
static void
check_find (Tree *tree, const char *all)
{
    DgTargetList *list = NULL, drives_only;
    DgErrorDetail detail = { 0 };
    char path[4096], *record;

    snprintf (path, sizeof path, "%s/mnt", tree->root);
    CHECK (dg_targets_find (&tree->roots, path, &list, &detail) == 0);
    CHECK (list && list->n_drives == 1);
    if (!list)
        return;
    drives_only = *list;
    drives_only.n_targets = 0;
    record = tree_record (tree, &drives_only);
    CHECK (strlen (record) > 100 && strstr (all, record));
    free (record);
    dg_targets_free (list);
}

static void
check_list (Tree *tree, const char *name)
{
    DgTargetList *list = NULL;
    char *record;

    CHECK_U64 (dg_targets_list (&tree->roots, &list), 0);
    if (!list)
        return;
    record = tree_record (tree, list);
    compare (name, record);
    check_find (tree, record);
    free (record);
    dg_targets_free (list);
}

static void
check_table (void)
{
    uint32_t n = 0;
    const DgLinkRow *rows = dg_link_table (&n);

    CHECK (n >= 20);
    for (uint32_t i = 0; i < n; i++) {
        CHECK (dg_link_table_find (rows[i].key) == &rows[i]); /* so that no key stands twice */
        CHECK (rows[i].practical_low_bytes_per_s > 0
               && rows[i].practical_low_bytes_per_s < rows[i].practical_high_bytes_per_s);
        CHECK (rows[i].practical_high_bytes_per_s < rows[i].after_coding_bytes_per_s);
        CHECK (rows[i].after_coding_bytes_per_s <= rows[i].line_bits_per_s / 8);
        CHECK (rows[i].name[0] && rows[i].source[0]);
    }
    CHECK (dg_link_table_find ("") == NULL && dg_link_table_find ("usb-10000-bot") == NULL);
    CHECK_U64 (dg_link_table_find ("sata-6000")->after_coding_bytes_per_s, 600000000);
}

int
main (int argc, char **argv)
{
    char fixtures[4096];
    unsigned n = 0, failed = 0;
    bool can_unpack = true;

    is_writing = argc > 2 && strcmp (argv[2], "--write") == 0;
    source_folder = argc > 1 ? argv[1] : ".";
    snprintf (fixtures, sizeof fixtures, "%s/fixtures", source_folder);
    setvbuf (stdout, NULL, _IOLBF, 0);
    unsetenv ("XDG_CACHE_HOME");
    setenv ("HOME", "/nonexistent", 1);
    printf ("1..%u\n", tree_n_recorded + n_built + 1);
    check_table ();
    printf ("%s %u - table\n", check_failures == 0 ? "ok" : "not ok", ++n);
    failed += check_failures != 0;
    for (unsigned i = 0; i < tree_n_recorded; i++) {
        Tree tree;
        check_failures = 0;
        tree_init (&tree);
        can_unpack = can_unpack && tree_fixture (&tree, fixtures, tree_recorded[i]);
        if (can_unpack)
            check_list (&tree, tree_recorded[i]);
        tree_done (&tree);
        printf ("%s %u - %s%s\n", check_failures == 0 ? "ok" : "not ok", ++n, tree_recorded[i],
                can_unpack ? "" : " # SKIP no tar with xz");
        failed += check_failures != 0;
    }
    for (unsigned i = 0; i < n_built; i++) {
        Tree tree;
        check_failures = 0;
        tree_init (&tree);
        built[i].build (&tree);
        check_list (&tree, built[i].name);
        tree_done (&tree);
        printf ("%s %u - %s\n", check_failures == 0 ? "ok" : "not ok", ++n, built[i].name);
        failed += check_failures != 0;
    }
    return failed != 0;
}
