/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/recent-item.h"

struct _DgRecentItem {
    GObject parent_instance;

    DgLibraryEntry *entry;
};

G_DEFINE_FINAL_TYPE (DgRecentItem, dg_recent_item, G_TYPE_OBJECT)

static void
dg_recent_item_finalize (GObject *object)
{
    dg_library_entry_free (DG_RECENT_ITEM (object)->entry);
    G_OBJECT_CLASS (dg_recent_item_parent_class)->finalize (object);
}

static void
dg_recent_item_class_init (DgRecentItemClass *klass)
{
    G_OBJECT_CLASS (klass)->finalize = dg_recent_item_finalize;
}

static void
dg_recent_item_init (DgRecentItem *self)
{
}

DgRecentItem *
dg_recent_item_new (DgLibraryEntry *entry)
{
    DgRecentItem *self = g_object_new (DG_TYPE_RECENT_ITEM, NULL);
    self->entry = entry;
    return self;
}

const DgLibraryEntry *
dg_recent_item_get_entry (DgRecentItem *self)
{
    return self->entry;
}
