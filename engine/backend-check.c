/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/backend.h"

int
dg_backend_check (DgBackendId id, DgErrorDetail *ret_detail)
{
    if (id == DG_BACKEND_AUTO)
        return DG_OK;
    const DgBackend *backend = dg__backend_find (id);
    if (backend == NULL)
        return DG_ERROR_NOT_SUPPORTED;
    return backend->probe != NULL ? backend->probe (ret_detail) : DG_OK;
}
