/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/window-menus.h"

#include <glib/gi18n.h>

typedef struct {
    const gchar *label;  /* NULL: a new section */
    const gchar *action; /* detailed name */
    const gchar *accel;  /* (nullable) only shown: the keys are the window's own */
} Item;

static const Item copy_items[] = {
    { N_ ("Copy _image"), "win.copy::png", "<Control>c" },
      { N_ ("Copy _text"), "win.copy::text", "<Control><Shift>c" },
        { N_ ("Copy as _Markdown"), "win.copy::markdown", NULL },
          { N_ ("Copy as _BBCode"), "win.copy::bbcode", NULL },
        };

static const Item save_items[] = {
    { N_ ("Save _image…"), "win.save::png", "<Control>s" },
      { N_ ("Save _text…"), "win.save::text", "<Control>t" }, { NULL, NULL, NULL },
        { N_ ("Save as S_VG…"), "win.save::svg", NULL },
          { N_ ("Save as _Markdown…"), "win.save::markdown", NULL },
            { N_ ("Save as _BBCode…"), "win.save::bbcode", NULL },
              { N_ ("Save as _CSV…"), "win.save::csv", NULL },
                { N_ ("Save as _JSON…"), "win.save::json", NULL },
                  { N_ ("Save as JSON without i_dentity…"), "win.save::json-anonymous", NULL },
                    { NULL, NULL, NULL },
                    { N_ ("_Dark picture"), "win.image-dark", NULL },
                  };

static const Item main_items[] = {
    { N_ ("_Open result…"), "win.open", "<Control>o" },
      { N_ ("_Recent results…"), "win.recent", "<Control>h" }, { NULL, NULL, NULL },
        { N_ ("_Queues and threads…"), "win.queues", "<Control>q" },
          { N_ ("_Measuring…"), "win.measuring", "<Control>comma" },
            { N_ ("As _CrystalDiskMark"), "win.like-cdm", NULL },
              { N_ ("Reset all to _defaults"), "win.defaults", NULL },
            };

static const Item direction_items[] = {
    { N_ ("Read and write"), "win.directions::both", NULL },
      { N_ ("Only read"), "win.directions::read", NULL },
        { N_ ("Only write"), "win.directions::write", NULL },
      };

static const Item data_items[] = {
    { N_ ("Random bytes"), "win.data::random", NULL }, { N_ ("Zeros"), "win.data::zero", NULL },
    };

static const Item scheme_items[] = {
    { N_ ("As the desktop"), "win.scheme::system", NULL },
      { N_ ("Light"), "win.scheme::light", NULL }, { N_ ("Dark"), "win.scheme::dark", NULL },
      };

static const Item scale_items[] = {
    { "1×", "win.image-scale::1", NULL },
    { "2×", "win.image-scale::2", NULL },
    { "3×", "win.image-scale::3", NULL },
    { "4×", "win.image-scale::4", NULL },
};

static const Item last_items[] = { { N_ ("Chart as a _table…"), "win.chart-table", NULL },
                                     { N_ ("_About Drive Gauge"), "win.about", NULL } };

static GMenu *
append_items (GMenu *menu, const Item *items, gsize n)
{
    GMenu *section = g_menu_new ();
    g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
    g_object_unref (section);
    for (gsize i = 0; i < n; i++) {
        if (!items[i].label) {
            section = g_menu_new ();
            g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
            g_object_unref (section);
            continue;
        }
        g_autoptr (GMenuItem) item = g_menu_item_new (_ (items[i].label), items[i].action);
        if (items[i].accel)
            g_menu_item_set_attribute (item, "accel", "s", items[i].accel);
        g_menu_append_item (section, item);
    }
    return section;
}

static void
append_submenu (GMenu *section, const gchar *label, const Item *items, gsize n)
{
    g_autoptr (GMenu) submenu = g_menu_new ();
    append_items (submenu, items, n);
    g_menu_append_submenu (section, label, G_MENU_MODEL (submenu));
}

GMenuModel *
dg_window_menu_new (DgWindowMenu which)
{
    GMenu *menu = g_menu_new (), *section;
    switch (which) {
    case DG_WINDOW_MENU_COPY:
        append_items (menu, copy_items, G_N_ELEMENTS (copy_items));
        break;
    case DG_WINDOW_MENU_SAVE:
        section = append_items (menu, save_items, G_N_ELEMENTS (save_items));
        append_submenu (section, _ ("Picture _size"), scale_items, G_N_ELEMENTS (scale_items));
        break;
    default:
        section = append_items (menu, main_items, G_N_ELEMENTS (main_items));
        append_submenu (section, _ ("_Directions"), direction_items,
                                    G_N_ELEMENTS (direction_items));
        append_submenu (section, _ ("_Test data"), data_items, G_N_ELEMENTS (data_items));
        section = append_items (menu, last_items, 0);
        append_submenu (section, _ ("_Appearance"), scheme_items, G_N_ELEMENTS (scheme_items));
        append_items (menu, last_items, G_N_ELEMENTS (last_items));
    }
    return G_MENU_MODEL (menu);
}
