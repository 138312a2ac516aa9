#define _GNU_SOURCE
#include "clinux.h"
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

void clinux_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int clinux_accept(int listener, struct sockaddr *address, unsigned int *size) {
  return accept4(listener, address, size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

long clinux_sendfile(int socket, int file, long *offset, size_t count) {
  return sendfile(socket, file, offset, count);
}

long clinux_file_system(const char *path) {
  struct statfs status;
  return statfs(path, &status) == 0 ? (long)status.f_type : 0;
}

int clinux_clock_is_synchronised(void) {
  struct timex state = {.modes = 0};
  int answer = adjtimex(&state);
  return answer >= 0 && answer != TIME_ERROR && !(state.status & STA_UNSYNC);
}

void clinux_release_memory(void) { malloc_trim(0); }

void clinux_keep_no_large_blocks(void) { mallopt(M_MMAP_THRESHOLD, 256 << 10); }

int clinux_usable_cores(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  int count = CPU_COUNT(&set);
  return count > 0 ? count : 1;
}

int clinux_is_cached(int file, long offset, size_t count) {
  enum { most = 1024 };
  unsigned char resident[most];
  long page = sysconf(_SC_PAGESIZE);
  long start = offset - offset % page;
  size_t length = (size_t)(offset - start) + count;
  size_t pages = (length + (size_t)page - 1) / (size_t)page;
  if (pages == 0 || pages > most) return 0;
  void *map = mmap(NULL, length, PROT_READ, MAP_SHARED, file, start);
  if (map == MAP_FAILED) return 0;
  int found = mincore(map, length, resident) == 0;
  for (size_t index = 0; found && index < pages; index++) found = resident[index] & 1;
  munmap(map, length);
  return found;
}

int clinux_wait_until(sem_t *semaphore, const struct timespec *deadline) {
  return sem_clockwait(semaphore, CLOCK_MONOTONIC, deadline);
}

int clinux_peer(int socket) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : -1;
}
