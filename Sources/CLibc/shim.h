/* The C library for programs in Embedded Swift, which has no Glibc module. */
#ifndef CLIBC_SHIM_H
#define CLIBC_SHIM_H

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* What Swift does not read: macros of expressions, and functions with a variable number of arguments. */
static inline int clibc_errno(void) { return errno; }
static inline int clibc_open_to_read(const char *path) { return open(path, O_RDONLY | O_CLOEXEC); }
static inline void clibc_ignore(int number) { signal(number, SIG_IGN); }
static inline void clibc_default(int number) { signal(number, SIG_DFL); }
static inline int clibc_is_file(mode_t mode) { return S_ISREG(mode); }

#endif
