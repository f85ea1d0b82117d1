/* SPDX-License-Identifier: GPL-3.0-or-later */
/* console-event EVENT MS PROGRAM ARG...: starts a program in this console, gives it the event
 * (c, break, close) after so many milliseconds, and prints `exit STATUS after MS charset N`: the
 * console's, which was OLD_CHARSET. Ctrl+C is generated for the whole console. "close" only the
 * system can send, and Wine 8 ends a process at a generated "break" without asking it: these are
 * sent as the system does, by a thread started in the program at kernelbase's CtrlRoutine (). Exit
 * 0 when the program ended within 20 s, 1 if not, 2 when the event could not be sent. */
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <windows.h>

#define MOST_MS     20000u
#define OLD_CHARSET 850u

/* As the C library of the program takes it apart again. */
static void
add_word (wchar_t *line, const wchar_t *word)
{
    wcscat (line, *line == L'\0' ? L"\"" : L" \"");
    wcscat (line, word);
    if (word[wcslen (word) - 1] == L'\\')
        wcscat (line, L"\\");
    wcscat (line, L"\"");
}

static BOOL
send_as_system (HANDLE process, DWORD event)
{
    /* kernelbase lies at the same place in every process. */
    FARPROC routine = GetProcAddress (GetModuleHandleW (L"kernelbase.dll"), "CtrlRoutine");
    HANDLE thread = routine == NULL ? NULL
                                    : CreateRemoteThread (process, NULL, 0,
                                                          (LPTHREAD_START_ROUTINE) (void *) routine,
                                                          (void *) (uintptr_t) event, 0, NULL);
    if (thread != NULL)
        CloseHandle (thread);
    return thread != NULL;
}

static BOOL WINAPI
ignore_cb (DWORD event)
{
    return TRUE;
}

static BOOL
give (const wchar_t *event, HANDLE process)
{
    if (wcscmp (event, L"c") == 0)
        return GenerateConsoleCtrlEvent (CTRL_C_EVENT, 0);
    if (wcscmp (event, L"break") == 0)
        return send_as_system (process, CTRL_BREAK_EVENT);
    return wcscmp (event, L"close") == 0 && send_as_system (process, CTRL_CLOSE_EVENT);
}

/* Without a terminal there is no console to generate anything in: once more, in one of its own that
 * nobody sees. */
static int
again_in_a_console (void)
{
    STARTUPINFOW startup = { .cb = sizeof startup,
                             .dwFlags = STARTF_USESTDHANDLES,
                             .hStdInput = GetStdHandle (STD_INPUT_HANDLE),
                             .hStdOutput = GetStdHandle (STD_OUTPUT_HANDLE),
                             .hStdError = GetStdHandle (STD_ERROR_HANDLE) };
    PROCESS_INFORMATION child;
    DWORD status = 2;
    SetEnvironmentVariableW (L"CONSOLE_EVENT_AGAIN", L"1");
    if (!CreateProcessW (NULL, GetCommandLineW (), NULL, NULL, TRUE, CREATE_NO_WINDOW, NULL, NULL,
                         &startup, &child))
        return 2;
    WaitForSingleObject (child.hProcess, INFINITE);
    GetExitCodeProcess (child.hProcess, &status);
    return (int) status;
}

int wmain (int argc, wchar_t **argv);

int
wmain (int argc, wchar_t **argv)
{
    static wchar_t line[32768];
    STARTUPINFOW startup = { .cb = sizeof startup };
    PROCESS_INFORMATION child;
    if (argc < 4)
        return 2;
    if (GetConsoleCP () == 0 && GetEnvironmentVariableW (L"CONSOLE_EVENT_AGAIN", NULL, 0) == 0)
        return again_in_a_console ();
    for (int i = 3; i < argc; i++)
        add_word (line, argv[i]);
    SetConsoleOutputCP (OLD_CHARSET);
    SetConsoleCtrlHandler (ignore_cb, TRUE); /* a handler is not inherited, as ignoring would be */
    if (!CreateProcessW (NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &startup, &child))
        return 2;
    if (WaitForSingleObject (child.hProcess, (DWORD) wcstoul (argv[2], NULL, 10)) == WAIT_TIMEOUT
        && !give (argv[1], child.hProcess)) {
        printf ("error %lu\n", GetLastError ());
        TerminateProcess (child.hProcess, 99);
        return 2;
    }
    ULONGLONG since = GetTickCount64 ();
    DWORD status = 0;
    if (WaitForSingleObject (child.hProcess, MOST_MS) == WAIT_TIMEOUT)
        TerminateProcess (child.hProcess, 99);
    ULONGLONG took = GetTickCount64 () - since;
    GetExitCodeProcess (child.hProcess, &status);
    printf ("exit %lu after %llu charset %u\n", status, took, GetConsoleOutputCP ());
    return status == 99;
}
