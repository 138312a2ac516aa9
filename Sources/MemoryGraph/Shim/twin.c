// The twin that the program makes of itself, and what the tool may ask of both.
#define _GNU_SOURCE
#include "twin.h"
#include "standing.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int64_t hand_out(int line, uint64_t address, uint64_t count) {
  int64_t answer = count;
  struct iovec parts[2] = {{&answer, sizeof answer}, {(void *)(uintptr_t)address, count}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  return sendmsg(line, &message, MSG_NOSIGNAL);
}

/// The kernel reads for us, and says where it cannot.
static void answer_read(int line, uint64_t address, uint64_t count) {
  enum { page = 4096 };
  if (count > most_bytes) count = most_bytes;
  if (hand_out(line, address, count) >= 0 || errno != EFAULT) return;
  uint64_t rest = page - address % page;
  if (rest < count && hand_out(line, address, rest) >= 0) return;
  int64_t error = -EFAULT;
  send(line, &error, sizeof error, MSG_NOSIGNAL);
}

/// The twin's memory is its own: the program's keeps its rights.
static void allow_reading(uint64_t address, uint64_t count) {
  enum { page = 4096 };
  uint64_t start = address / page * page;
  syscall(SYS_mprotect, start, address + count - start, PROT_READ);
}

static int is_asked(int line, uint64_t request[3]) {
  ssize_t count;
  do count = recv(line, request, 3 * sizeof *request, 0);
  while (count < 0 && errno == EINTR);
  return count == 3 * sizeof *request;
}

/// The child: it keeps nothing open of the program's, ends with it and with the tool, and never comes back.
static _Noreturn void live_as_twin(pid_t program, int line) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  uint64_t request[3];
  if (getppid() == program) {
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
    while (is_asked(line, request)) {
      if (request[0] == request_protected) allow_reading(request[1], request[2]);
      answer_read(line, request[1], request[2]);
    }
  }
  while (1) syscall(SYS_exit_group, 0);
}

/// The twin is a child without a signal at its end, so that the program is told nothing, and never waits for it by
/// mistake.
static void end_twin(pid_t *twin) {
  if (*twin <= 0) return;
  kill(*twin, SIGKILL);
  while (syscall(SYS_wait4, *twin, NULL, __WALL, NULL) < 0 && errno == EINTR) {}
  *twin = 0;
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

__attribute__((noinline)) static pid_t answer_twin(int line) {
  struct birth birth = {.size = sizeof(struct standing), .threads = (uintptr_t)standing};
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    birth.process = -errno;
  } else {
    pid_t program = getpid();
    int64_t others = stop_others(&birth);
    birth.process = others;
    if (others >= 0) {
      // Our own stack is read from here on: what our callers hold in registers is in this, or on it.
      ucontext_t context;
      getcontext(&context);
      add_own(others, &context);
      birth.count = others + 1;
      // Not fork(3), whose handlers and locks are the program's.
      birth.process = syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);
      if (birth.process == 0) live_as_twin(program, ends[1]);
      if (birth.process < 0) birth.process = -errno;
    }
    let_others_go(&birth);
    forget_registers(birth.count);
  }
  announce(line, &birth, ends[0]);
  if (ends[0] >= 0) close(ends[0]);
  if (ends[1] >= 0) close(ends[1]);
  return birth.process > 0 ? birth.process : 0;
}

void serve(int line) {
  pid_t twin = 0;
  uint64_t request[3];
  while (is_asked(line, request)) {
    if (request[0] == request_twin) {
      end_twin(&twin);
      twin = answer_twin(line);
    } else {
      answer_read(line, request[1], request[2]);
    }
  }
  end_twin(&twin);
}
