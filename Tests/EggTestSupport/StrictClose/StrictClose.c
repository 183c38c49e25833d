/*
 * close(2) for tests: a descriptor that is closed twice ends the program. The second close would otherwise hit whatever
 * another thread has opened in between, a client's connection or the database, and show as a fault of that.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static pid_t self;

__attribute__((constructor)) static void begin(void) { self = getpid(); }

int close(int descriptor) {
  int result = (int)syscall(SYS_close, descriptor);
  /* A child between fork(2) and execve(2) closes all that there might be. */
  if (result < 0 && errno == EBADF && descriptor >= 0 && getpid() == self) {
    fprintf(stderr, "descriptor %d is closed, but is not open: something closes twice\n", descriptor);
    abort();
  }
  return result;
}
