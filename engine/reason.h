/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine-readable reasons that stand in results. They are saved in documents: never change a word's meaning. */
#pragma once

/* DgRunResult.backend_reason */
#define DG_REASON_DEFAULT           "default"            /* automatic, nothing spoke against it */
#define DG_REASON_ASKED             "asked"              /* the caller named it */
#define DG_REASON_NO_NOWAIT         "no-nowait"          /* the file system has no NOWAIT: io_uring would go through kernel workers */
#define DG_REASON_IO_URING_REFUSED  "io-uring-refused"   /* ENOSYS, EPERM, seccomp, io_uring_disabled */
#define DG_REASON_LIBAIO_REFUSED    "libaio-refused"     /* io_setup failed too */

/* DgRunResult.direct_reason, DgFileResult.direct_reason */
#define DG_REASON_CACHE_GREW        "cache-grew"         /* page cache residency grew by more than 1 % of the touched pages */
#define DG_REASON_DIRTIED           "dirtied"            /* writes dirtied page-cache pages */
#define DG_REASON_DEVICE_SAW_LESS   "device-saw-less"    /* the block device counted less than 95 % of our bytes */
#define DG_REASON_REFUSED_O_DIRECT  "refused-o-direct"   /* buffered mode */
#define DG_REASON_MEMORY            "memory"             /* tmpfs, ramfs */
#define DG_REASON_LOOP_CACHES       "loop-caches"        /* a loop device without direct I/O below */
#define DG_REASON_NETWORK           "network"
#define DG_REASON_FUSE              "fuse"
#define DG_REASON_OVERLAY           "overlay"
#define DG_REASON_ZFS               "zfs"
#define DG_REASON_9P                "9p"
#define DG_REASON_NO_MEANS          "no-means"           /* neither cachestat nor mincore nor counters could be had */
#define DG_REASON_TOO_FEW           "too-few"            /* too little was touched to tell */

/* DgStepResult.reason of a step that was not run */
#define DG_REASON_BELOW_LOGICAL_BLOCK "below-logical-block"
#define DG_REASON_THREADS_CANNOT_QUEUE_WRITES "threads-cannot-queue-writes"
#define DG_REASON_STOPPED_BEFORE    "stopped-before"
#define DG_REASON_FAILED_BEFORE     "failed-before"      /* the target was gone or the preparation failed */
#define DG_REASON_BACKEND_MISSING   "backend-missing"
#define DG_REASON_FILE_TOO_SMALL    "file-too-small"     /* less than one block a thread */
