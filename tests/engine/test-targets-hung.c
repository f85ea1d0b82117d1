/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mounts that do not answer, and one that is too full, in a mount namespace of the test's own. The
 * silent one is a FUSE mount that nobody serves. */
#include "tests/engine/check.h"

#include "engine/targets.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char root[64];
static int fuse_fd = -1;

static double
now_ms (void)
{
    struct timespec now;

    clock_gettime (CLOCK_MONOTONIC, &now);
    return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

static void
write_text (const char *path, const char *text)
{
    int fd = open (path, O_WRONLY);

    if (fd >= 0 && write (fd, text, strlen (text)) < 0)
        printf ("# %s: %s\n", path, strerror (errno));
    if (fd >= 0)
        close (fd);
}

static bool
make_namespace (void)
{
    char text[64];
    uid_t uid = getuid ();
    gid_t gid = getgid ();

    if (unshare (CLONE_NEWNS | (uid == 0 ? 0 : CLONE_NEWUSER)) != 0)
        return false;
    if (uid != 0) {
        write_text ("/proc/self/setgroups", "deny");
        snprintf (text, sizeof text, "0 %u 1", uid);
        write_text ("/proc/self/uid_map", text);
        snprintf (text, sizeof text, "0 %u 1", gid);
        write_text ("/proc/self/gid_map", text);
    }
    return mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

static bool
mount_silent (const char *name)
{
    char path[128], options[128];
    int fd = open ("/dev/fuse", O_RDWR | O_CLOEXEC);

    snprintf (path, sizeof path, "%s/%s", root, name);
    snprintf (options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0", fd);
    if (fd < 0 || mkdir (path, 0755) != 0
        || mount (name, path, "fuse.silent", MS_NOSUID | MS_NODEV, options) != 0)
        return false;
    fuse_fd = fd;
    return true;
}

static const DgTarget *
by_source (const DgTargetList *list, const char *source)
{
    for (uint32_t i = 0; list && i < list->n_targets; i++)
        if (list->targets[i].source && strcmp (list->targets[i].source, source) == 0)
            return &list->targets[i];
    return NULL;
}

static double
timed_list (DgTargetList **ret_list)
{
    double start = now_ms ();

    dg_targets_free (*ret_list);
    *ret_list = NULL;
    CHECK_U64 (dg_targets_list (NULL, ret_list), 0);
    return now_ms () - start;
}

static void
silent_mounts (void)
{
    DgTargetList *list = NULL;
    DgErrorDetail detail = { 0 };
    const DgTarget *target;
    char path[128];
    double ms;
    int first;

    CHECK (mount_silent ("silent-1"));
    first = fuse_fd;
    CHECK (mount_silent ("silent-2"));
    ms = timed_list (&list);
    printf ("# two silent mounts: %.0f ms\n", ms);
    CHECK (ms >= 900 && ms < 2500); /* both at once */
    target = by_source (list, "silent-1");
    CHECK (target && target->use == DG_TARGET_NO_ANSWER && !target->folder
           && target->size_bytes == 0);
    target = by_source (list, "silent-2");
    CHECK (target && target->use == DG_TARGET_NO_ANSWER);

    ms = timed_list (&list);
    printf ("# again: %.0f ms\n", ms);
    CHECK (ms < 1000);
    target = by_source (list, "silent-1");
    CHECK (target && target->use == DG_TARGET_NO_ANSWER);
    dg_targets_free (list);
    list = NULL;

    snprintf (path, sizeof path, "%s/silent-1/folder", root);
    ms = now_ms ();
    CHECK (dg_targets_find (NULL, path, &list, &detail) == DG_ERROR_TIMED_OUT);
    CHECK (now_ms () - ms < 1000);
    CHECK (list && list->n_targets == 1 && list->targets[0].use == DG_TARGET_NO_ANSWER);
    CHECK_TEXT (list ? list->targets[0].source : NULL, "silent-1");
    CHECK_TEXT (list ? list->targets[0].folder : NULL, path);

    /* Its server gives up: the late answer (an error) comes, and it is asked again. */
    close (first);
    usleep (300000);
    ms = timed_list (&list);
    CHECK (ms < 1000);
    target = by_source (list, "silent-1");
    CHECK (target && target->use == DG_TARGET_NO_ANSWER);
    dg_targets_free (list);
    list = NULL;
    CHECK (dg_targets_find (NULL, path, &list, &detail) == DG_ERROR_GONE);
    CHECK_U64 (detail.os_code, ENOTCONN);
    dg_targets_free (list);
    close (
        fuse_fd); /* lets the other thread come back: a leak check cannot stop one that is away */
    usleep (300000);
}

static void
too_full (void)
{
    DgTargetList *list = NULL;
    DgErrorDetail detail = { 0 };
    const DgTarget *target;
    char path[128];

    snprintf (path, sizeof path, "%s/small", root);
    CHECK (mkdir (path, 0755) == 0 && mount ("small", path, "tmpfs", 0, "size=16m") == 0);
    timed_list (&list);
    target = by_source (list, "small");
    CHECK (target && target->use == DG_TARGET_FULL && target->fs_kind == DG_FS_MEMORY);
    CHECK_U64 (target ? target->size_bytes : 0, 16 << 20);
    CHECK_TEXT (target ? target->folder : NULL, path);
    dg_targets_free (list);
    list = NULL;
    CHECK (dg_targets_find (NULL, path, &list, &detail) == DG_ERROR_NO_SPACE);
    CHECK_U64 (detail.reserve_bytes, 64 << 20);
    CHECK_U64 (detail.available_bytes, 16 << 20);
    dg_targets_free (list);
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "too full", too_full },
        { "silent mounts", silent_mounts },
    };
    char probe[128];
    int fd = open ("/dev/fuse", O_RDWR | O_CLOEXEC);

    if (getenv ("DRIVEGAUGE_UNDER_VALGRIND") != NULL) {
        printf ("1..0 # SKIP under memcheck all threads wait for one that is in statfs()\n");
        return 0;
    }
    snprintf (root, sizeof root, "/tmp/dg-hung-XXXXXX");
    if (!mkdtemp (root) || fd < 0 || !make_namespace ()) {
        rmdir (root);
        printf ("1..0 # SKIP no mount namespace or no FUSE here: %s\n", strerror (errno));
        return 0;
    }
    close (fd);
    /* Everything below is gone with the namespace; the folder itself is not. */
    snprintf (probe, sizeof probe, "%s", root);
    if (mount ("dg-hung", root, "tmpfs", 0, "size=1m") != 0) {
        rmdir (root);
        printf ("1..0 # SKIP no tmpfs in a namespace here: %s\n", strerror (errno));
        return 0;
    }
    unsetenv ("XDG_CACHE_HOME");
    setenv ("HOME", "/nonexistent", 1);
    int failed = run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
    umount2 (root, MNT_DETACH);
    rmdir (probe);
    return failed;
}
