/* SPDX-License-Identifier: GPL-3.0-or-later */
/* without-io-uring COMMAND...: runs COMMAND as in a sandbox whose system call filter refuses
 * io_uring (with EPERM, as container runtimes do). */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int
main (int argc, char **argv)
{
    struct sock_filter filter[] = {
        BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
        BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
        BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof filter / sizeof *filter, filter };

    if (argc < 2)
        return 2;
    if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
        || prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        fprintf (stderr, "no system call filter here: skipped\n");
        return 77;
    }
    if (syscall (SYS_io_uring_setup, 1, NULL) != -1 || errno != EPERM) {
        fprintf (stderr, "the filter does not work\n");
        return 1;
    }
    execvp (argv[1], argv + 1);
    perror (argv[1]);
    return 1;
}
