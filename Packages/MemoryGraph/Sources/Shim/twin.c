// The twin that the program makes of itself, and the requests to both.
#define _GNU_SOURCE
#include "twin.h"
#include "standing.h"
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct own own(int number) {
  struct own one = {.number = number};
  struct stat status;
  if (number < 0 || fstat(number, &status) != 0) return (struct own){.number = -1};
  one.device = status.st_dev;
  one.inode = status.st_ino;
  return one;
}

int is_own(const struct own *one) {
  struct own now = own(one->number);
  return now.number >= 0 && now.device == one->device && now.inode == one->inode;
}

void close_own(const struct own *one) {
  if (is_own(one)) close(one->number);
}

static int64_t hand_out(int line, uint64_t address, uint64_t count) {
  int64_t answer = count;
  struct iovec parts[2] = {{&answer, sizeof answer}, {(void *)(uintptr_t)address, count}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  return sendmsg(line, &message, MSG_NOSIGNAL);
}

/// Reads through the kernel, which reports what is unreadable.
static void answer_read(int line, uint64_t address, uint64_t count) {
  enum { page = 4096 };
  if (count > most_bytes) count = most_bytes;
  if (hand_out(line, address, count) >= 0 || errno != EFAULT) return;
  uint64_t rest = page - address % page;
  if (rest < count && hand_out(line, address, rest) >= 0) return;
  int64_t error = -EFAULT;
  send(line, &error, sizeof error, MSG_NOSIGNAL);
}

/// Makes memory readable in the twin only: the program's rights do not change.
static void allow_reading(uint64_t address, uint64_t count) {
  enum { page = 4096 };
  uint64_t start = address / page * page;
  syscall(SYS_mprotect, start, address + count - start, PROT_READ);
}

static int is_asked(const struct own *line, uint64_t request[3]) {
  ssize_t count;
  do {
    if (!is_own(line)) return 0;
    count = recv(line->number, request, 3 * sizeof *request, 0);
  } while (count < 0 && errno == EINTR);
  return count == 3 * sizeof *request && is_own(line);
}

/// The child: it keeps none of the program's descriptors, ends with the tool, and never returns.
static _Noreturn void live_as_twin(pid_t tool, const struct own *end) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  uint64_t request[3];
  if (getppid() == tool) {
    int line = end->number;
#ifdef SYS_close_range
    if (line > 0) syscall(SYS_close_range, 0, line - 1, 0);
    if (syscall(SYS_close_range, line + 1, ~0u, 0) != 0)
#endif
    {
      struct rlimit limit = {.rlim_cur = 1024};
      getrlimit(RLIMIT_NOFILE, &limit);
      for (rlim_t each = 0; each < limit.rlim_cur && each < 1 << 20; each++)
        if ((int)each != line) close(each);
    }
    while (is_asked(end, request)) {
      if (request[0] == request_protected) allow_reading(request[1], request[2]);
      answer_read(line, request[1], request[2]);
    }
  }
  while (1) syscall(SYS_exit_group, 0);
}

static void announce(int line, const struct birth *birth, int end) {
  struct iovec part = {(void *)birth, sizeof *birth};
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof end)];
  } control = {0};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (birth->process > 0) {
    message.msg_control = control.room;
    message.msg_controllen = sizeof control.room;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof end);
    memcpy(CMSG_DATA(head), &end, sizeof end);
  }
  sendmsg(line, &message, MSG_NOSIGNAL);
}

__attribute__((noinline)) static void answer_twin(const struct own *line) {
  struct birth birth = {.size = sizeof(struct standing), .threads = (uintptr_t)standing};
  struct own ends[2] = {{.number = -1}, {.number = -1}};
  pid_t tool = getppid();
  int64_t others = stop_others(&birth);
  int pair[2];
  birth.process = others;
  if (others >= 0 && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
    birth.process = -errno;
  } else if (others >= 0) {
    for (int each = 0; each < 2; each++) ends[each] = own(pair[each]);
    // This stack is read from here on: registers saved by callees are in this context, or on the stack.
    ucontext_t context;
    getcontext(&context);
    add_own(others, &context);
    birth.count = others + 1;
    // Not fork(3), whose handlers and locks are the program's. It becomes the tool's child, so the program never meets
    // it, even after exec.
    birth.process = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
    if (birth.process == 0) live_as_twin(tool, &ends[1]);
    if (birth.process < 0) birth.process = -errno;
    close_own(&ends[1]);
  }
  measure_stop(&birth);
  if (birth.process > 0 && !is_own(&ends[0])) birth.process = -EBADF;
  // While the others are stopped, so that none of them closes the descriptors in between.
  if (is_own(line)) announce(line->number, &birth, ends[0].number);
  let_others_go();
  forget_registers(birth.count);
  close_own(&ends[0]);
}

void serve(const struct own *line) {
  uint64_t request[3];
  while (is_asked(line, request)) {
    if (request[0] == request_twin) answer_twin(line);
    else if (request[0] == request_calls) answer_calls();
    else answer_read(line->number, request[1], request[2]);
  }
}
