// Preloaded into a measured program: every fsync and fdatasync takes SLOWSYNC_MS longer, as on a slow disk, and is
// counted in the file SLOWSYNC_COUNT, eight bytes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static _Atomic long *count;
static struct timespec pause_time;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("SLOWSYNC_COUNT"), *milliseconds = getenv("SLOWSYNC_MS");
  if (milliseconds) pause_time.tv_nsec = atol(milliseconds) * 1000000;
  int file = path ? open(path, O_RDWR) : -1;
  if (file < 0) return;
  void *memory = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory != MAP_FAILED) count = memory;
}

static void note(void) {
  if (count) atomic_fetch_add(count, 1);
  if (pause_time.tv_nsec) nanosleep(&pause_time, NULL);
}

int fsync(int file) {
  note();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}
int fdatasync(int file) {
  note();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
