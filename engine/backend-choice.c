/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/backend-choice.h"
#include "engine/reason.h"

static bool
has (const DgBackendQuestion *question, DgBackendId id)
{
    return (question->available & (1u << id)) != 0;
}

/* Threads move one I/O each: a queue of writes on one file would be serialised by the inode's lock.
 */
static DgBackendAnswer
with_threads (const DgBackendQuestion *question, DgReason reason)
{
    if (question->writes)
        return (DgBackendAnswer){ DG_BACKEND_AUTO, DG_REASON_THREADS_CANNOT_QUEUE_WRITES };
    return (DgBackendAnswer){ DG_BACKEND_THREADS, reason };
}

static DgBackendAnswer
choose_asked (const DgBackendQuestion *question)
{
    if (!has (question, question->asked))
        return (DgBackendAnswer){ DG_BACKEND_AUTO, DG_REASON_BACKEND_MISSING };
    if (question->asked == DG_BACKEND_THREADS)
        return with_threads (question, DG_REASON_ASKED);
    return (DgBackendAnswer){ question->asked, DG_REASON_ASKED };
}

static DgBackendAnswer
choose_with_io_uring (const DgBackendQuestion *question)
{
    if (question->nowait == 0) {
        if (question->queue_depth == 1 && has (question, DG_BACKEND_THREADS))
            return (DgBackendAnswer){ DG_BACKEND_THREADS, DG_REASON_NO_NOWAIT };
        if (question->queue_depth > 1 && has (question, DG_BACKEND_LIBAIO))
            return (DgBackendAnswer){ DG_BACKEND_LIBAIO, DG_REASON_NO_NOWAIT };
    }
    return (DgBackendAnswer){ DG_BACKEND_IO_URING, DG_REASON_DEFAULT };
}

DgBackendAnswer
dg__backend_choose (const DgBackendQuestion *question)
{
    if (question->asked != DG_BACKEND_AUTO)
        return choose_asked (question);
    if (has (question, DG_BACKEND_OVERLAPPED))
        return (DgBackendAnswer){ DG_BACKEND_OVERLAPPED, DG_REASON_DEFAULT };
    if (has (question, DG_BACKEND_IO_URING))
        return choose_with_io_uring (question);
    if (has (question, DG_BACKEND_LIBAIO))
        return (DgBackendAnswer){ DG_BACKEND_LIBAIO, DG_REASON_IO_URING_REFUSED };
    if (has (question, DG_BACKEND_THREADS))
        return with_threads (question, DG_REASON_LIBAIO_REFUSED);
    return (DgBackendAnswer){ DG_BACKEND_AUTO, DG_REASON_BACKEND_MISSING };
}
