/* The few Linux calls that Swift's Glibc module lacks. */
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <libintl.h>
#include <locale.h>
#include <malloc.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* Declared by hand: _GNU_SOURCE would change types that the Glibc module already has. */
int accept4(int, struct sockaddr *, socklen_t *, int);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
int pidfd_open(pid_t, unsigned int);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);

/* accept4(2): the new descriptor is non-blocking and closed on exec. */
static inline int clinux_accept(int listener) {
  return accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

struct clinux_ucred {
  int32_t pid;
  uint32_t uid;
  uint32_t gid;
};

/* SO_PEERCRED of socket(7); 0, or -1 with errno. */
static inline int clinux_peer_credentials(int fd, struct clinux_ucred *out) {
  socklen_t length = sizeof(*out);
  return getsockopt(fd, SOL_SOCKET, 17 /* SO_PEERCRED */, out, &length);
}

/* A CLOCK_REALTIME timerfd; -1 with errno. Once armed, a read fails with ECANCELED after each clock step and each
   resume from suspend (TFD_TIMER_CANCEL_ON_SET, timerfd_create(2)). */
static inline int clinux_clock_watch_create(void) {
  return timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
}

/* Arms it (again), as far ahead as possible; 0, or -1 with errno. */
static inline int clinux_clock_watch_arm(int fd) {
  struct itimerspec never = {.it_value = {.tv_sec = INT64_MAX / 1000000000 - 1}};
  return timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, 0);
}

/* POSIX_SPAWN_SETSID, posix_spawn(3): <spawn.h> has it for _GNU_SOURCE only. */
static inline int16_t clinux_spawn_setsid(void) { return 0x80; }

/* LC_MESSAGES and its mask, locale(7): macros that Swift does not read. */
static inline int clinux_messages(void) { return LC_MESSAGES; }
static inline int clinux_messages_mask(void) { return LC_MESSAGES_MASK; }

#endif
