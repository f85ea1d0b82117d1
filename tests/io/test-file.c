/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One list of what the test file owes, run on each system, on a real file system: DG_TEST_FOLDER,
 * else a folder that lies on a drive. */
#include "tests/engine/check.h"
#include "tests/io/files.h"

#include "engine/backend.h"
#include "engine/clock.h"
#include "engine/data.h"
#include "engine/engine.h"
#include "engine/test-file.h"
#include "engine/thread.h"

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
    CHECK (progress.prepared_bytes >= bytes
           && progress.prepared_bytes - bytes < dg__test_file_result (file)->alignment_bytes);
    return file;
}

static void
wait_ms (unsigned ms)
{
    dg__sleep_until_ns (dg__clock_ns () + ms * UINT64_C (1000000));
}

static void
in_folder (char *ret_path, const char *name)
{
    snprintf (ret_path, 1024, "%s/%s", folder, name);
}

static void
touch (const char *name)
{
    char path[1024];
    in_folder (path, name);
    files_close (files_open (path, FILES_NEW));
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
    CHECK_U64 (files_count (folder), r->name_visible ? 1 : 0);
    CHECK_U64 (files_size (dg__test_file_handle (file)), size);
    CHECK (files_allocated_bytes (dg__test_file_handle (file)) >= size);

    uint64_t memory_bytes, n = size / DG_SECTOR_BYTES, same = 0;
    unsigned char *bytes = dg__memory_new (size, &memory_bytes);
    uint64_t *words = malloc (n * sizeof *words);
    CHECK (files_read (dg__test_file_handle (file), bytes, size, 0) == (int64_t) size);
    for (uint64_t i = 0; i < n; i++)
        memcpy (&words[i], bytes + i / 8 * 8 * DG_SECTOR_BYTES + i % 8 * DG_STAMP_STEP_BYTES,
                sizeof *words);
    qsort (words, n, sizeof *words, compare_words);
    for (uint64_t i = 1; i < n; i++)
        same += words[i] == words[i - 1];
    CHECK_U64 (same, 0); /* no stamp is there twice */

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
    CHECK_U64 (files_count (folder), 0);
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
    CHECK (files_read (dg__test_file_handle (file), bytes, 2 * MIB, 0) == (int64_t) (2 * MIB));
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

static void
stop_soon (void *data)
{
    Stopper *s = data;
    while (atomic_load (&s->progress.prepared_bytes) == 0)
        wait_ms (1);
    atomic_store (&s->stopped_ns, dg__clock_ns ());
    atomic_store (&s->progress.stop, true);
}

static void
stop_while_preparing (void)
{
    uint64_t before = files_free_bytes (folder);
    DgTestFile *file;
    DgErrorDetail detail = { 0 };
    Stopper s = { 0 };
    DgThread *thread;
    CHECK (make (1024 * MIB, NULL, &file, &detail) == DG_OK);
    if (file == NULL)
        return;
    CHECK (dg__thread_start (&thread, "stopper", stop_soon, &s) == DG_OK);
    CHECK (dg__test_file_prepare (file, DG_DATA_RANDOM, 1, &s.progress, &detail)
           == DG_ERROR_STOPPED);
    uint64_t now = dg__clock_ns ();
    dg__thread_join (thread);
    CHECK (now - s.stopped_ns < 1000000000u);
    CHECK (s.progress.prepared_bytes < 1024 * MIB);
    CHECK_U64 (dg__test_file_result (file)->prepare_bytes, s.progress.prepared_bytes);
    dg__test_file_close (file);
    CHECK_U64 (files_count (folder), 0);
    for (unsigned i = 0; i < 20 && files_free_bytes (folder) + 16 * MIB < before; i++)
        wait_ms (100);
    CHECK (files_free_bytes (folder) + 64 * MIB >= before); /* others use this file system, too */
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
    touch ("file");
    in_folder (path, "file");
    expect_refused (path, DG_ERROR_NOT_DIRECTORY);
    files_remove (path);
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
    CHECK_U64 (files_count (folder), 0);

    /* The reserve that the caller names is kept free. */
    DgPlan plan = { .seed = 1 };
    DgPlanTarget target = {
        .folder = folder, .file_bytes = MIB, .handle = -1, .reserve_bytes = huge
    };
    CHECK (dg__test_file_create (&target, &plan, &file, &detail) == DG_ERROR_NO_SPACE);
    CHECK (detail.needed_bytes >= huge + MIB);
    target.reserve_bytes = UINT64_MAX - MIB / 2;
    CHECK (dg__test_file_create (&target, &plan, &file, &detail) == DG_ERROR_NO_SPACE);
    CHECK_U64 (detail.needed_bytes, UINT64_MAX); /* the sum does not wrap */
}

static void
leftovers (void)
{
    static const char *const others[] = {
        /* Names that only look like ours, and what is no file. */
        "drivegauge-test-00000000000000cc.tmp.keep", "drivegauge-test-00000000000000BC.tmp",
        "drivegauge-test-.tmp", "drivegauge-test-00000000000000a.tmp", "valuable"
    };
    const unsigned n = sizeof others / sizeof *others;
    char path[1024];
    in_folder (path, "drivegauge-test-0123456789abcdef.tmp");
    intptr_t used = files_open_used (path);
    CHECK (used != -1);
    touch ("drivegauge-test-00000000000000aa.tmp");
    touch ("drivegauge-test-00000000000000ab.tmp");
    for (unsigned i = 0; i < n; i++)
        touch (others[i]);
    in_folder (path, "drivegauge-test-00000000000000f2.tmp");
    CHECK (files_make_folder (path));

    CHECK_U64 (dg_test_files_remove_leftovers (folder), 2);
    CHECK_U64 (files_count (folder), n + 2);
    files_close (used);
    DgTestFile *file;
    DgErrorDetail detail;
    CHECK (make (MIB, NULL, &file, &detail) == DG_OK); /* the next run visits, and says so */
    if (file != NULL)
        CHECK_U64 (dg__test_file_result (file)->leftovers_removed, 1);
    dg__test_file_close (file);
    CHECK_U64 (files_count (folder), n + 1);
    CHECK_U64 (dg_test_files_remove_leftovers ("/nowhere at all"), 0);
    CHECK_U64 (dg_test_files_remove_leftovers (NULL), 0);

    files_remove_folder (path);
    for (unsigned i = 0; i < n; i++) {
        in_folder (path, others[i]);
        files_remove (path);
    }
    CHECK_U64 (files_count (folder), 0);
}

/* One block through a queue of the file's. */
static int32_t
one (const DgBackend *backend, DgQueue *queue, unsigned char *block, uint64_t offset, bool is_write)
{
    DgIo io = { offset, block, 4096, 0, is_write }, *list = &io;
    DgCompletion completion = { 0, -1 };
    int got = backend->exchange (queue, &list, 1, 1, &completion, 1);
    while (got == 0)
        got = backend->exchange (queue, NULL, 0, 1, &completion, 1);
    return got == 1 ? completion.result : -1;
}

static void
check_queues (const DgBackend *backend, DgTestFile *file)
{
    uint64_t allocated;
    unsigned char *memory = dg__memory_new (4096, &allocated);
    DgQueueSetup setup = { .handle = dg__test_file_handle (file),
                           .path = dg__test_file_path (file),
                           .memory = { memory, memory },
                           .memory_bytes = { allocated, allocated },
                           .queue_depth = 1,
                           .block_bytes = 4096 };
    /* A pass opens them, and the next one again. */
    for (unsigned pass = 0; pass < 3; pass++) {
        DgQueue *queues[2] = { NULL, NULL };
        DgErrorDetail detail = { 0 };
        for (unsigned i = 0; i < 2; i++)
            CHECK (backend->open (&setup, &queues[i], &detail) == DG_OK);
        if (queues[0] != NULL && queues[1] != NULL) {
            memset (memory, (int) (pass + 1), 4096);
            CHECK_U64 (one (backend, queues[0], memory, 65536, true), 4096);
            memset (memory, 0, 4096);
            CHECK_U64 (one (backend, queues[1], memory, 65536, false), 4096);
            CHECK (memory[0] == pass + 1 && memory[4095] == pass + 1);
        }
        for (unsigned i = 0; i < 2; i++)
            backend->close (queues[i]);
    }
    dg__memory_free (memory, allocated);
}

/* Whether it has a name or not, each worker opens it for itself. */
static void
queues_of_each_backend (void)
{
    for (const DgBackend *const *backend = dg__backends (); *backend != NULL; backend++) {
        DgErrorDetail detail = { 0 };
        if ((*backend)->id == DG_BACKEND_NULL || (*backend)->probe (&detail) != DG_OK)
            continue;
        for (unsigned through = 0; through < 2; through++) {
            DgStream stream = {
                .block_bytes = 4096, .queue_depth = 1, .threads = 2, .read_percent = 100
            };
            DgStep step = { .streams = &stream, .n_streams = 1 };
            DgPlanTarget target = { .folder = folder, .file_bytes = MIB, .handle = -1 };
            DgPlan plan = { .targets = &target,
                            .n_targets = 1,
                            .steps = &step,
                            .n_steps = 1,
                            .seed = 1,
                            .backend = (*backend)->id,
                            .write_through = through == 1 };
            DgTestFile *file = NULL;
            CHECK (dg__test_file_create (&target, &plan, &file, &detail) == DG_OK);
            if (file == NULL)
                continue;
            CHECK_U64 (files_count (folder), dg__test_file_result (file)->name_visible ? 1 : 0);
            check_queues (*backend, file);
            dg__test_file_close (file);
            CHECK_U64 (files_count (folder), 0);
        }
    }
}

static void
two_at_once (void)
{
    DgTestFile *files[2] = { make_prepared (MIB, DG_DATA_RANDOM), NULL };
    files[1] = make_prepared (MIB, DG_DATA_ZERO); /* does not take the first for a leftover */
    if (files[0] == NULL || files[1] == NULL)
        return;
    CHECK_U64 (dg__test_file_result (files[1])->leftovers_removed, 0);
    CHECK (files_count (folder) <= 2);
    dg__test_file_close (files[0]);
    uint64_t allocated;
    unsigned char *bytes = dg__memory_new (4096, &allocated);
    CHECK (files_read (dg__test_file_handle (files[1]), bytes, 4096, 0) == 4096 && bytes[9] == 0);
    dg__memory_free (bytes, allocated);
    dg__test_file_close (files[1]);
    CHECK_U64 (files_count (folder), 0);
}

/* A program that is about to die takes the names away; the run may go on meanwhile. */
static void
all_removed (void)
{
    DgTestFile *file = make_prepared (MIB, DG_DATA_ZERO);
    if (file == NULL)
        return;
    uint64_t allocated;
    unsigned char *bytes = dg__memory_new (4096, &allocated);
    dg_test_files_remove_all ();
    memset (bytes, 1, 4096);
    CHECK (files_read (dg__test_file_handle (file), bytes, 4096, 0) == 4096 && bytes[9] == 0);
    dg__memory_free (bytes, allocated);
    dg__test_file_close (file);
    CHECK_U64 (files_count (folder), 0);
    dg_test_files_remove_all ();

    /* not of a drive that does not answer; that file goes when it is closed */
    file = make_prepared (MIB, DG_DATA_ZERO);
    if (file == NULL)
        return;
    dg__test_file_leave (file);
    dg_test_files_remove_all ();
    CHECK_U64 (files_count (folder), dg__test_file_result (file)->name_visible ? 1 : 0);
    dg__test_file_close (file);
    CHECK_U64 (files_count (folder), 0);
}

/* What the caller opened is used as it is: not a byte of it changes. */
static void
callers_own_handle (void)
{
    char path[1024], bytes[8192], again[8192];
    in_folder (path, "own");
    intptr_t own = files_open (path, FILES_NEW);
    memset (bytes, 'x', sizeof bytes);
    CHECK (files_write (own, bytes, sizeof bytes, 0) == (int64_t) sizeof bytes);
    DgPlan plan = { .seed = 1 };
    DgPlanTarget target = { .folder = NULL, .file_bytes = 8192, .handle = own };
    DgPrepareProgress progress = { 0 };
    DgTestFile *file = NULL;
    DgErrorDetail detail = { 0 };
    CHECK (dg__test_file_create (&target, &plan, &file, &detail) == DG_OK);
    CHECK (dg__test_file_prepare (file, DG_DATA_RANDOM, 1, &progress, &detail) == DG_OK);
    CHECK_U64 (dg__test_file_handle (file), own);
    CHECK_U64 (dg__test_file_result (file)->prepare_bytes, 0);
    CHECK (!dg__test_file_result (file)->name_visible);
    DgErrorDetail untouched = { .os_code = 77 };
    CHECK (dg__test_file_flush (file, &untouched) == DG_OK && untouched.os_code == 77);
    dg__test_file_close (file);
    CHECK (files_read (own, again, sizeof again, 0) == (int64_t) sizeof again);
    CHECK (memcmp (bytes, again, sizeof bytes) == 0);
    files_close (own);
    CHECK_U64 (files_count (folder), 1); /* it is the caller's */
    files_remove (path);

    target.handle = 9996;
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
    { "what killed runs leave", leftovers },
    { "queues of each backend, pass after pass", queues_of_each_backend },
    { "two files in one folder", two_at_once },
    { "all names removed while in use", all_removed },
    { "the caller's own handle", callers_own_handle },
};

int
main (int argc, char **argv)
{
    if (!files_place (folder, sizeof folder, "drivegauge-file-test")
        || !files_make_folder (folder)) {
        printf ("1..0 # SKIP no folder to write in: set DG_TEST_FOLDER\n");
        return 0;
    }
    int failed = run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
    if (!files_remove_folder (folder)) {
        printf ("# something is left in %s\n", folder);
        failed = 1;
    }
    return failed;
}
