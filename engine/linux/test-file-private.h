/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by engine/linux/test-file*.c only. */
#pragma once

#include "engine/linux/counters.h"
#include "engine/linux/leftovers.h"
#include "engine/targets.h"
#include "engine/test-file.h"

typedef enum {
    DG_PROBE_UNKNOWN,
    DG_PROBE_CLEAN,
    DG_PROBE_DIRTIED
} DgWriteProbe;

struct DgTestFile {
    DgFileResult result;
    bool is_ours;                  /* false: the caller's descriptor, used as it is */
    int fd;                        /* made the file and holds the lock; buffered */
    int direct_fd;                 /* prepares it; O_DIRECT unless that was refused */
    int io_fd;                     /* for the workers: direct_fd, or one with O_DSYNC */
    int folder_fd;                 /* of a visible name; -1 */
    int place;                     /* in the list of names to remove; -1 */
    char name[DG_TEST_NAME_BYTES]; /* "" when it has none */
    char *path;                    /* (owned) (nullable) of a visible name */
    uint64_t full_bytes;           /* its length: size_bytes rounded up to the alignment */
    bool is_allocated;             /* fallocate worked: it may be written in any order */
    uint64_t f_type;
    DgFsKind kind;
    bool is_block_backed; /* the file system lies on block devices that are known */
    bool has_caching_loop;
    uint64_t page_bytes;
    DgWriteProbe write_probe;
    DgCounters *mounted; /* (owned) (nullable) of the devices that the file system lies on */
    DgCounters *drives;  /* (owned) (nullable) of the whole drives below */
};

/* Fills the detail (nullable) and turns errno's value into a DgError. */
int dg__test_file_fail (DgErrorDetail *ret_detail, const char *operation, uint64_t offset_bytes,
                        uint64_t length_bytes, int os_code);

/* O_DIRECT was refused, at open or at transfer: all descriptors become buffered. */
void dg__test_file_set_buffered (DgTestFile *file);

/* Page cache residency in bytes: cachestat (2), where the kernel lacks it mincore (2);
 * DG_UNKNOWN_U64 when neither. */
uint64_t dg__test_file_resident_bytes (int fd, uint64_t size_bytes, uint64_t page_bytes);
uint64_t dg__test_file_resident_by_cachestat (int fd, uint64_t page_bytes);
uint64_t dg__test_file_resident_by_mincore (int fd, uint64_t size_bytes, uint64_t page_bytes);

/* Do "direct" writes go through the page cache after all? Overwrites the first DG_PROBE_BYTES (a
 * smaller file several times), three times at most. `pool`: as many bytes of data, 4096-aligned;
 * they get new stamps. DG_ERROR_STOPPED, or the error of a write. */
#define DG_PROBE_BYTES (UINT64_C (16) << 20)
int dg__test_file_probe_writes (DgTestFile *file, DgData data, unsigned char *pool,
                                DgPrepareProgress *progress, DgErrorDetail *ret_detail);
