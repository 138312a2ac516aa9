#define _GNU_SOURCE
#include "clinux.h"
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/capability.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

static char *none[1];
static char **arguments = none;

// glibc passes constructors the same arguments as main.
__attribute__((constructor)) static void keep_arguments(int count, char **words, char **variables) {
  (void)variables;
  if (count > 0) arguments = words;
}

char **clinux_arguments(void) { return arguments; }

int clinux_write_all(int file, const void *bytes, size_t count) {
  const char *rest = bytes;
  while (count > 0) {
    ssize_t written = write(file, rest, count);
    if (written > 0) {
      rest += written;
      count -= (size_t)written;
    } else if (written < 0 && errno == EAGAIN) {
      poll(&(struct pollfd){.fd = file, .events = POLLOUT}, 1, -1);
    } else if (written == 0 || errno != EINTR) {
      return 0;
    }
  }
  return 1;
}

void clinux_leave_forwarder(const int *from, const int *to, int count) {
  enum { most = 4 };
  if (count > most || fork() != 0) return;
  // The terminal's signals are for the programs that write.
  for (int number = 1; number < NSIG; number++) signal(number, number == SIGTERM ? SIG_DFL : SIG_IGN);
  sigset_t no_signals;
  sigemptyset(&no_signals);
  sigprocmask(SIG_SETMASK, &no_signals, NULL);
  struct pollfd ready[most];
  int highest = 2;
  for (int one = 0; one < count; one++) {
    ready[one] = (struct pollfd){.fd = from[one], .events = POLLIN};
    if (from[one] > highest) highest = from[one];
  }
  // Close all other descriptors, since somebody may wait for them to be closed.
  int open = count;
  for (int file = 0; file <= highest; file++) {
    int is_used = 0;
    for (int one = 0; one < count; one++) is_used |= file == from[one] || file == to[one];
    if (!is_used) close(file);
  }
  close_range((unsigned)highest + 1, ~0U, 0);
  while (open > 0 && (poll(ready, (nfds_t)count, -1) > 0 || errno == EINTR)) {
    for (int one = 0; one < count; one++) {
      static char piece[1 << 16];
      if (ready[one].fd < 0 || !ready[one].revents) continue;
      ssize_t found = read(ready[one].fd, piece, sizeof piece);
      if (found < 0 && errno == EINTR) continue;
      if (found > 0 && clinux_write_all(to[one], piece, (size_t)found)) continue;
      close(ready[one].fd);
      ready[one].fd = -1;
      open--;
    }
  }
  _exit(0);
}

void clinux_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int clinux_accept(int listener, struct sockaddr *address, unsigned int *size) {
  return accept4(listener, address, size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

long clinux_receive(int socket, void *bytes, size_t count, int *descriptor) {
  struct iovec part = {bytes, count};
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof *descriptor)];
  } control;
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
  *descriptor = -1;
  ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (received < 0) return -1;
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS)
    memcpy(descriptor, CMSG_DATA(head), sizeof *descriptor);
  return received;
}

long clinux_send(int socket, const void *bytes, size_t count, int descriptor) {
  struct iovec part = {(void *)bytes, count};
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof descriptor)];
  } control;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor >= 0) {
    message.msg_control = control.room;
    message.msg_controllen = sizeof control.room;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

int clinux_socket_pair(int sockets[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets); }

int clinux_memory_file(const void *bytes, size_t count) {
  int file = memfd_create("eightbells", MFD_CLOEXEC);
  if (file < 0 || write(file, bytes, count) == (ssize_t)count) return file;
  close(file);
  return -1;
}

int clinux_spawn(const char *program, char *const words[], char *const environment[], const int descriptors[3]) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  // First out of the way: one of them may have the number that another is to get.
  int spare = 10;
  for (int index = 0; index < 3; index++)
    if (descriptors[index] >= spare) spare = descriptors[index] + 1;
  for (int index = 0; index < 3; index++)
    if (descriptors[index] >= 0) posix_spawn_file_actions_adddup2(&actions, descriptors[index], spare + index);
  for (int index = 0; index < 3; index++) {
    if (descriptors[index] >= 0) posix_spawn_file_actions_adddup2(&actions, spare + index, index);
    else posix_spawn_file_actions_addopen(&actions, index, "/dev/null", O_RDWR, 0);
  }
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  posix_spawn_file_actions_addchdir_np(&actions, "/");
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t process;
  int code = posix_spawn(&process, program, &actions, &attributes, words, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code ? -code : process;
}

int clinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

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

/// Only what was never written: the pages of relocations, which are read-only by now, would lose them.
static int release_segments(struct dl_phdr_info *object, size_t size, void *page) {
  (void)size;
  uintptr_t mask = ~(*(uintptr_t *)page - 1);
  for (int index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
    uintptr_t start = (object->dlpi_addr + segment->p_vaddr) & mask;
    uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_filesz + ~mask) & mask;
    madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

void clinux_release_code(void) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  dl_iterate_phdr(release_segments, &page);
}

void clinux_keep_no_large_blocks(void) { mallopt(M_MMAP_THRESHOLD, 256 << 10); }

int clinux_usable_cores(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  int count = CPU_COUNT(&set);
  return count > 0 ? count : 1;
}

void clinux_begin_writing(int file, long offset, long count) {
  (void)!sync_file_range(file, offset, count, SYNC_FILE_RANGE_WRITE);
}

/// Whether a part of a file is in the page cache: 1 or 0, -1 where the system cannot tell so. A step for each folio, of
/// which a large file has few, where mincore(2) takes one for each page.
static int ask_cache(int file, long start, size_t length, size_t pages) {
  // cachestat(2), of Linux 6.5; older headers lack it.
  enum { number = 451 };
  struct {
    uint64_t start, length;
  } range = {(uint64_t)start, length};
  struct {
    uint64_t cached, dirty, written, evicted, recently_evicted;
  } found;
  if (syscall(number, file, &range, &found, 0) != 0) return -1;
  if (found.cached < pages) return 0;
  // Pages that are still being read count as well. They are read in their order: the last one tells.
  char byte;
  struct iovec last = {&byte, 1};
  ssize_t read = preadv2(file, &last, 1, start + (long)length - 1, RWF_NOWAIT);
  return read == 1 ? 1 : errno == EAGAIN ? 0 : -1;
}

int clinux_is_cached(int file, long offset, size_t count) {
  enum { most = 1024 };
  unsigned char resident[most];
  long page = sysconf(_SC_PAGESIZE);
  long start = offset - offset % page;
  size_t length = (size_t)(offset - start) + count;
  size_t pages = (length + (size_t)page - 1) / (size_t)page;
  if (pages == 0 || pages > most) return 0;
  int told = ask_cache(file, start, length, pages);
  if (told >= 0) return told;
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

int clinux_become(unsigned int user, unsigned int group) {
  if (setegid(group) != 0 || seteuid(user) != 0) return -1;
  // That has put root's rights aside, and some of them are taken up again. Where root never had them, it goes without.
  struct __user_cap_header_struct version = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct rights[_LINUX_CAPABILITY_U32S_3];
  if (syscall(SYS_capget, &version, rights) != 0) return 0;
  rights[0].effective |= rights[0].permitted
    & (1u << CAP_CHOWN | 1u << CAP_FOWNER | 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH);
  syscall(SYS_capset, &version, rights);
  return 0;
}

int clinux_peer(int socket) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : -1;
}

int clinux_wall_timer(void) { return timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC); }

int clinux_set_wall_timer(int timer, const struct timespec *moment) {
  struct itimerspec setting = {.it_value = *moment};
  return timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &setting, NULL);
}
