/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/cli/patience.h"

#include "app/cli/message.h"
#include "app/cli/platform.h"
#include "config.h"

#include <glib/gi18n.h>

#define LOOK_US  (50 * G_TIME_SPAN_MILLISECOND)
#define GRACE_US G_TIME_SPAN_SECOND

typedef struct {
    int (*function) (gpointer data);
    gpointer data;
    GMutex lock;
    GCond changed;
    gboolean is_done; /* guarded by lock, as is result */
    int result;
} Call;

static gpointer
thread_main (gpointer data)
{
    Call *call = data;
    int result = call->function (call->data);

    g_mutex_lock (&call->lock);
    call->result = result;
    call->is_done = TRUE;
    g_cond_signal (&call->changed);
    g_mutex_unlock (&call->lock);
    return NULL;
}

int
dg_patience_call (int (*function) (gpointer data), gpointer data)
{
    Call call = { .function = function, .data = data };
    guint before = dg_platform_signal_count ();
    gint64 end = 0;

    g_mutex_init (&call.lock);
    g_cond_init (&call.changed);
    GThread *thread = g_thread_try_new ("patience", thread_main, &call, NULL);
    if (thread == NULL)
        return function (data);
    g_mutex_lock (&call.lock);
    while (!call.is_done) {
        gint64 now = g_get_monotonic_time ();
        if (end == 0 && dg_platform_signal_count () != before)
            end = now + GRACE_US;
        if (end != 0 && now >= end) {
            dg_message (_ ("Stopped while waiting for a file system that does not answer. Check the drive or the network of the files that were named."));
            dg_platform_end (1);
        }
        g_cond_wait_until (&call.changed, &call.lock, now + LOOK_US);
    }
    g_mutex_unlock (&call.lock);
    g_thread_join (thread);
    g_mutex_clear (&call.lock);
    g_cond_clear (&call.changed);
    return call.result;
}
