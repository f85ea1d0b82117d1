/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside app/core: what profile.c and profile-own.c know of each other. */
#pragma once

#include "app/core/profile.h"

G_BEGIN_DECLS

const DgProfile *dg__profile_find_builtin (const gchar *id); /* (transfer none) (nullable) */
DgProfile *dg__profile_load_own (const gchar *id);           /* (transfer full) (nullable) */

G_END_DECLS
