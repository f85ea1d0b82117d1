/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict on directness, and what it rests on: mounts, devices and counters from a made-up
 * sysfs and proc. */
#include "tests/engine/check.h"

#include <errno.h>
#include <ftw.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/linux/fs-type.h"
#include "engine/linux/test-file-private.h"
#include "engine/reason.h"

#define MIB ((uint64_t) 1 << 20)

static char root[512];

/* ---- a tree of files ---- */

static void
put (const char *path, const char *text)
{
    char full[1280];
    snprintf (full, sizeof full, "%s/%s", root, path);
    for (char *slash = strchr (full + strlen (root) + 1, '/'); slash != NULL;
         slash = strchr (slash + 1, '/')) {
        *slash = '\0';
        mkdir (full, 0700);
        *slash = '/';
    }
    FILE *file = fopen (full, "w");
    CHECK (file != NULL);
    if (file != NULL) {
        fputs (text, file);
        fclose (file);
    }
}

static void
link_to (const char *path, const char *target)
{
    char full[1280], there[1280];
    put (path, ""); /* makes the folders */
    snprintf (full, sizeof full, "%s/%s", root, path);
    snprintf (there, sizeof there, "%s/%s", root, target);
    unlink (full);
    CHECK (symlink (there, full) == 0);
}

/* `stat` with these sectors; in flight 3, time in queue 40 ms. */
static void
put_device (const char *folder, const char *number, uint64_t read, uint64_t written)
{
    char path[600], text[256];
    snprintf (path, sizeof path, "devices/%s/dev", folder);
    snprintf (text, sizeof text, "%s\n", number);
    put (path, text);
    snprintf (path, sizeof path, "dev/block/%s", number);
    snprintf (text, sizeof text, "devices/%s", folder);
    link_to (path, text);
    snprintf (path, sizeof path, "devices/%s/stat", folder);
    snprintf (text, sizeof text, "  10 0 %" PRIu64 " 5 20 0 %" PRIu64 " 7 3 12 40 0 0 0 0 1 1\n",
              read, written);
    put (path, text);
}

static void
make_tree (void)
{
    put_device ("sda", "8:0", 1000, 2000);
    put_device ("sda/sda1", "8:1", 100, 200);
    put ("devices/sda/sda1/partition", "1\n");
    put ("devices/sda/queue/iostats", "1\n");
    put ("devices/sda/queue/logical_block_size", "512\n");
    put ("devices/sda/queue/physical_block_size", "4096\n");
    put ("devices/sda/inflight", "       2        5\n");
    put_device ("sdb", "8:16", 3000, 4000);
    put_device ("dm-0", "253:0", 50, 60);
    link_to ("devices/dm-0/slaves/sda1", "devices/sda/sda1");
    link_to ("devices/dm-0/slaves/sdb", "devices/sdb");
    put_device ("dm-1", "253:1", 50, 60);
    link_to ("devices/dm-1/slaves/dm-0", "devices/dm-0");
    put_device ("loop0", "7:0", 9, 9);
    put ("devices/loop0/loop/dio", "0\n");
    put_device ("loop1", "7:1", 9, 9);
    put ("devices/loop1/loop/dio", "1\n");
    put_device ("dm-2", "253:2", 50, 60);
    link_to ("devices/dm-2/slaves/loop0", "devices/loop0");
    put_device ("sdc", "8:32", 0, 0);
    put ("devices/sdc/stat", "0 0 0 0 0 0 0 0 0 0 0\n");
    put_device ("sdd", "8:48", 1, 1);
    put ("devices/sdd/queue/iostats", "0\n");
    put_device ("md0", "9:0", 1, 1); /* a damaged tree: it lies on itself */
    link_to ("devices/md0/slaves/md0", "devices/md0");
    put_device ("md1", "9:1", 1, 1); /* on 64 drives, and md2 on one more */
    put_device ("md2", "9:2", 1, 1);
    for (unsigned i = 0; i <= DG_MAX_DEVICES; i++) {
        char name[16], number[16], from[64], to[64];
        snprintf (name, sizeof name, "sde%u", i);
        snprintf (number, sizeof number, "65:%u", i);
        put_device (name, number, 1, 1);
        snprintf (to, sizeof to, "devices/%s", name);
        for (unsigned k = 1 + (i == DG_MAX_DEVICES); k <= 2; k++) {
            snprintf (from, sizeof from, "devices/md%u/slaves/%s", k, name);
            link_to (from, to);
        }
    }
}

static DgDevices
one (uint32_t major, uint32_t minor)
{
    return (DgDevices){ .at = { { major, minor } }, .n = 1 };
}

/* ---- cases ---- */

static void
drives_below (void)
{
    DgDevices drives, from = one (8, 1);
    dg__devices_below (root, &from, &drives);
    CHECK_U64 (drives.n, 1);
    CHECK_U64 (drives.at[0].minor, 0);
    from = one (253, 1); /* dm on dm on a partition and a disk */
    dg__devices_below (root, &from, &drives);
    CHECK_U64 (drives.n, 2);
    CHECK_U64 (drives.at[0].major + drives.at[1].major, 16);
    CHECK_U64 (drives.at[0].minor + drives.at[1].minor, 16);
    from = (DgDevices){ .at = { { 8, 1 }, { 8, 0 }, { 253, 0 } }, .n = 3 };
    dg__devices_below (root, &from, &drives); /* each once */
    CHECK_U64 (drives.n, 2);
    from = one (77, 7);
    dg__devices_below (root, &from, &drives);
    CHECK_U64 (drives.n, 0);
    from = one (9, 0);
    dg__devices_below (root, &from, &drives);
    CHECK_U64 (drives.n, 0);

    from = one (9, 1);
    dg__devices_below (root, &from, &drives);
    CHECK_U64 (drives.n, DG_MAX_DEVICES);
    from = one (9, 2); /* a part of them says nothing of the whole */
    dg__devices_below (root, &from, &drives);
    CHECK_U64 (drives.n, 0);
}

static void
traits (void)
{
    DgDeviceTraits t;
    DgDevices from = one (8, 1);
    dg__device_traits (root, &from, &t);
    CHECK_U64 (t.logical_block_bytes, 512);
    CHECK_U64 (t.physical_block_bytes, 4096);
    CHECK (!t.has_caching_loop);
    from = one (7, 0);
    dg__device_traits (root, &from, &t);
    CHECK (t.has_caching_loop);
    CHECK_U64 (t.logical_block_bytes, 0);
    from = one (7, 1);
    dg__device_traits (root, &from, &t);
    CHECK (!t.has_caching_loop);
    from = one (253, 2); /* below a dm device it caches as well */
    dg__device_traits (root, &from, &t);
    CHECK (t.has_caching_loop);
}

static void
sums (void)
{
    DgDriveCounters c;
    DgDevices from = { .at = { { 8, 0 }, { 8, 16 } }, .n = 2 };
    DgCounters *counters = dg__counters_open (root, &from);
    CHECK (counters != NULL);
    dg__counters_read (counters, &c);
    CHECK_U64 (c.read_bytes, 4000 * 512);
    CHECK_U64 (c.written_bytes, 6000 * 512);
    CHECK_U64 (c.queue_time_ns, 80000000);
    CHECK_U64 (c.inflight, 7 + 3); /* from `inflight`, and from `stat` where there is none */
    dg__counters_close (counters);

    const DgDevices silent[] = { one (8, 32), one (8, 48), one (77, 7), { .n = 0 } };
    for (unsigned i = 0; i < sizeof silent / sizeof *silent; i++) {
        counters = dg__counters_open (root, &silent[i]);
        dg__counters_read (counters, &c);
        CHECK_U64 (c.read_bytes, DG_UNKNOWN_U64);
        CHECK_U64 (c.inflight, DG_UNKNOWN_U64);
        dg__counters_close (counters);
    }
    /* One of several that does not count makes the sum worthless. */
    from = (DgDevices){ .at = { { 8, 0 }, { 8, 32 } }, .n = 2 };
    counters = dg__counters_open (root, &from);
    dg__counters_read (counters, &c);
    CHECK_U64 (c.written_bytes, DG_UNKNOWN_U64);
    dg__counters_close (counters);
}

static void
mounts (void)
{
    DgFileMount m;
    put ("self/fdinfo/5", "pos:\t0\nflags:\t02100000\nmnt_id:\t41\nino:\t2\n");
    put ("self/fdinfo/6", "pos:\t0\n");
    put ("self/fdinfo/7", "mnt_id:\t999\n");
    put ("self/mountinfo", "4 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw\n"
                           "41 4 0:52 /sub /mnt/a\\040-\\040b rw,relatime shared:5 master:2 - "
                           "btrfs /dev/sdb rw,space_cache\n"
                           "42 4 0:53 / /mnt rw - fuse.sshfs host: rw\n");
    CHECK (dg__file_mount (root, 5, &m));
    CHECK_TEXT (m.type, "btrfs");
    CHECK_U64 (m.device.minor, 52);
    CHECK (!dg__file_mount (root, 6, &m));
    CHECK (!dg__file_mount (root, 7, &m));
    CHECK (!dg__file_mount (root, 8, &m));
    DgDevices d;
    m = (DgFileMount){ .type = "nfs4", .device = { 0, 61 } };
    dg__file_mount_devices (root, -1, &m, false, &d);
    CHECK_U64 (d.n, 0);
    m = (DgFileMount){ .type = "xfs", .device = { 8, 1 } };
    dg__file_mount_devices (root, -1, &m, false, &d);
    CHECK_U64 (d.n, 1);
}

static void
kinds (void)
{
    CHECK (dg__fs_kind (0x01021994, "tmpfs") == DG_FS_MEMORY);
    CHECK (dg__fs_kind (0x01021994, "devtmpfs") == DG_FS_PSEUDO);
    CHECK (dg__fs_kind (0x65735546, "fuseblk") == DG_FS_FUSE);
    CHECK (dg__fs_kind (0x65735546, "fuse.portal") == DG_FS_PSEUDO);
    CHECK (dg__fs_kind (0x65735546, NULL) == DG_FS_FUSE);
    CHECK (dg__fs_kind (0xFFFFFFFFFF534D42, NULL) == DG_FS_NETWORK); /* sign-extended */
    CHECK (dg__fs_kind (0xEF53, "ext4") == DG_FS_DISK);
    CHECK (dg__fs_kind (0x12345678, "something") == DG_FS_DISK);
    CHECK (dg__fs_kind (0x9FA0, NULL) == DG_FS_PSEUDO);
    CHECK (dg__fs_recovers_orphans (0xEF53) && dg__fs_recovers_orphans (0x58465342));
    CHECK (!dg__fs_recovers_orphans (0x4D44) && !dg__fs_recovers_orphans (0x2011BAB0)
           && !dg__fs_recovers_orphans (0x12345678));
    CHECK (dg__fs_is_copy_on_write (0x9123683E) && !dg__fs_is_copy_on_write (0xEF53));
    CHECK_U64 (dg__fs_max_file_bytes (0x4D44), 4294967295u);
    CHECK_U64 (dg__fs_max_file_bytes (0x2011BAB0), UINT64_MAX);
    CHECK_U64 (dg__fs_reserve_bytes (100 * MIB), 64 * MIB);
    CHECK_U64 (dg__fs_reserve_bytes (50000 * MIB), 1000 * MIB);
    CHECK_U64 (dg__fs_reserve_bytes (UINT64_C (1) << 50), 2048 * MIB);
}

/* One row of what is known of a pass of `bytes` bytes, and the verdict. */
typedef struct {
    const char *what;
    DgFsKind kind;
    bool is_direct, is_block_backed, has_caching_loop;
    DgWriteProbe probe;
    uint64_t grown;       /* resident bytes, UNKNOWN: no means */
    uint64_t device_seen; /* bytes, UNKNOWN: no counters */
    uint64_t read, written;
    DgDirectness direct;
    DgReason reason;
} Row;

#define NONE DG_UNKNOWN_U64

static const Row rows[] = {
    { "all in order", DG_FS_DISK, true, true, false, DG_PROBE_CLEAN, 0, 100 * MIB, 100 * MIB, 0,
      DG_DIRECT_PROVED, NULL },
    { "writes", DG_FS_DISK, true, true, false, DG_PROBE_CLEAN, 0, 100 * MIB, 0, 100 * MIB,
      DG_DIRECT_PROVED, NULL },
    { "1 % may grow", DG_FS_DISK, true, true, false, DG_PROBE_CLEAN, MIB, 100 * MIB, 100 * MIB, 0,
      DG_DIRECT_PROVED, NULL },
    { "more may not", DG_FS_DISK, true, true, false, DG_PROBE_CLEAN, MIB + 4096, 100 * MIB,
      100 * MIB, 0, DG_DIRECT_REFUTED, DG_REASON_CACHE_GREW },
    { "95 % seen", DG_FS_DISK, true, true, false, DG_PROBE_CLEAN, 0, 95 * MIB, 100 * MIB, 0,
      DG_DIRECT_PROVED, NULL },
    { "less seen", DG_FS_DISK, true, true, false, DG_PROBE_CLEAN, 0, 95 * MIB - 512, 100 * MIB, 0,
      DG_DIRECT_REFUTED, DG_REASON_DEVICE_SAW_LESS },
    { "less written", DG_FS_DISK, true, true, false, DG_PROBE_CLEAN, 0, 94 * MIB, 0, 100 * MIB,
      DG_DIRECT_REFUTED, DG_REASON_DEVICE_SAW_LESS },
    { "more seen: a mirror", DG_FS_DISK, true, true, false, DG_PROBE_CLEAN, 0, 200 * MIB, 0,
      100 * MIB, DG_DIRECT_PROVED, NULL },
    { "dirtied", DG_FS_DISK, true, true, false, DG_PROBE_DIRTIED, 0, 100 * MIB, 0, 100 * MIB,
      DG_DIRECT_REFUTED, DG_REASON_DIRTIED },
    { "dirtied says nothing of reads", DG_FS_DISK, true, true, false, DG_PROBE_DIRTIED, 0,
      100 * MIB, 100 * MIB, 0, DG_DIRECT_PROVED, NULL },
    { "a mix of both", DG_FS_DISK, true, true, false, DG_PROBE_DIRTIED, 0, 100 * MIB, 70 * MIB,
      30 * MIB, DG_DIRECT_REFUTED, DG_REASON_DIRTIED },
    { "refused", DG_FS_DISK, false, true, false, DG_PROBE_UNKNOWN, 0, 100 * MIB, 100 * MIB, 0,
      DG_DIRECT_REFUTED, DG_REASON_REFUSED_O_DIRECT },
    { "tmpfs", DG_FS_MEMORY, true, false, false, DG_PROBE_CLEAN, 0, NONE, 100 * MIB, 0,
      DG_DIRECT_REFUTED, DG_REASON_MEMORY },
    { "tmpfs of old", DG_FS_MEMORY, false, false, false, DG_PROBE_UNKNOWN, 0, NONE, 100 * MIB, 0,
      DG_DIRECT_REFUTED, DG_REASON_MEMORY },
    { "loop", DG_FS_DISK, true, true, true, DG_PROBE_CLEAN, 0, 100 * MIB, 100 * MIB, 0,
      DG_DIRECT_UNKNOWN, DG_REASON_LOOP_CACHES },
    { "loop, and cached above it", DG_FS_DISK, true, true, true, DG_PROBE_CLEAN, 9 * MIB, 100 * MIB,
      100 * MIB, 0, DG_DIRECT_REFUTED, DG_REASON_CACHE_GREW },
    { "overlay", DG_FS_OVERLAY, true, false, false, DG_PROBE_CLEAN, 0, NONE, 100 * MIB, 0,
      DG_DIRECT_UNKNOWN, DG_REASON_OVERLAY },
    { "fuseblk counts otherwise", DG_FS_FUSE, true, true, false, DG_PROBE_CLEAN, 0, 0, 100 * MIB, 0,
      DG_DIRECT_UNKNOWN, DG_REASON_FUSE },
    { "network", DG_FS_NETWORK, true, false, false, DG_PROBE_CLEAN, 0, NONE, 0, 100 * MIB,
      DG_DIRECT_UNKNOWN, DG_REASON_NETWORK },
    { "9p", DG_FS_9P, true, false, false, DG_PROBE_CLEAN, 0, NONE, 100 * MIB, 0, DG_DIRECT_UNKNOWN,
      DG_REASON_9P },
    { "zfs", DG_FS_ZFS, true, false, false, DG_PROBE_CLEAN, 0, NONE, 100 * MIB, 0,
      DG_DIRECT_UNKNOWN, DG_REASON_ZFS },
    { "counters alone", DG_FS_DISK, true, true, false, DG_PROBE_CLEAN, NONE, 100 * MIB, 100 * MIB,
      0, DG_DIRECT_PROVED, NULL },
    { "page cache alone", DG_FS_DISK, true, true, false, DG_PROBE_CLEAN, 0, NONE, 100 * MIB, 0,
      DG_DIRECT_PROVED, NULL },
    { "page cache alone, no device", DG_FS_DISK, true, false, false, DG_PROBE_CLEAN, 0, NONE,
      100 * MIB, 0, DG_DIRECT_UNKNOWN, DG_REASON_NO_MEANS },
    { "nothing", DG_FS_DISK, true, true, false, DG_PROBE_UNKNOWN, NONE, NONE, 100 * MIB, 0,
      DG_DIRECT_UNKNOWN, DG_REASON_NO_MEANS },
    { "no I/O", DG_FS_DISK, true, true, false, DG_PROBE_CLEAN, 0, 0, 0, 0, DG_DIRECT_UNKNOWN,
      DG_REASON_TOO_FEW },
    { "a few sectors", DG_FS_DISK, true, true, false, DG_PROBE_CLEAN, 0, 8192, 8192, 0,
      DG_DIRECT_UNKNOWN, DG_REASON_TOO_FEW },
};

static void
verdicts (void)
{
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Row *r = &rows[i];
        DgTestFile file = { .is_ours = true,
                            .kind = r->kind,
                            .is_block_backed = r->is_block_backed,
                            .has_caching_loop = r->has_caching_loop,
                            .write_probe = r->probe,
                            .page_bytes = 4096,
                            .result.is_direct = r->is_direct };
        DgCacheState before = { 5 * MIB, 7 * MIB, 9 * MIB }, after = before;
        after.resident_bytes = r->grown == NONE ? NONE : before.resident_bytes + r->grown;
        after.device_read_bytes =
            r->device_seen == NONE ? NONE : before.device_read_bytes + r->device_seen;
        after.device_written_bytes =
            r->device_seen == NONE ? NONE : before.device_written_bytes + r->device_seen;
        if (r->device_seen == NONE)
            before.device_read_bytes = before.device_written_bytes = NONE;
        DgReason reason = "untouched";
        DgDirectness direct = dg__test_file_judge (&file, &before, &after, r->read, r->written,
                                                   r->read + r->written, &reason);
        bool same = reason == r->reason
                    || (reason != NULL && r->reason != NULL && strcmp (reason, r->reason) == 0);
        if (direct != r->direct || !same)
            printf ("# %s: %d %s\n", r->what, (int) direct, reason == NULL ? "-" : reason);
        CHECK (direct == r->direct && same);
    }
}

static const Case cases[] = {
    { "whole drives below partitions, dm and md", drives_below },
    { "loop devices that cache, block sizes", traits },
    { "sums of counters", sums },
    { "the mount of an open file", mounts },
    { "what file system types mean", kinds },
    { "verdicts", verdicts },
};

static int
remove_entry (const char *path, const struct stat *st, int type, struct FTW *where)
{
    (void) st, (void) type, (void) where;
    return remove (path);
}

int
main (int argc, char **argv)
{
    snprintf (root, sizeof root, "%s/drivegauge-judge-test.XXXXXX",
              getenv ("TMPDIR") == NULL ? "/tmp" : getenv ("TMPDIR"));
    if (mkdtemp (root) == NULL) {
        printf ("1..0 # SKIP no folder for temporary files: set TMPDIR\n");
        return 0;
    }
    make_tree ();
    int failed = run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
    nftw (root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    return failed;
}
