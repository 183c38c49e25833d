/* The few Linux calls that Swift's Glibc module lacks. */
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <libintl.h>
#include <linux/capability.h>
#include <locale.h>
#include <malloc.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
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

/* Whether a process permits itself CAP_WAKE_ALARM: 1 or 0, or -1 with errno. capget(2), of any process. */
static inline int clinux_may_wake(int32_t pid) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = pid};
  struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};
  if (syscall(SYS_capget, &header, data) != 0) return -1;
  return (data[CAP_TO_INDEX(CAP_WAKE_ALARM)].permitted & CAP_TO_MASK(CAP_WAKE_ALARM)) != 0;
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
