/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file whose unbuffered I/O must be a multiple of more than its volume tells, as on shares: the
 * result says so, and a queue refuses what is less. Wine asks for nothing. */
#include <windows.h>

#include "engine/windows/volume.h"

static uint32_t asked_bytes;

static uint32_t
fake_sector (HANDLE file)
{
    return asked_bytes;
}

#define dg__file_sector_bytes fake_sector
#include "engine/windows/backends.c"
#include "engine/windows/test-file.c"
#undef dg__file_sector_bytes

#include "tests/engine/check.h"
#include "tests/io/files.h"

#include "engine/backend.h"
#include "engine/data.h"

#define MIB ((uint64_t) 1 << 20)

static char folder[512];

/* What a read of so many bytes comes to. */
static int32_t
read_some (const DgTestFile *file, uint32_t bytes)
{
    const DgBackend *backend = dg__backend_find (DG_BACKEND_OVERLAPPED);
    DgQueueSetup setup = { .handle = dg__test_file_handle (file),
                           .path = dg__test_file_path (file),
                           .queue_depth = 1,
                           .block_bytes = bytes };
    DgErrorDetail detail = { 0 };
    DgQueue *queue = NULL;
    DgCompletion done = { 9, 9 };
    uint64_t allocated;
    unsigned char *memory = dg__memory_new (4096, &allocated);
    DgIo io = { 0, memory, bytes, 0, false }, *list = &io;
    CHECK (backend->open (&setup, &queue, &detail) == DG_OK);
    if (queue != NULL)
        CHECK (backend->exchange (queue, &list, 1, 1, &done, 1) == 1);
    backend->close (queue);
    dg__memory_free (memory, allocated);
    return done.result;
}

static void
told_and_kept (void)
{
    static const uint32_t rows[] = { 512, 1024, 4096 };
    DgPlanTarget target = { .folder = folder, .file_bytes = MIB, .handle = -1 };
    DgPlan plan = { .targets = &target, .n_targets = 1, .seed = 1 };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        DgTestFile *file = NULL;
        DgErrorDetail detail = { 0 };
        asked_bytes = rows[i];
        CHECK (dg__test_file_create (&target, &plan, &file, &detail) == DG_OK);
        if (file == NULL)
            continue;
        uint64_t least = dg__test_file_result (file)->logical_block_bytes;
        CHECK_U64 (least,
                   rows[i] > file->volume.sector_bytes ? rows[i] : file->volume.sector_bytes);
        CHECK_U64 (read_some (file, (uint32_t) least), least);
        if (rows[i] > 512)
            CHECK (read_some (file, (uint32_t) least / 2) == -ERROR_INVALID_PARAMETER);
        dg__test_file_close (file);
    }
    CHECK_U64 (files_count (folder), 0);
}

int
main (int argc, char **argv)
{
    static const Case cases[] = { { "a file that asks for more than its volume", told_and_kept } };
    if (!files_place (folder, sizeof folder, "drivegauge-sector") || !files_make_folder (folder)) {
        printf ("1..0 # SKIP no folder to write in: set DG_TEST_FOLDER\n");
        return 0;
    }
    int failed = run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
    return !files_remove_folder (folder) || failed != 0;
}
