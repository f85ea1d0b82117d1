/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/app-error.h"

#include "app/core/numbers.h"

#include <glib/gi18n.h>

G_DEFINE_QUARK (dg - app - error - quark, dg_app_error)

static void
set_space (GError **error, const DgErrorDetail *detail, const gchar *subject)
{
    if (detail != NULL && detail->reserve_bytes != 0) {
        g_autofree gchar *reserve = dg_number_gib (detail->reserve_bytes, DG_FOR_WINDOW);
        g_autofree gchar *left = dg_number_gib (detail->available_bytes, DG_FOR_WINDOW);
        g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_SPACE,
                     /* translators: a folder, then two sizes such as "64 MiB" */
                     _ ("There is too little free space in %s: %s have to stay free beside the test file, and only %s are free. Make room first."),
                        subject, reserve, left);
        return;
    }
    if (detail == NULL || detail->needed_bytes == 0) {
        g_set_error (
            error, DG_APP_ERROR, DG_APP_ERROR_SPACE,
            /* translators: %s is a folder */
            _ ("There is too little free space in %s. Choose a smaller test size or make room."),
               subject);
        return;
    }
    g_autofree gchar *needed = dg_number_gib (detail->needed_bytes, DG_FOR_WINDOW);
    g_autofree gchar *available = dg_number_gib (detail->available_bytes, DG_FOR_WINDOW);
    g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_SPACE,
                 /* translators: a folder, then two sizes such as "1.2 GiB" */
                 _ ("There is too little free space in %s: %s are needed, the reserve that stays free included, and %s are free. Choose a smaller test size or make room."),
                    subject, needed, available);
}

/* The system's own words, for the errors that only it can explain. */
static void
set_system (GError **error, DgAppErrorCode code, const DgErrorDetail *detail, const gchar *subject)
{
    gchar text[256] = "";
    if (detail != NULL && detail->os_code != 0)
        dg_error_os_text (detail->os_code, text, sizeof text);
    g_autofree gchar *reason = dg_text_sanitize (text);
    const gchar *operation = detail != NULL && detail->operation != NULL ? detail->operation : "";
    if (reason[0] != '\0')
        g_set_error (
            error, DG_APP_ERROR, code,
            /* translators: a folder, an operation such as "open", the system's message */
            _ ("%s could not be measured: “%s” failed (%s). Try again, or choose another folder."),
               subject, operation, reason);
    else
        g_set_error (error, DG_APP_ERROR, code,
                     /* translators: %s is a folder */
                     _ ("%s could not be measured, and the system does not say why. Try again, or choose another folder."),
                        subject);
}

/* Sentences that need the subject only; NULL: another function makes it. */
static const gchar *
plain_sentence (int engine_code, DgAppErrorCode *ret_code)
{
    *ret_code = DG_APP_ERROR_TARGET;
    switch (engine_code) {
    case DG_ERROR_NOT_FOUND:
        return _ ("%s does not exist. Name a folder on the drive that you want to measure.");
    case DG_ERROR_NOT_DIRECTORY:
        return _ ("%s is not a folder. Name a folder on the drive that you want to measure.");
    case DG_ERROR_NOT_PERMITTED:
        return _ ("You may not write in %s. Choose a folder of yours on the same drive.");
    case DG_ERROR_READ_ONLY:
        return _ ("%s is mounted read-only, and measuring needs a test file. Mount it writable or choose another drive.");
    case DG_ERROR_FILE_TOO_LARGE:
        return _ ("The file system of %s cannot hold a file as large as the test size. Choose a smaller size (below 4 GiB on FAT32).");
    case DG_ERROR_NOT_A_DISK:
        return _ ("%s is not on a drive. Choose a folder on a drive.");
    case DG_ERROR_GONE:
        return _ ("The drive of %s is no longer there. Plug it in again and start once more.");
    case DG_ERROR_TIMED_OUT:
        return _ ("The file system of %s does not answer. Check the drive or the network, then try again.");
    case DG_ERROR_BUSY:
        return _ ("%s is in use by something else just now. Close it and try again.");
    case DG_ERROR_STOPPED:
        *ret_code = DG_APP_ERROR_ENGINE;
        return _ ("Measuring %s was stopped before anything was measured. Start it again when you like.");
    case DG_ERROR_NO_MEMORY:
        *ret_code = DG_APP_ERROR_ENGINE;
        return _ ("There is too little memory to measure %s. Close other programs, or choose smaller blocks, queues or fewer threads.");
    case DG_ERROR_INVALID:
        *ret_code = DG_APP_ERROR_ENGINE;
        return _ ("The chosen tests do not fit together for %s. Choose a larger test size or smaller blocks.");
    default:
        return NULL;
    }
}

void
dg_app_error_set (GError **error, int engine_code, const DgErrorDetail *detail,
                  const gchar *subject)
{
    g_autofree gchar *shown = dg_text_sanitize (subject == NULL ? _ ("the target") : subject);
    DgAppErrorCode code;
    const gchar *sentence = plain_sentence (engine_code, &code);
    if (sentence != NULL) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        g_set_error (error, DG_APP_ERROR, code, sentence, shown);
#pragma GCC diagnostic pop
        return;
    }
    if (engine_code == DG_ERROR_NO_SPACE)
        set_space (error, detail, shown);
    else if (engine_code == DG_ERROR_NOT_SUPPORTED)
        set_system (error, DG_APP_ERROR_BACKEND, detail, shown);
    else
        set_system (error, engine_code == DG_ERROR_IO ? DG_APP_ERROR_TARGET : DG_APP_ERROR_ENGINE,
                    detail, shown);
}

int
dg_app_error_exit_status (const GError *error)
{
    return g_error_matches (error, DG_APP_ERROR, DG_APP_ERROR_USAGE) ? 2 : 3;
}
