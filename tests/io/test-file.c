/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the test file owes, on a real file system: DG_TEST_FOLDER, else the current folder. */
#include "tests/engine/check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/clock.h"
#include "engine/data.h"
#include "engine/engine.h"
#include "engine/linux/fs-type.h"
#include "engine/linux/test-file-private.h"

#define MIB ((uint64_t) 1 << 20)

static char folder[512];

/* ---- helpers ---- */

static int
make (uint64_t bytes, const DgPlan *plan, DgTestFile **ret_file, DgErrorDetail *ret_detail)
{
    DgPlan plain = { .seed = 1 };
    DgPlanTarget target = { .folder = folder, .file_bytes = bytes, .handle = -1 };
    *ret_file = NULL;
    return dg__test_file_create (&target, plan == NULL ? &plain : plan, ret_file, ret_detail);
}

static DgTestFile *
make_prepared (uint64_t bytes, DgData data)
{
    DgTestFile *file;
    DgErrorDetail detail = { 0 };
    DgPrepareProgress progress = { 0 };
    CHECK (make (bytes, NULL, &file, &detail) == DG_OK);
    if (file == NULL)
        return NULL;
    CHECK (dg__test_file_prepare (file, data, 1, &progress, &detail) == DG_OK);
    CHECK_U64 (progress.prepared_bytes, (bytes + 4095) / 4096 * 4096);
    return file;
}

static unsigned
count_entries (void)
{
    unsigned n = 0;
    DIR *dir = opendir (folder);
    for (struct dirent *e; dir != NULL && (e = readdir (dir)) != NULL;)
        n += e->d_name[0] != '.';
    closedir (dir);
    return n;
}

static uint64_t
free_bytes (void)
{
    struct statfs fs;
    int fd = open (folder, O_RDONLY | O_DIRECTORY);
    syncfs (fd);
    CHECK (fstatfs (fd, &fs) == 0);
    close (fd);
    return (uint64_t) fs.f_bfree * (uint64_t) fs.f_bsize;
}

static void
in_folder (char *ret_path, const char *name)
{
    snprintf (ret_path, 1024, "%s/%s", folder, name);
}

static int
compare_words (const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
    return x < y ? -1 : x > y;
}

/* ---- cases ---- */

static void
written_in_full (void)
{
    const uint64_t size = 24 * MIB;
    DgTestFile *file = make_prepared (size, DG_DATA_RANDOM);
    if (file == NULL)
        return;
    const DgFileResult *r = dg__test_file_result (file);
    CHECK_U64 (r->size_bytes, size);
    CHECK_U64 (r->prepare_bytes, size);
    CHECK_U64 (r->missing_bytes, 0);
    CHECK (r->prepare_ns > 0);
    CHECK (r->alignment_bytes >= 4096 && (r->alignment_bytes & (r->alignment_bytes - 1)) == 0);
    CHECK_U64 (count_entries (), r->name_visible ? 1 : 0);

    struct stat st;
    CHECK (fstat ((int) dg__test_file_handle (file), &st) == 0);
    CHECK_U64 (st.st_mode & 07777, 0600);
    CHECK_U64 (st.st_size, size);
    CHECK ((uint64_t) st.st_blocks * 512 >= size);

    uint64_t memory_bytes, n = size / DG_SECTOR_BYTES, same = 0;
    unsigned char *bytes = dg__memory_new (size, &memory_bytes);
    uint64_t *words = malloc (n * sizeof *words);
    CHECK (pread ((int) dg__test_file_handle (file), bytes, size, 0) == (ssize_t) size);
    for (uint64_t i = 0; i < n; i++)
        memcpy (&words[i], bytes + i * DG_SECTOR_BYTES, sizeof *words);
    qsort (words, n, sizeof *words, compare_words);
    for (uint64_t i = 1; i < n; i++)
        same += words[i] == words[i - 1];
    CHECK_U64 (same, 0); /* sectors begin with their stamp */

    uint64_t counts[256] = { 0 };
    double worst = 0;
    for (uint64_t i = 0; i < size; i++)
        counts[bytes[i]]++;
    for (unsigned i = 0; i < 256; i++)
        worst = fmax (worst, fabs ((double) counts[i] * 256 / (double) size - 1));
    CHECK (worst < 0.02); /* all bytes are equally frequent */
    free (words);
    dg__memory_free (bytes, memory_bytes);
    dg__test_file_close (file);
    CHECK_U64 (count_entries (), 0);
}

static void
zeros_where_asked (void)
{
    DgTestFile *file = make_prepared (2 * MIB, DG_DATA_ZERO);
    if (file == NULL)
        return;
    uint64_t memory_bytes, others = 0;
    unsigned char *bytes = dg__memory_new (2 * MIB, &memory_bytes);
    memset (bytes, 255, 2 * MIB);
    CHECK (pread ((int) dg__test_file_handle (file), bytes, 2 * MIB, 0) == (ssize_t) (2 * MIB));
    for (uint64_t i = 0; i < 2 * MIB; i++)
        others += bytes[i] != 0;
    CHECK_U64 (others, 0);
    CHECK_U64 (dg__test_file_result (file)->missing_bytes, 0);
    dg__memory_free (bytes, memory_bytes);
    dg__test_file_close (file);
}

static void
odd_sizes (void)
{
    const uint64_t sizes[] = { 512, 4096, 65536 + 512, 5 * MIB + 4096 };
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        DgTestFile *file = make_prepared (sizes[i], DG_DATA_RANDOM);
        if (file == NULL)
            continue;
        CHECK_U64 (dg__test_file_result (file)->size_bytes, sizes[i]);
        CHECK_U64 (dg__test_file_result (file)->missing_bytes, 0);
        dg__test_file_close (file);
    }
    DgTestFile *file;
    DgErrorDetail detail;
    CHECK (make (0, NULL, &file, &detail) == DG_ERROR_INVALID);
    CHECK (make (UINT64_MAX, NULL, &file, &detail) == DG_ERROR_INVALID);
}

typedef struct {
    DgPrepareProgress progress;
    _Atomic uint64_t stopped_ns;
} Stopper;

static void *
stop_soon (void *data)
{
    Stopper *s = data;
    while (atomic_load (&s->progress.prepared_bytes) == 0)
        usleep (500);
    atomic_store (&s->stopped_ns, dg__clock_ns ());
    atomic_store (&s->progress.stop, true);
    return NULL;
}

static void
stop_while_preparing (void)
{
    uint64_t before = free_bytes ();
    DgTestFile *file;
    DgErrorDetail detail = { 0 };
    Stopper s = { 0 };
    pthread_t thread;
    CHECK (make (1024 * MIB, NULL, &file, &detail) == DG_OK);
    if (file == NULL)
        return;
    pthread_create (&thread, NULL, stop_soon, &s);
    CHECK (dg__test_file_prepare (file, DG_DATA_RANDOM, 1, &s.progress, &detail)
           == DG_ERROR_STOPPED);
    uint64_t now = dg__clock_ns ();
    pthread_join (thread, NULL);
    CHECK (now - s.stopped_ns < 1000000000u);
    CHECK (s.progress.prepared_bytes < 1024 * MIB);
    CHECK_U64 (dg__test_file_result (file)->prepare_bytes, s.progress.prepared_bytes);
    dg__test_file_close (file);
    CHECK_U64 (count_entries (), 0);
    for (unsigned i = 0; i < 20 && free_bytes () + 16 * MIB < before; i++)
        usleep (100000);
    CHECK (free_bytes () + 64 * MIB >= before); /* others use this file system, too */
}

static void
expect_refused (const char *where, int code)
{
    DgPlan plan = { .seed = 1 };
    DgPlanTarget target = { .folder = where, .file_bytes = MIB, .handle = -1 };
    DgTestFile *file = NULL;
    DgErrorDetail detail = { 0 };
    int error = dg__test_file_create (&target, &plan, &file, &detail);
    if (error != code)
        printf ("# %s: %d instead of %d\n", where, error, code);
    CHECK (error == code);
    CHECK (file == NULL && detail.operation != NULL);
    dg__test_file_close (file);
}

static void
refused_places (void)
{
    char path[1024];
    in_folder (path, "none");
    expect_refused (path, DG_ERROR_NOT_FOUND);
    in_folder (path, "file");
    close (open (path, O_CREAT | O_WRONLY, 0600));
    expect_refused (path, DG_ERROR_NOT_DIRECTORY);
    unlink (path);
    in_folder (path, "fifo");
    mkfifo (path, 0600);
    expect_refused (path, DG_ERROR_NOT_DIRECTORY);
    unlink (path);
    expect_refused ("/dev/null", DG_ERROR_NOT_DIRECTORY);
    expect_refused ("/proc", DG_ERROR_NOT_A_DISK);
    expect_refused ("/sys", DG_ERROR_NOT_A_DISK);
    expect_refused ("/dev", DG_ERROR_NOT_A_DISK);
    if (geteuid () != 0) {
        in_folder (path, "closed");
        mkdir (path, 0500);
        expect_refused (path, DG_ERROR_NOT_PERMITTED);
        rmdir (path);
    }
}

static void
too_large (void)
{
    DgTestFile *file;
    DgErrorDetail detail = { 0 };
    const uint64_t huge = UINT64_C (1) << 52;
    CHECK (make (huge, NULL, &file, &detail) == DG_ERROR_NO_SPACE);
    CHECK (detail.needed_bytes >= huge + 64 * MIB);
    CHECK (detail.available_bytes > 0 && detail.available_bytes < huge);
    CHECK_U64 (count_entries (), 0);

    /* The reserve that the caller names is kept free. */
    DgPlan plan = { .seed = 1 };
    DgPlanTarget target = {
        .folder = folder, .file_bytes = MIB, .handle = -1, .reserve_bytes = huge
    };
    CHECK (dg__test_file_create (&target, &plan, &file, &detail) == DG_ERROR_NO_SPACE);
    CHECK (detail.needed_bytes >= huge + MIB);
}

/* Past the process's own limit the kernel would kill us with SIGXFSZ. */
static void
file_size_limit (void)
{
    pid_t child = fork ();
    if (child == 0) {
        DgTestFile *file;
        DgErrorDetail detail;
        setrlimit (RLIMIT_FSIZE, &(struct rlimit){ 4 * MIB, 4 * MIB });
        _exit (make (8 * MIB, NULL, &file, &detail) == DG_ERROR_FILE_TOO_LARGE ? 0 : 1);
    }
    int status = -1;
    waitpid (child, &status, 0);
    CHECK (WIFEXITED (status) && WEXITSTATUS (status) == 0);
}

static int
touch (const char *name)
{
    char path[1024];
    in_folder (path, name);
    return open (path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
}

static void
leftovers (void)
{
    char path[1024], target[1024];
    int used = touch ("drivegauge-test-0123456789abcdef.tmp");
    CHECK (flock (used, LOCK_EX | LOCK_NB) == 0);
    close (touch ("drivegauge-test-00000000000000aa.tmp"));
    close (touch ("drivegauge-test-00000000000000ab.tmp"));
    /* Names that only look like ours, and things that are no files of ours. */
    close (touch ("drivegauge-test-00000000000000aa.tmp.keep"));
    close (touch ("drivegauge-test-00000000000000AA.tmp"));
    close (touch ("drivegauge-test-.tmp"));
    close (touch ("drivegauge-test-00000000000000a.tmp"));
    close (touch ("valuable"));
    in_folder (target, "valuable");
    in_folder (path, "drivegauge-test-00000000000000f1.tmp");
    CHECK (symlink (target, path) == 0);
    in_folder (path, "drivegauge-test-00000000000000f2.tmp");
    CHECK (mkdir (path, 0700) == 0);
    in_folder (path, "drivegauge-test-00000000000000f3.tmp");
    CHECK (mkfifo (path, 0600) == 0);

    CHECK_U64 (dg_test_files_remove_leftovers (folder), 2);
    CHECK_U64 (count_entries (), 9);
    CHECK (access (target, F_OK) == 0);
    close (used);
    DgTestFile *file;
    DgErrorDetail detail;
    CHECK (make (MIB, NULL, &file, &detail) == DG_OK); /* the next run visits, and says so */
    if (file != NULL)
        CHECK_U64 (dg__test_file_result (file)->leftovers_removed, 1);
    dg__test_file_close (file);
    CHECK_U64 (count_entries (), 8);
    CHECK_U64 (dg_test_files_remove_leftovers ("/nowhere at all"), 0);
    CHECK_U64 (dg_test_files_remove_leftovers (NULL), 0);

    static const char *const names[] = { "drivegauge-test-00000000000000aa.tmp.keep",
                                         "drivegauge-test-00000000000000AA.tmp",
                                         "drivegauge-test-.tmp",
                                         "drivegauge-test-00000000000000a.tmp",
                                         "valuable",
                                         "drivegauge-test-00000000000000f1.tmp",
                                         "drivegauge-test-00000000000000f2.tmp",
                                         "drivegauge-test-00000000000000f3.tmp" };
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        in_folder (path, names[i]);
        CHECK (remove (path) == 0);
    }
}

static void
names_removed_by_a_handler (void)
{
    int dir = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char name[DG_TEST_NAME_BYTES], other[DG_TEST_NAME_BYTES];
    CHECK (dg__test_name_new (name) && dg__test_name_new (other) && strcmp (name, other) != 0);
    close (touch (name));
    close (touch (other));
    pid_t child = fork ();
    if (child == 0) {
        setrlimit (RLIMIT_CORE, &(struct rlimit){ 0, 0 });
        signal (SIGTERM, SIG_IGN); /* what is ignored stays so */
        dg_test_files_guard_signals ();
        dg__test_name_unregister (
            dg__test_name_register (dir, other)); /* closed again: not touched */
        if (dg__test_name_register (dir, name) < 0)
            _exit (1);
        raise (SIGTERM);
        if (faccessat (dir, name, F_OK, 0) != 0)
            _exit (2);
        raise (SIGQUIT);
        _exit (3);
    }
    int status = -1;
    waitpid (child, &status, 0);
    CHECK (WIFSIGNALED (status) && WTERMSIG (status) == SIGQUIT);
    CHECK (faccessat (dir, name, F_OK, 0) != 0);
    CHECK (unlinkat (dir, other, 0) == 0);
    close (dir);
}

static void
cache_seen_by_both_means (void)
{
    char path[1024];
    int fd = touch ("cached");
    uint64_t size = 4 * MIB;
    char *bytes = calloc (1, size);
    bytes[5] = 1;
    CHECK (pwrite (fd, bytes, size, 0) == (ssize_t) size);
    CHECK (fdatasync (fd) == 0);
    uint64_t by_cachestat = dg__test_file_resident_by_cachestat (fd, 4096);
    CHECK_U64 (dg__test_file_resident_by_mincore (fd, size, 4096), size);
    CHECK (by_cachestat == size || by_cachestat == DG_UNKNOWN_U64);
    CHECK (posix_fadvise (fd, 0, 0, POSIX_FADV_DONTNEED) == 0);
    struct statfs fs;
    CHECK (fstatfs (fd, &fs) == 0);
    if (dg__fs_kind_from_magic ((uint64_t) fs.f_type) == DG_FS_DISK) {
        CHECK_U64 (dg__test_file_resident_by_mincore (fd, size, 4096), 0);
        CHECK_U64 (dg__test_file_resident_bytes (fd, size, 4096), 0);
    }
    free (bytes);
    close (fd);
    in_folder (path, "cached");
    unlink (path);
}

/* One who reads through the page cache is caught, whatever the descriptor says. */
static void
buffered_reads_are_refuted (void)
{
    DgTestFile *file = make_prepared (8 * MIB, DG_DATA_RANDOM);
    if (file == NULL)
        return;
    DgCacheState before, after;
    DgReason reason = NULL;
    char *bytes = malloc (8 * MIB);
    dg__test_file_drop_cache (file);
    dg__test_file_cache_state (file, &before);
    CHECK (pread (file->fd, bytes, 8 * MIB, 0) == (ssize_t) (8 * MIB));
    dg__test_file_cache_state (file, &after);
    CHECK (dg__test_file_judge (file, &before, &after, 8 * MIB, 0, 8 * MIB, &reason)
           == DG_DIRECT_REFUTED);
    if (file->kind == DG_FS_DISK && file->result.is_direct)
        CHECK_TEXT (reason, DG_REASON_CACHE_GREW);
    free (bytes);
    dg__test_file_close (file);
}

static void
write_through_and_flags (void)
{
    DgPlan plan = { .seed = 1, .write_through = true };
    DgTestFile *file;
    DgErrorDetail detail = { 0 };
    CHECK (make (MIB, &plan, &file, &detail) == DG_OK);
    if (file == NULL)
        return;
    CHECK ((fcntl ((int) dg__test_file_handle (file), F_GETFL) & O_DSYNC) != 0);
    CHECK ((fcntl (file->direct_fd, F_GETFL) & O_DSYNC) == 0);
    CHECK ((fcntl ((int) dg__test_file_handle (file), F_GETFD) & FD_CLOEXEC) != 0);
    bool is_direct = (fcntl ((int) dg__test_file_handle (file), F_GETFL) & O_DIRECT) != 0;
    CHECK (is_direct == file->result.is_direct);
    dg__test_file_set_buffered (file);
    CHECK ((fcntl ((int) dg__test_file_handle (file), F_GETFL) & O_DIRECT) == 0);
    CHECK (!dg__test_file_result (file)->is_direct
           && dg__test_file_result (file)->direct_reason != NULL);
    DgErrorDetail untouched = { .os_code = 77 };
    CHECK (dg__test_file_flush (file, &untouched) == DG_OK && untouched.os_code == 77);
    dg__test_file_close (file);
}

/* What the caller opened is used as it is: not a byte of it changes. */
static void
callers_own_descriptor (void)
{
    char path[1024], bytes[8192], again[8192];
    int fd = touch ("own");
    memset (bytes, 'x', sizeof bytes);
    CHECK (pwrite (fd, bytes, sizeof bytes, 0) == (ssize_t) sizeof bytes);
    DgPlan plan = { .seed = 1 };
    DgPlanTarget target = { .folder = NULL, .file_bytes = 8192, .handle = fd };
    DgPrepareProgress progress = { 0 };
    DgTestFile *file = NULL;
    DgErrorDetail detail = { 0 };
    CHECK (dg__test_file_create (&target, &plan, &file, &detail) == DG_OK);
    CHECK (dg__test_file_prepare (file, DG_DATA_RANDOM, 1, &progress, &detail) == DG_OK);
    CHECK (dg__test_file_nowait (file, 4096) != -2);
    CHECK_U64 (dg__test_file_handle (file), fd);
    CHECK_U64 (dg__test_file_result (file)->prepare_bytes, 0);
    CHECK (!dg__test_file_result (file)->is_direct);
    dg__test_file_close (file);
    CHECK (pread (fd, again, sizeof again, 0) == (ssize_t) sizeof again);
    CHECK (memcmp (bytes, again, sizeof bytes) == 0);
    close (fd);
    in_folder (path, "own");
    CHECK (unlink (path) == 0);

    target =
        (DgPlanTarget){ .folder = NULL, .file_bytes = MIB, .handle = open ("/dev/null", O_RDWR) };
    CHECK (dg__test_file_create (&target, &plan, &file, &detail) == DG_OK);
    CHECK (dg__test_file_flush (file, &detail) == DG_OK);
    dg__test_file_close (file);
    CHECK (close ((int) target.handle) == 0); /* still open: it is the caller's */

    target.handle = 9999;
    file = NULL;
    CHECK (dg__test_file_create (&target, &plan, &file, &detail) == DG_ERROR_INVALID
           && file == NULL);
}

static const Case cases[] = {
    { "written in full, each sector unlike all others", written_in_full },
    { "zeros where asked for", zeros_where_asked },
    { "sizes that are no whole blocks", odd_sizes },
    { "a stop while preparing", stop_while_preparing },
    { "places that are refused", refused_places },
    { "no space, and the reserve", too_large },
    { "the process's own file size limit", file_size_limit },
    { "what killed runs leave", leftovers },
    { "names removed in a signal handler", names_removed_by_a_handler },
    { "the page cache by cachestat and by mincore", cache_seen_by_both_means },
    { "buffered reads are refuted", buffered_reads_are_refuted },
    { "write-through, flags, buffered mode", write_through_and_flags },
    { "the caller's own descriptor", callers_own_descriptor },
};

int
main (int argc, char **argv)
{
    const char *base = getenv ("DG_TEST_FOLDER");
    snprintf (folder, sizeof folder, "%s/drivegauge-file-test.XXXXXX", base == NULL ? "." : base);
    if (mkdtemp (folder) == NULL) {
        printf ("1..0 # SKIP no folder to write in: set DG_TEST_FOLDER\n");
        return 0;
    }
    int failed = run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
    if (rmdir (folder) != 0) {
        printf ("# something is left in %s\n", folder);
        failed = 1;
    }
    return failed;
}
