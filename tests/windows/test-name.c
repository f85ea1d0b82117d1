/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the test file loses its name, and what is done where that does not work: with the system's
 * own answers, and with those of systems that are not here. A name goes for the test by a rename
 * into another folder; where the file is to be opened by its handle afterwards it stays, for Wine
 * looks the name up even then. */
#include "tests/engine/check.h"
#include "tests/io/files.h"

#include "engine/backend.h"
#include "engine/data.h"
#include "engine/engine.h"
#include "engine/windows/path.h"
#include "engine/windows/test-file-name.h"

#define MIB ((uint64_t) 1 << 20)

static char folder[512], elsewhere[512];

/* What the system is, and what it was asked. */
static struct {
    bool unlinks, leaves_it_pending; /* a POSIX delete works, or leaves the file half deleted */
    bool opens_nameless;             /* once it has no name it can still be opened */
    bool only_says_so;
    bool mixes_up; /* … but what is opened is another file */
    unsigned n_unlinked;
    HANDLE other; /* another file */
} world;

static bool
fake_unlink (HANDLE file, const wchar_t *path, bool *ret_is_harmed)
{
    world.n_unlinked++;
    *ret_is_harmed = world.leaves_it_pending;
    if (!world.unlinks)
        return false;
    if (world.only_says_so)
        return true;
    char target[1024];
    snprintf (target, sizeof target, "%s/%u", elsewhere, world.n_unlinked);
    wchar_t *wide = dg__wide_path (target);
    CHECK (MoveFileExW (path, wide, 0));
    free (wide);
    return true;
}

static HANDLE
fake_reopen (HANDLE file, DWORD access, DWORD flags)
{
    bool is_nameless = files_count (folder) == 0;
    SetLastError (ERROR_ACCESS_DENIED);
    if (is_nameless && !world.opens_nameless)
        return INVALID_HANDLE_VALUE;
    return dg__name_calls.reopen (world.mixes_up ? world.other : file, access, flags);
}

static const DgNameCalls fake = { fake_unlink, fake_reopen };

/* ---- a plan ---- */

typedef struct {
    DgStream streams[2];
    DgStep steps[2];
    DgPlanTarget targets[2];
    DgPlan plan;
} Rig;

/* At most three workers at once on the second target; with a queue of 4 a thread. */
static void
rig_init (Rig *r, DgBackendId backend)
{
    *r = (Rig){ 0 };
    for (unsigned i = 0; i < 2; i++) {
        r->streams[i] = (DgStream){ .target = 1,
                                    .block_bytes = 4096,
                                    .queue_depth = 4,
                                    .threads = i + 1,
                                    .read_percent = 100 };
        r->targets[i] = (DgPlanTarget){ .folder = folder, .file_bytes = MIB, .handle = -1 };
    }
    r->steps[0] = (DgStep){ .streams = r->streams, .n_streams = 1 };
    r->steps[1] = (DgStep){ .streams = r->streams, .n_streams = 2 };
    r->plan = (DgPlan){ .targets = r->targets,
                        .n_targets = 2,
                        .steps = r->steps,
                        .n_steps = 2,
                        .seed = 1,
                        .backend = backend };
}

static DgTestFile *
make_by (const DgNameCalls *calls, Rig *r)
{
    DgTestFile *file = NULL;
    DgErrorDetail detail = { 0 };
    world.n_unlinked = 0;
    CHECK (dg__test_file_create_by (calls, &r->targets[1], &r->plan, &file, &detail) == DG_OK);
    return file;
}

/* Fills it as a run does, and reads a block of it through a queue. */
static void
check_use (DgTestFile *file, DgBackendId id)
{
    const DgBackend *backend = dg__backend_find (id);
    DgPrepareProgress progress = { 0 };
    DgErrorDetail detail = { 0 };
    uint64_t allocated;
    CHECK (dg__test_file_prepare (file, DG_DATA_RANDOM, 1, &progress, &detail) == DG_OK);
    CHECK_U64 (dg__test_file_result (file)->missing_bytes, 0);
    unsigned char *memory = dg__memory_new (8192, &allocated);
    DgQueueSetup setup = { .handle = dg__test_file_handle (file),
                           .path = dg__test_file_path (file),
                           .queue_depth = 4,
                           .block_bytes = 4096 };
    CHECK (files_read (dg__test_file_handle (file), memory + 4096, 4096, 4096) == 4096);
    for (unsigned pass = 0; pass < 3; pass++) {
        DgQueue *queues[3] = { NULL, NULL, NULL };
        for (unsigned i = 0; i < 3; i++) {
            DgIo io = { 4096, memory, 4096, 0, false }, *list = &io;
            DgCompletion done = { 9, 9 };
            CHECK (backend->open (&setup, &queues[i], &detail) == DG_OK);
            memset (memory, 0, 4096);
            if (queues[i] == NULL)
                continue;
            CHECK (backend->exchange (queues[i], &list, 1, 1, &done, 4) == 1);
            CHECK (done.slot == 0 && done.result == 4096
                   && memcmp (memory, memory + 4096, 4096) == 0);
        }
        for (unsigned i = 0; i < 3; i++)
            backend->close (queues[i]);
    }
    dg__memory_free (memory, allocated);
}

static unsigned
spares_of (DgTestFile *file, bool is_overlapped)
{
    DgSpare spares[64];
    DgSpares *lists[64];
    unsigned n = 0;
    while (n < 64 && (lists[n] = dg__spares_take (file->file, is_overlapped, &spares[n])) != NULL)
        n++;
    for (unsigned i = 0; i < n; i++)
        dg__spares_give_back (lists[i], spares[i]);
    return n;
}

static void
close_and_look (DgTestFile *file)
{
    dg__test_file_close (file);
    CHECK_U64 (files_count (folder), 0);
    for (unsigned i = 1; i <= world.n_unlinked; i++) { /* what the renames hid from Wine */
        char path[1024];
        snprintf (path, sizeof path, "%s/%u", elsewhere, i);
        files_remove (path);
    }
}

static const DgBackendId backends[] = { DG_BACKEND_OVERLAPPED, DG_BACKEND_THREADS };

/* ---- cases ---- */

static void
as_it_is_here (void)
{
    for (unsigned i = 0; i < 2; i++) {
        Rig r;
        rig_init (&r, backends[i]);
        DgTestFile *file = make_by (&dg__name_calls, &r);
        if (file == NULL)
            continue;
        printf ("# %s: the name %s\n", dg_backend_id_name (backends[i]),
                file->result.name_visible ? "stays" : "goes at once");
        CHECK (file->result.name_visible == (file->path != NULL));
        CHECK_U64 (files_count (folder), file->result.name_visible ? 1 : 0);
        check_use (file, backends[i]);
        close_and_look (file);
    }
}

static void
opened_by_handle (void)
{
    world = (__typeof__ (world)){ .unlinks = true, .opens_nameless = true, .only_says_so = true };
    for (unsigned i = 0; i < 2; i++) {
        Rig r;
        rig_init (&r, backends[i]);
        DgTestFile *file = make_by (&fake, &r);
        if (file == NULL)
            continue;
        CHECK (!file->result.name_visible && file->path == NULL && file->spares == NULL);
        CHECK_U64 (world.n_unlinked, 1);
        CHECK_U64 (spares_of (file, true) + spares_of (file, false), 0);
        check_use (file, backends[i]);
        close_and_look (file);
    }
}

static void
opened_in_time (void)
{
    world = (__typeof__ (world)){ .unlinks = true };
    for (unsigned i = 0; i < 2; i++) {
        Rig r;
        rig_init (&r, backends[i]);
        DgTestFile *file = make_by (&fake, &r);
        if (file == NULL)
            continue;
        CHECK (!file->result.name_visible && file->path == NULL && file->spares != NULL);
        CHECK_U64 (world.n_unlinked, 2); /* the first try's file was thrown away */
        CHECK_U64 (files_count (folder), 0);
        CHECK_U64 (spares_of (file, true), i == 0 ? 3 : 0);
        CHECK_U64 (spares_of (file, false), i == 0 ? 0 : 12);
        check_use (file, backends[i]);
        CHECK_U64 (spares_of (file, i == 0), i == 0 ? 3 : 12); /* all are back */
        close_and_look (file);
    }
}

/* Everything seems to work, but what is read is not what was written. */
static void
not_believed (void)
{
    char path[1024];
    snprintf (path, sizeof path, "%s/other", elsewhere);
    intptr_t other = files_open (path, FILES_NEW);
    world = (__typeof__ (world)){
        .unlinks = true, .opens_nameless = true, .mixes_up = true, .other = (HANDLE) other
    };
    Rig r;
    rig_init (&r, DG_BACKEND_OVERLAPPED);
    DgTestFile *file = make_by (&fake, &r);
    if (file != NULL) {
        CHECK (file->result.name_visible && file->path != NULL && file->spares == NULL);
        CHECK_U64 (world.n_unlinked, 2);
        CHECK_U64 (files_count (folder), 1);
        check_use (file, DG_BACKEND_OVERLAPPED);
        close_and_look (file);
    }
    files_close (other);
    files_remove (path);
}

static void
name_kept (void)
{
    for (unsigned pending = 0; pending < 2; pending++) {
        world = (__typeof__ (world)){ .opens_nameless = true, .leaves_it_pending = pending == 1 };
        Rig r;
        rig_init (&r, DG_BACKEND_AUTO);
        DgTestFile *file = make_by (&fake, &r);
        if (file == NULL)
            continue;
        CHECK (file->result.name_visible && file->path != NULL && file->spares == NULL);
        CHECK_U64 (world.n_unlinked, pending == 1 ? 2 : 1);
        CHECK_U64 (files_count (folder), 1);
        check_use (file, DG_BACKEND_OVERLAPPED);
        close_and_look (file);
    }
}

/* Given up with a queue still open: its handle goes when the queue does. */
static void
closed_under_a_queue (void)
{
    world = (__typeof__ (world)){ .unlinks = true };
    Rig r;
    rig_init (&r, DG_BACKEND_OVERLAPPED);
    DgTestFile *file = make_by (&fake, &r);
    if (file == NULL)
        return;
    const DgBackend *backend = dg__backend_find (DG_BACKEND_OVERLAPPED);
    DgErrorDetail detail = { 0 };
    DgQueueSetup setup = { .handle = dg__test_file_handle (file), .queue_depth = 1 };
    DgQueue *queue = NULL;
    uint64_t allocated;
    unsigned char *memory = dg__memory_new (4096, &allocated);
    CHECK (backend->open (&setup, &queue, &detail) == DG_OK);
    close_and_look (file);
    DgIo io = { 0, memory, 4096, 0, false }, *list = &io;
    DgCompletion done = { 9, 9 };
    CHECK (backend->exchange (queue, &list, 1, 1, &done, 1) == 1 && done.result == 4096);
    backend->close (queue);
    dg__memory_free (memory, allocated);
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "as it is here", as_it_is_here },
        { "without a name, opened by the handle that made it", opened_by_handle },
        { "without a name, opened in time", opened_in_time },
        { "what does not hold what was written is thrown away", not_believed },
        { "the name stays", name_kept },
        { "closed under a queue", closed_under_a_queue },
    };
    if (!files_place (folder, sizeof folder, "drivegauge-name")
        || !files_place (elsewhere, sizeof elsewhere, "drivegauge-else")
        || !files_make_folder (folder) || !files_make_folder (elsewhere)) {
        printf ("1..0 # SKIP no folder to write in: set DG_TEST_FOLDER\n");
        return 0;
    }
    int failed = run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
    bool is_clean = files_remove_folder (folder);
    is_clean &= files_remove_folder (elsewhere);
    if (!is_clean)
        printf ("# something is left in %s or %s\n", folder, elsewhere);
    return failed != 0 || !is_clean;
}
