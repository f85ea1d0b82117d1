/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can go wrong, told without text. Every engine function that can fail returns 0 or one of these
 * negative codes; the details go into a struct of the caller. Sentences for people are made in app/core. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef enum {
    DG_OK = 0,
    DG_ERROR_INVALID = -1,       /* an argument or a plan that contradicts itself */
    DG_ERROR_NO_MEMORY = -2,
    DG_ERROR_NOT_FOUND = -3,     /* the folder or file does not exist */
    DG_ERROR_NOT_DIRECTORY = -4, /* a file, FIFO or device where a folder is needed */
    DG_ERROR_NOT_PERMITTED = -5,
    DG_ERROR_READ_ONLY = -6,
    DG_ERROR_NO_SPACE = -7,      /* available_bytes is set, and needed_bytes or reserve_bytes; none of them when the space ended on the way */
    DG_ERROR_FILE_TOO_LARGE = -8,/* the file system cannot hold a file of this size (FAT32: 4 GiB - 1) */
    DG_ERROR_NOT_SUPPORTED = -9, /* the system, build or file system lacks it (a backend, O_DIRECT, ...) */
    DG_ERROR_NOT_A_DISK = -10,   /* proc, sysfs, a sandbox's RAM folder, a document-portal path, ... */
    DG_ERROR_IO = -11,           /* the drive answered with an error */
    DG_ERROR_GONE = -12,         /* the drive or mount is no longer there */
    DG_ERROR_STOPPED = -13,      /* by the user */
    DG_ERROR_TIMED_OUT = -14,    /* the file system did not answer */
    DG_ERROR_BUSY = -15,
    DG_ERROR_SYSTEM = -16,       /* anything else; see os_code */
} DgError;

/* Where it happened. Untouched on success. */
typedef struct {
    const char *operation;    /* a static word: "open", "read", "write", "fdatasync", "fallocate", "io_uring_setup", ... */
    uint64_t offset_bytes;    /* in the test file; 0 if it does not apply */
    uint64_t length_bytes;
    int os_code;              /* errno, or GetLastError() on Windows; 0 if the system said nothing */
    uint64_t needed_bytes;    /* DG_ERROR_NO_SPACE only: file and reserve; 0 while no file has been asked for */
    uint64_t reserve_bytes;   /* DG_ERROR_NO_SPACE only: not even this is free, whatever the file's size; 0 if it is */
    uint64_t available_bytes; /* DG_ERROR_NO_SPACE only */
} DgErrorDetail;

/* A negative DgError for an errno (Linux) or a GetLastError() code (Windows). Never 0. Any thread. */
int dg_error_from_os (int os_code);

/* The system's own English text for os_code, NUL-terminated, cut to size. Any thread. */
void dg_error_os_text (int os_code, char *ret_text, size_t size);
