/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/linux/backends.h"

static const DgBackend *const backends[] = {
#ifdef DG_HAVE_IO_URING
    &dg__backend_io_uring,
#endif
    &dg__backend_libaio,
    &dg__backend_threads,
    NULL,
};

const DgBackend *const *
dg__backends (void)
{
    return backends;
}
