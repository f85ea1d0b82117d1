/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int
dg_error_from_os (int os_code)
{
    switch (os_code < 0 ? -os_code : os_code) {
    case EINVAL:
    case EBADF:
    case EFAULT:
    case EDOM:
    case ERANGE:
    case ENAMETOOLONG:
        return DG_ERROR_INVALID;
    case ENOMEM:
        return DG_ERROR_NO_MEMORY;
    case ENOENT:
        return DG_ERROR_NOT_FOUND;
    case ENOTDIR:
        return DG_ERROR_NOT_DIRECTORY;
    case EACCES:
    case EPERM:
    case ELOOP:
        return DG_ERROR_NOT_PERMITTED;
    case EROFS:
        return DG_ERROR_READ_ONLY;
    case ENOSPC:
    case EDQUOT:
        return DG_ERROR_NO_SPACE;
    case EFBIG:
        return DG_ERROR_FILE_TOO_LARGE;
    case EOPNOTSUPP:
    case ENOSYS:
        return DG_ERROR_NOT_SUPPORTED;
    case EIO:
    case ENODATA:
    case EILSEQ:
    case EREMOTEIO:
    case EBADMSG:
    case EUCLEAN:
        return DG_ERROR_IO;
    case ENODEV:
    case ENXIO:
    case ENOMEDIUM:
    case ESHUTDOWN:
    case ENOTCONN:
    case ESTALE:
        return DG_ERROR_GONE;
    case ECANCELED:
        return DG_ERROR_STOPPED;
    case ETIMEDOUT:
    case ETIME:
        return DG_ERROR_TIMED_OUT;
    case EBUSY:
    case EAGAIN:
    case ETXTBSY:
        return DG_ERROR_BUSY;
    default:
        return DG_ERROR_SYSTEM;
    }
}

void
dg_error_os_text (int os_code, char *ret_text, size_t size)
{
    if (size == 0)
        return;
    int code = os_code < 0 ? -os_code : os_code;
    /* untranslated on purpose: results are written in English */
    const char *text = strerrordesc_np (code);
    if (text != NULL)
        snprintf (ret_text, size, "%s", text);
    else
        snprintf (ret_text, size, "Unknown error %d", code);
}
