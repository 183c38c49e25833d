/* strike.c - kills the process that it is preloaded into (ld.so(8)) at a chosen system call.
 *
 * STRIKE      CALLS FILES WHEN [N]: one of these calls (names joined by commas, `write` for all that write, `sync` for
 *             all that sync, `start` for the start of a program), of a file whose path ends in one of FILES (joined by
 *             commas; `socket` for any socket, `state` for all below $XDG_STATE_HOME), the Nth of them (1 by default),
 *             `before` it is made, `after` it, or `amid`, with half of what is to be written written.
 * STRIKE_ARM  calls are counted once this file exists.
 * STRIKE_SEEN calls are counted once something that contains this text was sent to a socket.
 * STRIKE_LOG  gets a line with the call that was struck, so that it is known to have been; with STRIKE_TRACE also one for
 *             each call that was counted.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static char calls[256], files[256], when[16];
static int wanted;
static atomic_int count, armed, seen, over;

__attribute__((constructor)) static void start(void) {
  const char *text = getenv("STRIKE");
  wanted = 1;
  if (!text || sscanf(text, "%255s %255s %15s %d", calls, files, when, &wanted) < 3) wanted = 0;
  armed = getenv("STRIKE_ARM") == NULL;
  seen = getenv("STRIKE_SEEN") == NULL;
}

static void note(const char *text) {
  const char *path = getenv("STRIKE_LOG");
  int log = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
  if (log < 0) return;
  syscall(SYS_write, log, text, strlen(text));
  syscall(SYS_close, log);
}

/* Whether `name` is in a list that is joined by commas; with `ends`, whether it ends in one of the list. */
static int listed(const char *list, const char *name, int ends) {
  size_t length = strlen(name);
  for (const char *item = list; *item;) {
    size_t size = strcspn(item, ",");
    if (ends ? size <= length && !strncmp(name + length - size, item, size)
             : size == length && !strncmp(name, item, size))
      return 1;
    item += size + (item[size] == ',');
  }
  return 0;
}

static int is_file(int descriptor, const char *path_of) {
  char link[64], path[PATH_MAX];
  if (path_of) {
    snprintf(path, sizeof path, "%s", path_of);
  } else {
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
  }
  if (!strncmp(path, "socket:", 7)) return listed(files, "socket", 0);
  const char *state = getenv("XDG_STATE_HOME");
  if (listed(files, "state", 0) && state && !strncmp(path, state, strlen(state))) return 1;
  return listed(files, path, 1);
}

/* Whether this is the call that was asked for. */
static int is_struck(const char *call, const char *sort, int descriptor, const char *path) {
  if (!wanted || over || !(listed(calls, call, 0) || listed(calls, sort, 0))) return 0;
  if (!seen || !is_file(descriptor, path)) return 0;
  if (!armed) {
    if (syscall(SYS_faccessat, AT_FDCWD, getenv("STRIKE_ARM"), F_OK) != 0) return 0;
    armed = 1;
  }
  if (getenv("STRIKE_TRACE")) note("counted\n");
  return atomic_fetch_add(&count, 1) + 1 == wanted;
}

static _Noreturn void strike(const char *call, int descriptor) {
  char text[512];
  over = 1;
  snprintf(text, sizeof text, "struck %s %d %s %s %d\n", call, descriptor, files, when, wanted);
  note(text);
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

static int is(const char *moment) { return !strcmp(when, moment); }

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* A call of one descriptor; `half` is what is done of it amid. */
#define STRUCK(name, sort, descriptor, path, call, half) \
  do { \
    REAL(name); \
    if (!is_struck(#name, sort, descriptor, path)) return call; \
    if (is("after")) (void)!(call); \
    if (is("amid")) (void)!(half); \
    strike(#name, descriptor); \
  } while (0)

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
  STRUCK(pwrite, "write", fd, NULL, real(fd, data, size, at), real(fd, data, size / 2, at));
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
  STRUCK(pwrite64, "write", fd, NULL, real(fd, data, size, at), real(fd, data, size / 2, at));
}
ssize_t write(int fd, const void *data, size_t size) {
  STRUCK(write, "write", fd, NULL, real(fd, data, size), real(fd, data, size / 2));
}
int ftruncate(int fd, off_t size) { STRUCK(ftruncate, "write", fd, NULL, real(fd, size), 0); }
int ftruncate64(int fd, off64_t size) { STRUCK(ftruncate64, "write", fd, NULL, real(fd, size), 0); }
int fsync(int fd) { STRUCK(fsync, "sync", fd, NULL, real(fd), 0); }
int fdatasync(int fd) { STRUCK(fdatasync, "sync", fd, NULL, real(fd), 0); }
int unlink(const char *path) { STRUCK(unlink, "write", -1, path, real(path), 0); }
int rename(const char *old, const char *new) { STRUCK(rename, "write", -1, old, real(old, new), 0); }

int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const arguments[], char *const variables[]) {
  REAL(posix_spawn);
  if (is_struck("posix_spawn", "start", -1, path)) {
    /* Between its making and its program, the new process has all descriptors: here for longer than usual. */
    if (is("amid") && fork() == 0) {
      usleep(300000);
      _exit(0);
    }
    strike("posix_spawn", -1);
  }
  return real(process, path, actions, attributes, arguments, variables);
}

static void look(const struct iovec *pieces, size_t number) {
  const char *text = getenv("STRIKE_SEEN");
  for (size_t index = 0; !seen && index < number; index++)
    if (memmem(pieces[index].iov_base, pieces[index].iov_len, text, strlen(text))) seen = 1;
}

ssize_t send(int fd, const void *data, size_t size, int flags) {
  REAL(send);
  if (is_struck("send", "write", fd, NULL)) {
    if (is("after")) (void)!real(fd, data, size, flags);
    if (is("amid")) (void)!real(fd, data, size / 2, flags);
    strike("send", fd);
  }
  ssize_t result = real(fd, data, size, flags);
  struct iovec piece = {(void *)data, size};
  if (result >= 0) look(&piece, 1);
  return result;
}

ssize_t sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to, socklen_t length) {
  REAL(sendto);
  if (is_struck("sendto", "write", fd, NULL)) {
    if (is("after")) (void)!real(fd, data, size, flags, to, length);
    if (is("amid")) (void)!real(fd, data, size / 2, flags, to, length);
    strike("sendto", fd);
  }
  ssize_t result = real(fd, data, size, flags, to, length);
  struct iovec piece = {(void *)data, size};
  if (result >= 0) look(&piece, 1);
  return result;
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  REAL(sendmsg);
  if (is_struck("sendmsg", "write", fd, NULL)) {
    if (!is("before")) (void)!real(fd, message, flags);
    strike("sendmsg", fd);
  }
  ssize_t result = real(fd, message, flags);
  if (result >= 0) look(message->msg_iov, message->msg_iovlen);
  return result;
}

ssize_t writev(int fd, const struct iovec *pieces, int number) {
  REAL(writev);
  if (is_struck("writev", "write", fd, NULL)) {
    if (!is("before")) (void)!real(fd, pieces, number);
    strike("writev", fd);
  }
  ssize_t result = real(fd, pieces, number);
  if (result >= 0) look(pieces, (size_t)number);
  return result;
}
