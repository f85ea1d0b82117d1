/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A saved result as an item of a list model. Main thread. */
#pragma once

#include "app/core/library.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define DG_TYPE_RECENT_ITEM (dg_recent_item_get_type ())
G_DECLARE_FINAL_TYPE (DgRecentItem, dg_recent_item, DG, RECENT_ITEM, GObject)

DgRecentItem *dg_recent_item_new (DgLibraryEntry *entry); /* (transfer full) of entry */
const DgLibraryEntry *dg_recent_item_get_entry (DgRecentItem *self);

G_END_DECLS
