/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The card by its pixels, at each scale. DG_CARD_DIR=folder keeps every card as a PNG for looking
 * at. */
#include "app/report/card-private.h"
#include "tests/app/pixels.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <string.h>

static void
test_sizes (void)
{
    g_autoptr (DgDocument) usb = load ("usb");
    for (guint scale = 1; scale <= 4; scale++) {
        DgCardOptions options = { .look = DG_LOOK_LIGHT, .scale = scale };
        cairo_surface_t *surface = dg_card_render (dg_document_view (usb), &options);
        g_assert_cmpint (cairo_image_surface_get_width (surface), ==, 1200 * (gint) scale);
        g_assert_cmpint (cairo_image_surface_get_height (surface), ==, 804 * (gint) scale);
        g_assert_cmphex (pixel (surface, 5 * (gint) scale, 5 * (gint) scale), ==,
                         color (DG_LOOK_LIGHT, DG_COLOR_CARD));
        cairo_surface_destroy (surface);
    }
    /* Nothing stands in for what is not known. */
    DgCardOptions options = { .look = DG_LOOK_LIGHT, .scale = 1 };
    gint width, with_chain, without, many;
    g_autoptr (DgDocument) virtio = load ("virtio");
    g_autoptr (DgDocument) rows = load ("many");
    dg_card_measure (dg_document_view (usb), &options, &width, &with_chain);
    dg_card_measure (dg_document_view (virtio), &options, &width, &without);
    dg_card_measure (dg_document_view (rows), &options, &width, &many);
    g_assert_cmpint (without, <=, with_chain - 88);
    g_assert_cmpint (many, ==, with_chain + 6 * 91);
}

/* On every system the font of pictures is found and has every letter that is drawn with it. Pango
 * on Windows takes the blanks in a list of families as part of the names. */
static void
test_font (void)
{
    const PangoFontDescription *font = dg_draw_picture_font ();
    g_auto (GStrv) families = g_strsplit (pango_font_description_get_family (font), ",", -1);
    for (guint i = 0; families[i] != NULL; i++) {
        g_autofree gchar *stripped = g_strstrip (g_strdup (families[i]));
        g_assert_cmpstr (families[i], ==, stripped);
        g_assert_cmpstr (families[i], !=, "");
    }
    PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
    PangoFont *loaded = pango_context_load_font (context, font);
    g_assert_nonnull (loaded);
    PangoLayout *layout = pango_layout_new (context);
    pango_layout_set_font_description (layout, font);
    pango_layout_set_text (layout,
                           "Drive Gauge 1\u202f234.5 MB/s ≈ ×2 ±4.2 % µs °C – … — “Диск” · √", -1);
    g_assert_cmpint (pango_layout_get_unknown_glyphs_count (layout), ==, 0);
    g_object_unref (layout);
    g_object_unref (loaded);
    g_object_unref (context);
}

/* A card is as high as its contents ask for, whatever the system and its fonts: of a sentence there
 * may be a line more or less. */
static void
test_heights (void)
{
    static const struct {
        const gchar *sample;
        gint height;
    } heights[] = {
        { "usb", 804 },        { "mix", 804 },     { "read-only", 804 }, { "peak", 804 },
        { "real-world", 804 }, { "demo", 603 },    { "virtio", 699 },    { "russian", 825 },
        { "findings", 888 },   { "broken", 827 },  { "buffered", 699 },  { "slow-port", 804 },
        { "above-link", 804 }, { "nvme", 804 },    { "many", 1350 },     { "hostile", 895 },
        { "cache", 826 },      { "unknown", 360 },
    };
    const gchar *const *names = report_sample_names ();
    for (guint i = 0; names[i] != NULL; i++) {
        g_autoptr (DgDocument) document = load (names[i]);
        DgCardOptions options = { .look = DG_LOOK_LIGHT, .scale = 1 };
        gint width, height, expected = 0;
        dg_card_measure (dg_document_view (document), &options, &width, &height);
        for (guint k = 0; k < G_N_ELEMENTS (heights); k++)
            if (strcmp (heights[k].sample, names[i]) == 0)
                expected = heights[k].height;
        g_test_message ("%s: %d, expected %d", names[i], height, expected);
        g_assert_cmpint (width, ==, 1200);
        if (expected == 0 || ABS (height - expected) > MAX (24, expected * 3 / 100))
            g_test_fail_printf ("%s is %d high, not about %d", names[i], height, expected);
    }
}

/* System and processor, as short as readers know them. */
static void
test_system (void)
{
    static const struct {
        const gchar *os, *cpu, *shown;
    } systems[] = {
        { "Debian GNU/Linux 12 (bookworm)", "AMD Ryzen 7 7700 8-Core Processor",
          "Debian 12, AMD Ryzen 7 7700" },
        { "Fedora Linux 41 (Workstation Edition)", "Intel(R) Core(TM) i7-8550U CPU @ 1.80GHz",
          "Fedora Linux 41, Intel Core i7-8550U" },
        { "Arch Linux", NULL, "Arch Linux" },
        { " (odd)", "X", " (odd), X" },
    };
    for (guint i = 0; i < G_N_ELEMENTS (systems); i++) {
        DgCardOptions options = { .look = DG_LOOK_LIGHT, .scale = 1 };
        json_t *root = report_sample_new ("usb"), *host = json_object_get (root, "host");
        json_object_set_new (host, "os", json_string (systems[i].os));
        json_object_set_new (host, "cpu", json_pack ("s?", systems[i].cpu));
        g_autoptr (DgDocument) document = dg_document_new_from_json (root, NULL);
        json_decref (root);
        DgCard card = { 0 };
        guint n_found = 0;
        dg__card_init (&card, dg_document_view (document), &options);
        for (guint k = 0; k < card.conditions->len; k++) {
            const DgCardCondition *condition = &g_array_index (card.conditions, DgCardCondition, k);
            if (strcmp (condition->label, "System") != 0)
                continue;
            g_assert_cmpstr (condition->value, ==, systems[i].shown);
            n_found++;
        }
        g_assert_cmpuint (n_found, ==, 1);
        dg__card_done (&card);
    }
}

/* The tick where all runs are proved; where they cannot be, the sign of a note in its place. */
static void
test_proof (void)
{
    static const gchar *const states[] = { "proved", "unknown" };
    for (guint i = 0; i < G_N_ELEMENTS (states); i++) {
        g_autoptr (GError) error = NULL;
        DgCardOptions options = { .look = DG_LOOK_LIGHT, .scale = 1 };
        json_t *root = report_sample_new ("usb"), *test, *run;
        gsize t, r;
        json_object_set_new (root, "findings", json_array ());
        json_array_foreach (json_object_get (root, "tests"), t, test)
            json_array_foreach (json_object_get (test, "runs"), r, run)
                json_object_set_new (run, "direct", json_string (states[i]));
        g_autoptr (DgDocument) document = dg_document_new_from_json (root, &error);
        g_assert_no_error (error);
        json_decref (root);
        cairo_surface_t *surface = dg_card_render (dg_document_view (document), &options);
        guint ticks = count_color (surface, color (DG_LOOK_LIGHT, DG_COLOR_OK)),
              notes = count_color (surface, color (DG_LOOK_LIGHT, DG_COLOR_INFO));
        g_assert_cmpuint (i == 0 ? ticks : notes, >, 80);
        g_assert_cmpuint (i == 0 ? notes : ticks, ==, 0);
        cairo_surface_destroy (surface);
    }
}

static void
test_colors (gconstpointer data)
{
    DgLook look = GPOINTER_TO_UINT (data);
    DgCardOptions options = { .look = look, .scale = 1 };
    g_autoptr (DgDocument) mix = load ("mix");
    cairo_surface_t *surface = dg_card_render (dg_document_view (mix), &options);
    for (guint d = 0; d < 3; d++) {
        g_assert_cmpuint (count_color (surface, color (look, dg_palette_line (d))), >, 1500);
        if (dg_palette_has_fill (look))
            g_assert_cmpuint (count_color (surface, color (look, dg_palette_fill (d))), >, 20000);
    }
    g_assert_cmpuint (count_color (surface, color (look, DG_COLOR_CARD)), >, 400000);
    g_assert_cmpuint (count_color (surface, color (look, DG_COLOR_FG)), >, 1500);
    g_assert_cmpuint (count_color (surface, color (look, DG_COLOR_WARN)), >,
                      60); /* the sign of the unstable test */
    cairo_surface_destroy (surface);
    /* The first cell: SEQ1M Q8T1 reads 1036.4 of 1050, 90.8 % of the width. */
    g_autoptr (DgDocument) usb = load ("usb");
    surface = dg_card_render (dg_document_view (usb), &options);
    gint inside = 17; /* the corner is round */
    for (gint x = 173 + inside; x < 540 && pixel (surface, x, 334) == color (look, DG_COLOR_READ);
         x++)
        inside++;
    g_assert_cmpint (ABS (inside - lround ((351 - 2) * 0.92 * 1036.4 / 1050)), <=, 2);
    cairo_surface_destroy (surface);
}

static void
test_every_sample (gconstpointer data)
{
    g_autoptr (DgDocument) document = load (data);
    const DgDocView *view = dg_document_view (document);
    for (guint look = 0; look < 4; look++) {
        DgCardOptions options = { .look = look, .scale = 1 };
        cairo_surface_t *surface = dg_card_render (view, &options);
        gint width, height;
        dg_card_measure (view, &options, &width, &height);
        g_assert_cmpint (cairo_surface_status (surface), ==, CAIRO_STATUS_SUCCESS);
        g_assert_cmpint (cairo_image_surface_get_height (surface), ==, height);
        g_assert_cmpint (height, >, 150);
        /* Nothing is drawn into the margins. */
        for (gint y = 2; y < height - 2; y++) {
            g_assert_cmphex (pixel (surface, 20, y), ==, color (look, DG_COLOR_CARD));
            g_assert_cmphex (pixel (surface, width - 20, y), ==, color (look, DG_COLOR_CARD));
        }
        if (g_getenv ("DG_CARD_DIR") != NULL) {
            g_autofree gchar *path = g_strdup_printf ("%s/%s-%u.png", g_getenv ("DG_CARD_DIR"),
                                                      (const gchar *) data, look);
            cairo_surface_write_to_png (surface, path);
        }
        cairo_surface_destroy (surface);
    }
}

static void
test_files (void)
{
    g_autoptr (GError) error = NULL;
    g_autofree gchar *folder = g_dir_make_tmp ("dg-card-XXXXXX", &error);
    g_assert_no_error (error);
    g_autofree gchar *png_path = g_build_filename (folder, "card.png", NULL),
                     *svg_path = g_build_filename (folder, "card.svg", NULL);
    g_autoptr (GFile) png = g_file_new_for_path (png_path), svg = g_file_new_for_path (svg_path);
    g_autoptr (DgDocument) usb = load ("usb");
    DgCardOptions options = { .look = DG_LOOK_DARK, .scale = 2 };

    g_assert_true (dg_card_save_png (dg_document_view (usb), &options, png, &error));
    cairo_surface_t *surface = cairo_image_surface_create_from_png (png_path);
    g_assert_cmpint (cairo_surface_status (surface), ==, CAIRO_STATUS_SUCCESS);
    g_assert_cmpint (cairo_image_surface_get_width (surface), ==, 2400);
    g_assert_cmphex (pixel (surface, 10, 10), ==, color (DG_LOOK_DARK, DG_COLOR_CARD));
    cairo_surface_destroy (surface);

    g_autofree gchar *text = NULL;
    g_assert_true (dg_card_save_svg (dg_document_view (usb), &options, svg, &error));
    g_assert_true (g_file_get_contents (svg_path, &text, NULL, NULL));
    g_assert_nonnull (strstr (text, "<svg "));
    g_assert_nonnull (strstr (text, "viewBox=\"0 0 1200 804\""));
    g_assert_null (strstr (text, "<image")); /* lines all the way down */

    g_autoptr (GFile) nowhere = g_file_new_build_filename (folder, "not-there", "card.png", NULL);
    g_assert_false (dg_card_save_png (dg_document_view (usb), &options, nowhere, &error));
    g_assert_nonnull (error);
    g_unlink (png_path);
    g_unlink (svg_path);
    g_rmdir (folder);
}

int
main (int argc, char **argv)
{
    setlocale (LC_ALL, "C.UTF-8");
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/card/system", test_system);
    g_test_add_func ("/card/sizes", test_sizes);
    g_test_add_func ("/card/font", test_font);
    g_test_add_func ("/card/heights", test_heights);
    g_test_add_func ("/card/proof", test_proof);
    g_test_add_func ("/card/files", test_files);
    for (guint look = 0; look < 4; look++) {
        g_autofree gchar *path = g_strdup_printf ("/card/colors/%u", look);
        g_test_add_data_func (path, GUINT_TO_POINTER (look), test_colors);
    }
    const gchar *const *names = report_sample_names ();
    for (guint i = 0; names[i] != NULL; i++) {
        g_autofree gchar *path = g_strdup_printf ("/card/sample/%s", names[i]);
        g_test_add_data_func (path, names[i], test_every_sample);
    }
    return g_test_run ();
}
