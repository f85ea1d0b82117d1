/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is made of a file system's answers about the test file: where it lies, how much of it is
 * written, what the counters saw, how large it may be. Wine knows none of these. */
#include <windows.h>
#include <winioctl.h>

/* ---- the system ---- */

typedef struct {
    LONGLONG clusters, lcn; /* -1: a hole */
} Run;

static struct {
    const Run *runs;
    unsigned n_runs, n_at_once; /* more pieces than this take another call */
    BOOL tells_runs, tells_regions;
    LONGLONG valid_bytes;
    DWORD attributes;
    unsigned n_calls;
} world;

static BOOL
refuse (DWORD error)
{
    SetLastError (error);
    return FALSE;
}

static BOOL
answer_runs (LONGLONG from, RETRIEVAL_POINTERS_BUFFER *out, DWORD out_size, DWORD *ret_size)
{
    LONGLONG vcn = 0;
    unsigned i = 0, n = 0;
    world.n_calls++;
    for (; i < world.n_runs && vcn + world.runs[i].clusters <= from; i++)
        vcn += world.runs[i].clusters;
    out->StartingVcn.QuadPart = vcn;
    for (; i < world.n_runs && n < world.n_at_once; i++, n++) {
        if (16 + (n + 1) * 16 > out_size)
            break;
        vcn += world.runs[i].clusters;
        out->Extents[n].NextVcn.QuadPart = vcn;
        out->Extents[n].Lcn.QuadPart = world.runs[i].lcn;
    }
    out->ExtentCount = n;
    *ret_size = 16 + n * 16;
    return i == world.n_runs ? TRUE : refuse (ERROR_MORE_DATA);
}

static BOOL
answer_regions (const LONGLONG *in, unsigned char *out, DWORD *ret_size)
{
    DWORD *head = (DWORD *) out; /* FILE_REGION_OUTPUT: flags, all, these, reserved; then regions */
    LONGLONG *region = (LONGLONG *) (out + 16);
    memset (out, 0, 16 + 24);
    head[1] = head[2] = world.valid_bytes > 0;
    region[0] = in[0];
    region[1] = world.valid_bytes;
    *(DWORD *) (region + 2) = 1;
    *ret_size = 16 + 24 * head[2];
    return TRUE;
}

static BOOL
fake_control (HANDLE file, DWORD code, void *in, DWORD in_size, void *out, DWORD out_size,
              DWORD *ret_size, OVERLAPPED *overlapped)
{
    if (code == FSCTL_GET_RETRIEVAL_POINTERS && world.tells_runs)
        return answer_runs (((STARTING_VCN_INPUT_BUFFER *) in)->StartingVcn.QuadPart, out, out_size,
                            ret_size);
    if (code == FSCTL_GET_RETRIEVAL_POINTERS)
        return refuse (ERROR_INVALID_FUNCTION);
    if (world.tells_regions)
        return answer_regions (in, out, ret_size);
    return refuse (ERROR_INVALID_FUNCTION);
}

static BOOL
fake_information (HANDLE file, FILE_INFO_BY_HANDLE_CLASS which, void *out, DWORD size)
{
    *(FILE_BASIC_INFO *) out = (FILE_BASIC_INFO){ .FileAttributes = world.attributes };
    return TRUE;
}

#define DeviceIoControl              fake_control
#define GetFileInformationByHandleEx fake_information
#include "engine/windows/test-file-map.c"
#undef DeviceIoControl
#undef GetFileInformationByHandleEx

#include "tests/engine/check.h"

#include "engine/reason.h"
#include "engine/test-file.h"

#define CLUSTER 4096u
#define MIB     ((uint64_t) 1 << 20)

/* ---- cases ---- */

static void
extents_and_holes (void)
{
    static const Run whole[] = { { 256, 1000 } },
                     /* three pieces, two of them one after the other on the volume */
        pieces[] = { { 100, 1000 }, { 56, 1100 }, { 100, 5000 } },
                     hole[] = { { 100, 1000 }, { 56, -1 }, { 100, 1156 } };
    static const struct {
        const Run *runs;
        unsigned n, n_at_once;
        uint64_t extents, missing;
    } rows[] = {
        { whole, 1, 256, 1, 0 }, { pieces, 3, 256, 2, 0 },          { pieces, 3, 1, 2, 0 },
        { pieces, 3, 2, 2, 0 },  { hole, 3, 256, 2, 56 * CLUSTER }, { hole, 3, 1, 2, 56 * CLUSTER },
        { NULL, 0, 256, 0, 0 }
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        DgTestFile file = { .full_bytes = 256 * CLUSTER, .volume.cluster_bytes = CLUSTER };
        world = (__typeof__ (world)){ .runs = rows[i].runs,
                                      .n_runs = rows[i].n,
                                      .n_at_once = rows[i].n_at_once,
                                      .tells_runs = TRUE };
        CHECK (dg__test_file_check_map (&file) == (rows[i].missing == 0));
        CHECK_U64 (file.result.extents, rows[i].extents);
        CHECK_U64 (file.result.missing_bytes, rows[i].missing);
        CHECK (world.n_calls >= 1 && world.n_calls <= 4);
    }
}

/* A file of very many pieces takes several calls, each as full as it can be. */
static void
very_many_extents (void)
{
    Run runs[1000];
    for (unsigned i = 0; i < 1000; i++)
        runs[i] = (Run){ 2, 10 * (LONGLONG) i };
    for (unsigned n = 250; n < 260; n++) { /* about as many as one call has room for */
        DgTestFile file = { .full_bytes = 2 * n * CLUSTER, .volume.cluster_bytes = CLUSTER };
        world = (__typeof__ (world)){
            .runs = runs, .n_runs = n, .n_at_once = 1000, .tells_runs = TRUE
        };
        runs[n - 1].lcn = -1;
        CHECK (!dg__test_file_check_map (&file));
        CHECK_U64 (file.result.extents, n - 1);
        CHECK_U64 (file.result.missing_bytes, 2 * CLUSTER);
        runs[n - 1].lcn = 10 * (LONGLONG) (n - 1);
    }
    DgTestFile file = { .full_bytes = 2000 * CLUSTER, .volume.cluster_bytes = CLUSTER };
    world =
        (__typeof__ (world)){ .runs = runs, .n_runs = 1000, .n_at_once = 1000, .tells_runs = TRUE };
    CHECK (dg__test_file_check_map (&file));
    CHECK_U64 (file.result.extents, 1000);
    CHECK (world.n_calls >= 4 && world.n_calls < 10);
}

/* What lies behind the valid data length was never written, though it is allocated. */
static void
valid_data (void)
{
    static const Run whole[] = { { 256, 1000 } };
    static const struct {
        BOOL tells;
        LONGLONG valid;
        uint64_t missing;
    } rows[] = { { TRUE, 256 * CLUSTER, 0 },
                 { TRUE, 200 * CLUSTER, 56 * CLUSTER },
                 { TRUE, 0, 256 * CLUSTER },
                 { FALSE, 0, 0 } };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        DgTestFile file = { .full_bytes = 256 * CLUSTER, .volume.cluster_bytes = CLUSTER };
        world = (__typeof__ (world)){ .runs = whole,
                                      .n_runs = 1,
                                      .n_at_once = 9,
                                      .tells_runs = TRUE,
                                      .tells_regions = rows[i].tells,
                                      .valid_bytes = rows[i].valid };
        CHECK (dg__test_file_check_map (&file) == (rows[i].missing == 0));
        CHECK_U64 (file.result.missing_bytes, rows[i].missing);
    }
}

static void
compressed_and_silent (void)
{
    static const struct {
        DWORD attributes;
        bool is_good, is_compressed, is_encoded;
    } rows[] = { { FILE_ATTRIBUTE_NORMAL, true, false, false },
                 { FILE_ATTRIBUTE_COMPRESSED, false, true, true },
                 { FILE_ATTRIBUTE_ENCRYPTED, true, false, true } };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        DgTestFile file = { .full_bytes = MIB,
                            .volume.cluster_bytes = CLUSTER,
                            .result.extents = DG_UNKNOWN_U64 };
        world = (__typeof__ (world)){ .attributes = rows[i].attributes };
        CHECK (dg__test_file_check_map (&file) == rows[i].is_good);
        CHECK (file.result.is_compressed == rows[i].is_compressed
               && file.result.is_encoded == rows[i].is_encoded);
        CHECK_U64 (file.result.extents, DG_UNKNOWN_U64);
    }
}

static void
verdicts (void)
{
    static const struct {
        DgFsKind kind;
        bool is_direct, has_counters;
        uint64_t read, written, saw_read, saw_written, touched;
        DgDirectness verdict;
        DgReason reason;
    } rows[] = {
        { DG_FS_DISK, true, true, MIB, 0, MIB, 0, MIB, DG_DIRECT_PROVED, NULL },
        { DG_FS_DISK, true, true, 0, MIB, 0, 2 * MIB, MIB, DG_DIRECT_PROVED, NULL },
        { DG_FS_DISK, true, true, MIB, MIB, MIB * 96 / 100, MIB, MIB, DG_DIRECT_PROVED, NULL },
        { DG_FS_DISK, true, true, MIB, 0, MIB * 94 / 100, 0, MIB, DG_DIRECT_REFUTED,
          DG_REASON_DEVICE_SAW_LESS },
        { DG_FS_DISK, true, true, 0, MIB, 0, MIB / 2, MIB, DG_DIRECT_REFUTED,
          DG_REASON_DEVICE_SAW_LESS },
        { DG_FS_DISK, true, false, MIB, 0, 0, 0, MIB, DG_DIRECT_UNKNOWN, DG_REASON_NO_MEANS },
        { DG_FS_DISK, true, true, 4096, 0, 4096, 0, 4096, DG_DIRECT_UNKNOWN, DG_REASON_TOO_FEW },
        { DG_FS_DISK, false, true, MIB, 0, MIB, 0, MIB, DG_DIRECT_REFUTED,
          DG_REASON_REFUSED_O_DIRECT },
        { DG_FS_NETWORK, true, false, MIB, 0, 0, 0, MIB, DG_DIRECT_UNKNOWN, DG_REASON_NETWORK },
        { DG_FS_MEMORY, true, true, MIB, 0, MIB, 0, MIB, DG_DIRECT_REFUTED, DG_REASON_MEMORY },
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        DgTestFile file = { .volume.kind = rows[i].kind, .result.is_direct = rows[i].is_direct };
        uint64_t at = rows[i].has_counters ? 7 * MIB : DG_UNKNOWN_U64;
        DgCacheState before = { DG_UNKNOWN_U64, at, at }, after = before;
        DgReason reason = NULL;
        if (rows[i].has_counters) {
            after.device_read_bytes += rows[i].saw_read;
            after.device_written_bytes += rows[i].saw_written;
        }
        CHECK (dg__test_file_judge (&file, &before, &after, rows[i].read, rows[i].written,
                                    rows[i].touched, &reason)
               == rows[i].verdict);
        CHECK (
            reason == rows[i].reason
            || (reason != NULL && rows[i].reason != NULL && strcmp (reason, rows[i].reason) == 0));
    }
}

static void
largest_file (void)
{
    static const struct {
        const wchar_t *filesystem;
        uint64_t bytes;
    } rows[] = { { L"FAT32", UINT64_C (4294967295) },
                 { L"FAT", UINT64_C (2147483647) },
                 { L"exFAT", UINT64_MAX },
                 { L"NTFS", UINT64_MAX },
                 { L"ReFS", UINT64_MAX },
                 { L"", UINT64_MAX } };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        DgVolume volume = { .kind = DG_FS_DISK };
        wcscpy (volume.filesystem, rows[i].filesystem);
        CHECK_U64 (dg__volume_max_file_bytes (&volume), rows[i].bytes);
    }
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "extents and holes", extents_and_holes },
        { "very many extents", very_many_extents },
        { "valid data length", valid_data },
        { "compressed, encrypted, a file system that is silent", compressed_and_silent },
        { "proved, refuted, unknown", verdicts },
        { "the largest file", largest_file },
    };
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
