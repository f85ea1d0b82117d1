/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/backend.h"

int
dg_backend_check (DgBackendId id, DgErrorDetail *ret_detail)
{
    if (id == DG_BACKEND_AUTO)
        return DG_OK;
    const DgBackend *backend = dg__backend_find (id);
    if (backend == NULL) {
        *ret_detail = (DgErrorDetail){ .operation = dg_backend_id_name (id) };
        return DG_ERROR_NOT_SUPPORTED;
    }
    return backend->probe (ret_detail);
}

const DgBackend *
dg__backend_find (DgBackendId id)
{
    for (const DgBackend *const *backend = dg__backends (); *backend != NULL; backend++)
        if ((*backend)->id == id)
            return *backend;
    return NULL;
}
