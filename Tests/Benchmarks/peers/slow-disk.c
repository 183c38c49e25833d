/* slow-disk.c - a library for ld.so(8) that makes each fdatasync(2) and fsync(2) take a second longer while the file
   that EGG_SLOW_DISK names is there. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void wait_if_slow(void) {
  const char *file = getenv("EGG_SLOW_DISK");
  if (file && access(file, F_OK) == 0) usleep(1000000);
}

int fdatasync(int descriptor) {
  wait_if_slow();
  return (int)syscall(SYS_fdatasync, descriptor);
}

int fsync(int descriptor) {
  wait_if_slow();
  return (int)syscall(SYS_fsync, descriptor);
}
