/* faults.c - a disk that fails, stalls, and remembers; LD_PRELOAD.
 *
 * Of the files below $FAULTS_DIRECTORY it writes to $FAULTS_LOG what is done to them and what is synced, so that any
 * power loss can be played back. What is to go wrong stands in $FAULTS_CONTROL, a file that is shared: see struct
 * control. The log is a sequence of records: struct record, the name, the data.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct control {
  uint64_t position;    /* records in the log so far */
  int32_t write_error;  /* errno of write, truncate, rename, unlink; 0: they work */
  int32_t sync_error;   /* of fsync and fdatasync */
  int32_t read_error;
  int32_t sync_delay;   /* ms that each sync takes longer */
  uint64_t syncs;       /* begun so far */
};

struct record {
  uint32_t kind;
  uint32_t name; /* bytes */
  uint64_t inode;
  int64_t offset;
  uint64_t data; /* bytes */
};

enum { CREATE = 1, WRITE, TRUNCATE, SYNC, SYNCED, RENAME, UNLINK, SYNC_NAMES, SYNCED_NAMES };

#define FILES 4096
static uint64_t inodes[FILES];      /* by descriptor; 0: not one of ours */
static char is_directory[FILES];
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static struct control nothing;
static struct control *control = &nothing;
static const char *directory;
static int log_descriptor = -1;

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void begin(void) {
  directory = getenv("FAULTS_DIRECTORY");
  const char *shared = getenv("FAULTS_CONTROL"), *log = getenv("FAULTS_LOG");
  int file = shared ? syscall(SYS_openat, AT_FDCWD, shared, O_RDWR | O_CLOEXEC) : -1;
  if (file >= 0) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) control = page;
    syscall(SYS_close, file);
  }
  if (log) log_descriptor = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int is_ours(const char *path) {
  return directory && path && !strncmp(path, directory, strlen(directory));
}

/* SQLite's index of the log is memory, and nothing that has to outlive the machine */
static int is_index(const char *path) {
  size_t length = strlen(path);
  return length > 4 && !strcmp(path + length - 4, "-shm");
}

static void put(const void *bytes, size_t count) {
  const char *rest = bytes;
  while (count) {
    ssize_t written = syscall(SYS_write, log_descriptor, rest, count);
    if (written <= 0) abort();
    rest += written;
    count -= written;
  }
}

/* `order` is held */
static void record(uint32_t kind, uint64_t inode, int64_t offset, const char *name, const void *data, size_t count) {
  if (log_descriptor < 0) return;
  struct record head = {kind, name ? strlen(name) : 0, inode, offset, count};
  put(&head, sizeof head);
  if (name) put(name, head.name);
  if (count) put(data, count);
  __atomic_add_fetch(&control->position, 1, __ATOMIC_SEQ_CST);
}

static uint64_t ours(int file) { return file >= 0 && file < FILES ? inodes[file] : 0; }

static int fails(int error) {
  if (error) errno = error;
  return error;
}

static int opened(int (*open_it)(const char *, int, ...), const char *path, int flags, mode_t mode) {
  if (!is_ours(path) || is_index(path)) return open_it(path, flags, mode);
  pthread_mutex_lock(&order);
  struct stat status;
  int is_new = flags & O_CREAT && stat(path, &status) != 0;
  if (is_new && fails(control->write_error)) {
    pthread_mutex_unlock(&order);
    return -1;
  }
  int file = open_it(path, flags, mode);
  int failure = errno;
  if (file >= 0 && file < FILES && fstat(file, &status) == 0) {
    inodes[file] = status.st_ino;
    is_directory[file] = S_ISDIR(status.st_mode);
    if (is_new) record(CREATE, status.st_ino, 0, path, NULL, 0);
    if (flags & O_TRUNC && !is_new) record(TRUNCATE, status.st_ino, 0, NULL, NULL, 0);
  }
  errno = failure;
  pthread_mutex_unlock(&order);
  return file;
}

#define OPEN(name)                                                \
  int name(const char *path, int flags, ...) {                    \
    va_list list;                                                 \
    va_start(list, flags);                                        \
    mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;     \
    va_end(list);                                                 \
    return opened((int (*)(const char *, int, ...))real(#name), path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

int close(int file) {
  if (file >= 0 && file < FILES) inodes[file] = 0;
  return REAL(close)(file);
}

static ssize_t written(ssize_t count, int file, const void *data, int64_t offset) {
  if (count > 0) record(WRITE, ours(file), offset, NULL, data, count);
  pthread_mutex_unlock(&order);
  return count;
}

#define PWRITE(name, type)                                              \
  ssize_t name(int file, const void *data, size_t count, type offset) { \
    if (!ours(file)) return REAL(name)(file, data, count, offset);      \
    if (fails(control->write_error)) return -1;                         \
    pthread_mutex_lock(&order);                                         \
    return written(REAL(name)(file, data, count, offset), file, data, offset); \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int file, const void *data, size_t count) {
  if (!ours(file)) return REAL(write)(file, data, count);
  if (fails(control->write_error)) return -1;
  pthread_mutex_lock(&order);
  off_t offset = lseek(file, 0, SEEK_CUR);
  return written(REAL(write)(file, data, count), file, data, offset);
}

#define PREAD(name, type)                                         \
  ssize_t name(int file, void *data, size_t count, type offset) { \
    if (ours(file) && fails(control->read_error)) return -1;      \
    return REAL(name)(file, data, count, offset);                 \
  }
PREAD(pread, off_t)
PREAD(pread64, off64_t)

#define TRUNCATE_TO(name, type)                                              \
  int name(int file, type size) {                                            \
    if (!ours(file)) return REAL(name)(file, size);                          \
    if (fails(control->write_error)) return -1;                              \
    pthread_mutex_lock(&order);                                              \
    int result = REAL(name)(file, size);                                     \
    if (!result) record(TRUNCATE, ours(file), size, NULL, NULL, 0);          \
    pthread_mutex_unlock(&order);                                            \
    return result;                                                           \
  }
TRUNCATE_TO(ftruncate, off_t)
TRUNCATE_TO(ftruncate64, off64_t)

static int synced(int (*sync_it)(int), int file) {
  uint64_t inode = ours(file);
  if (!inode) return sync_it(file);
  __atomic_add_fetch(&control->syncs, 1, __ATOMIC_SEQ_CST);
  if (control->sync_delay) usleep(1000 * control->sync_delay);
  if (fails(control->sync_error)) return -1;
  int names = is_directory[file];
  pthread_mutex_lock(&order);
  record(names ? SYNC_NAMES : SYNC, inode, 0, NULL, NULL, 0);
  pthread_mutex_unlock(&order);
  int result = sync_it(file);
  if (result) return result;
  pthread_mutex_lock(&order);
  record(names ? SYNCED_NAMES : SYNCED, inode, 0, NULL, NULL, 0);
  pthread_mutex_unlock(&order);
  return 0;
}

int fsync(int file) { return synced(REAL(fsync), file); }
int fdatasync(int file) { return synced(REAL(fdatasync), file); }

int rename(const char *old, const char *new) {
  if (!is_ours(old)) return REAL(rename)(old, new);
  if (fails(control->write_error)) return -1;
  pthread_mutex_lock(&order);
  int result = REAL(rename)(old, new);
  if (!result) record(RENAME, 0, 0, old, new, strlen(new));
  pthread_mutex_unlock(&order);
  return result;
}

int unlink(const char *path) {
  if (!is_ours(path)) return REAL(unlink)(path);
  if (fails(control->write_error)) return -1;
  pthread_mutex_lock(&order);
  int result = REAL(unlink)(path);
  if (!result) record(UNLINK, 0, 0, path, NULL, 0);
  pthread_mutex_unlock(&order);
  return result;
}
