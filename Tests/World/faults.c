// Preloaded into a program under test: counts every call that changes a file below FAULTS_FOLDER, and at the
// one with the number FAULTS_AT does what FAULTS_KIND says:
//
//   kill  ends the process as a power failure would, before the call
//   half  the same, after half of a write
//   full  answers ENOSPC, now and from then on, as a full disk would; what is removed is removed
//
// With FAULTS_WHILE the disk is full for as long as a file of that name is there. The number of calls is written to
// FAULTS_REPORT when the process ends by itself. FAULTS_TRACE gets a line for each: its name and the path, of two paths
// the new one.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;
static const char *folder, *while_there;
static size_t folder_length;
static long at = LONG_MAX;
static int trace = -1;
static __thread char seen[PATH_MAX];
static enum { KILL, HALF, FULL } kind;

#define REAL(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
  folder = getenv("FAULTS_FOLDER");
  folder_length = folder ? strlen(folder) : 0;
  const char *number = getenv("FAULTS_AT"), *name = getenv("FAULTS_KIND");
  if (number) at = atol(number);
  const char *path = getenv("FAULTS_TRACE");
  if (path) trace = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  while_there = getenv("FAULTS_WHILE");
  kind = while_there ? FULL : !name || !strcmp(name, "kill") ? KILL : !strcmp(name, "half") ? HALF : FULL;
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("FAULTS_REPORT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", atomic_load(&calls));
  fclose(file);
}

static int is_watched_path(const char *path) {
  if (!folder || !path || strncmp(path, folder, folder_length)) return 0;
  if (path[folder_length] != '/' && path[folder_length]) return 0;
  snprintf(seen, sizeof seen, "%s", path);
  return 1;
}

static int is_watched_pair(const char *old, const char *new) {
  int is_watched_old = is_watched_path(old);
  return is_watched_path(new) || is_watched_old;
}

static int is_watched(int file) {
  char link[40], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_watched_path(path);
}

/// Counts one call. Returns 1 when it has to fail for lack of room, 2 when only half of it is to be done.
static int count(const char *name) {
  if (trace >= 0) {
    char line[PATH_MAX + 40];
    int length = snprintf(line, sizeof line, "%s %s\n", name, seen);
    if (REAL(write)(trace, line, length) < length) _exit(99);
  }
  long number = atomic_fetch_add(&calls, 1) + 1;
  if (while_there) return access(while_there, F_OK) == 0;
  if (number < at) return 0;
  if (kind == FULL) return 1;
  if (number > at) return 0;
  if (kind == HALF) return 2;
  kill(getpid(), SIGKILL);
  return 0;
}

static void stop(void) { kill(getpid(), SIGKILL); }

#define FAULT(watched, half)                 \
  switch ((watched) ? count(__func__) : 0) {         \
    case 1: errno = ENOSPC; return -1;       \
    case 2: half; stop();                    \
  }

ssize_t write(int file, const void *bytes, size_t size) {
  FAULT(is_watched(file), REAL(write)(file, bytes, size / 2))
  return REAL(write)(file, bytes, size);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  FAULT(is_watched(file), REAL(pwrite)(file, bytes, size / 2, offset))
  return REAL(pwrite)(file, bytes, size, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
  FAULT(is_watched(file), REAL(pwrite64)(file, bytes, size / 2, offset))
  return REAL(pwrite64)(file, bytes, size, offset);
}
ssize_t writev(int file, const struct iovec *pieces, int pieces_count) {
  FAULT(is_watched(file), REAL(write)(file, pieces[0].iov_base, pieces[0].iov_len / 2))
  return REAL(writev)(file, pieces, pieces_count);
}
ssize_t pwritev(int file, const struct iovec *pieces, int pieces_count, off_t offset) {
  FAULT(is_watched(file), REAL(pwrite)(file, pieces[0].iov_base, pieces[0].iov_len / 2, offset))
  return REAL(pwritev)(file, pieces, pieces_count, offset);
}
ssize_t sendfile(int target, int source, off_t *offset, size_t size) {
  FAULT(is_watched(target), REAL(sendfile)(target, source, offset, size / 2))
  return REAL(sendfile)(target, source, offset, size);
}
ssize_t copy_file_range(int source, off64_t *from, int target, off64_t *to, size_t size, unsigned flags) {
  FAULT(is_watched(target), REAL(copy_file_range)(source, from, target, to, size / 2, flags))
  return REAL(copy_file_range)(source, from, target, to, size, flags);
}
int ftruncate(int file, off_t size) {
  FAULT(is_watched(file), )
  return REAL(ftruncate)(file, size);
}
int ftruncate64(int file, off64_t size) {
  FAULT(is_watched(file), )
  return REAL(ftruncate64)(file, size);
}
int fsync(int file) {
  FAULT(is_watched(file), )
  return REAL(fsync)(file);
}
int fdatasync(int file) {
  FAULT(is_watched(file), )
  return REAL(fdatasync)(file);
}
int rename(const char *old, const char *new) {
  FAULT(is_watched_pair(old, new), )
  return REAL(rename)(old, new);
}
int renameat(int old_folder, const char *old, int new_folder, const char *new) {
  FAULT(is_watched_pair(old, new), )
  return REAL(renameat)(old_folder, old, new_folder, new);
}
int link(const char *old, const char *new) {
  FAULT(is_watched_path(new), )
  return REAL(link)(old, new);
}
int mkdir(const char *path, mode_t mode) {
  struct stat status;
  FAULT(is_watched_path(path) && stat(path, &status) != 0, )
  return REAL(mkdir)(path, mode);
}
// A full disk permits removing files, so these are only counted, and killed.
int unlink(const char *path) {
  if (kind != FULL) { FAULT(is_watched_path(path), ) }
  return REAL(unlink)(path);
}
int rmdir(const char *path) {
  if (kind != FULL) { FAULT(is_watched_path(path), ) }
  return REAL(rmdir)(path);
}

static int makes_file(const char *path, int flags) {
  struct stat status;
  return (flags & O_CREAT) && is_watched_path(path) && stat(path, &status) != 0;
}
int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  FAULT(makes_file(path, flags), )
  return REAL(open)(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  FAULT(makes_file(path, flags), )
  return REAL(open64)(path, flags, mode);
}
