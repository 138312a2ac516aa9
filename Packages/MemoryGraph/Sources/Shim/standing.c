// Stops all threads of the program but one: a signal handler keeps each where it was interrupted.
#define _GNU_SOURCE
#include "standing.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

// glibc reserves this signal (SIGCANCEL): no program can handle or block it. glibc's own handler, which is installed
// when a thread is cancelled, ignores signals that glibc has not sent; this one passes on those that it has.
enum { signal_number = 32, pause_nanoseconds = 20000, patience_nanoseconds = 1000000000 };

struct standing standing[most_threads];
/// The number of the look for which the threads are stopped; 0 while they run.
static _Atomic uint32_t gate;

// MARK: In the interrupted thread

#if defined(__x86_64__)
static void fill(struct standing *own, const ucontext_t *context) {
  const greg_t *from = context->uc_mcontext.gregs;
  own->thread_pointer = (uintptr_t)__builtin_thread_pointer();
  own->registers = (struct user_regs_struct){
      .r15 = from[REG_R15], .r14 = from[REG_R14], .r13 = from[REG_R13], .r12 = from[REG_R12], .rbp = from[REG_RBP],
      .rbx = from[REG_RBX], .r11 = from[REG_R11], .r10 = from[REG_R10], .r9 = from[REG_R9], .r8 = from[REG_R8],
      .rax = from[REG_RAX], .rcx = from[REG_RCX], .rdx = from[REG_RDX], .rsi = from[REG_RSI], .rdi = from[REG_RDI],
      .orig_rax = -1, .rip = from[REG_RIP], .cs = 0x33, .eflags = from[REG_EFL], .rsp = from[REG_RSP],
      .fs_base = own->thread_pointer};
}
static uint64_t vectors(const ucontext_t *context) { return (uintptr_t)context->uc_mcontext.fpregs; }

/// The number of the call that ends at an address, by the `mov $number, %eax` before its `syscall`; -1 when unknown.
/// - Parameter is_repeated: the kernel has repeated the call already, as it does with four calls only; then there may
///   be instructions between the two.
static int64_t call_before(const uint8_t *next, int is_repeated) {
  enum { farthest = 40 };
  if (next[-2] != 0x0F || next[-1] != 0x05) return -1;
  for (int back = 7; back <= (is_repeated ? farthest : 7); back++) {
    uint32_t number;
    memcpy(&number, next - back + 1, sizeof number);
    if (next[-back] != 0xB8) continue;
    if (!is_repeated || number == SYS_poll || number == SYS_nanosleep || number == SYS_clock_nanosleep ||
        number == SYS_futex)
      return number;
  }
  return -1;
}

/// Continues a wait that a signal ends whatever its handler's flags are (signal(7)), so that the program does not
/// notice. The kernel tells in which call the thread was when it was signalled; it has to be the one that was
/// interrupted. A signal that the program handles may have ended it meanwhile.
static void wait_again(const struct call *call, ucontext_t *context) {
  greg_t *state = context->uc_mcontext.gregs;
  if (state[REG_RAX] != -EINTR) return;
  int64_t number = call->number;
  if (number >= 0) {
    if ((uint64_t)state[REG_RIP] != call->next || (uint64_t)state[REG_RSP] != call->stack) return;
    const int places[6] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};
    for (int each = 0; each < 6; each++)
      if ((uint64_t)state[places[each]] != call->arguments[each]) return;
  }
  if (number < 0 || number == SYS_restart_syscall)
    number = call_before((const uint8_t *)state[REG_RIP], number == SYS_restart_syscall);
  sigset_t pending;
  if (sigpending(&pending) != 0) return;
  for (int each = 1; each < NSIG; each++) {
    struct sigaction action;
    if (sigismember(&pending, each) == 1 && sigismember(&context->uc_sigmask, each) == 0 &&
        sigaction(each, NULL, &action) == 0 && (uintptr_t)action.sa_handler > (uintptr_t)SIG_IGN)
      return;
  }
  switch (number) {
    // The kernel has written the remaining time to where the program wants it.
    case SYS_nanosleep:
      if (state[REG_RSI]) state[REG_RDI] = state[REG_RSI];
      break;
    case SYS_clock_nanosleep:
      if (!(state[REG_RSI] & TIMER_ABSTIME) && state[REG_R10]) state[REG_RDX] = state[REG_R10];
      break;
    case SYS_poll: case SYS_ppoll: case SYS_select: case SYS_pselect6: case SYS_epoll_wait: case SYS_epoll_pwait:
    case 441 /* epoll_pwait2 */: case SYS_pause: case SYS_rt_sigsuspend: case SYS_rt_sigtimedwait: case SYS_futex:
    case SYS_semop: case SYS_semtimedop: case SYS_msgsnd: case SYS_msgrcv: case SYS_io_getevents: case SYS_read:
    case SYS_readv: case SYS_write: case SYS_writev: case SYS_recvfrom: case SYS_recvmsg: case SYS_recvmmsg:
    case SYS_sendto: case SYS_sendmsg: case SYS_accept: case SYS_accept4:
      break;
    default: return;
  }
  state[REG_RAX] = number;
  state[REG_RIP] -= 2;  // the instruction itself, `syscall`
}
#elif defined(__aarch64__)
static void fill(struct standing *own, const ucontext_t *context) {
  own->thread_pointer = (uintptr_t)__builtin_thread_pointer();
  memcpy(own->registers.regs, context->uc_mcontext.regs, sizeof own->registers.regs);
  own->registers.sp = context->uc_mcontext.sp;
  own->registers.pc = context->uc_mcontext.pc;
  own->registers.pstate = context->uc_mcontext.pstate;
}
static uint64_t vectors(const ucontext_t *context) {
  const struct _aarch64_ctx *record = (const void *)context->uc_mcontext.__reserved;
  while (record->magic != FPSIMD_MAGIC) {
    if (record->size == 0) return 0;
    record = (const void *)((const char *)record + record->size);
  }
  return (uintptr_t)((const struct fpsimd_context *)record)->vregs;
}
static void wait_again(const struct call *call, ucontext_t *context) { (void)call, (void)context; }
#endif

/// sigaction(2) as the kernel has it: the C library's refuses this signal.
struct action {
  void (*handler)(int, siginfo_t *, void *);
  unsigned long flags;
  void (*restorer)(void);
  uint64_t mask;
};
static struct action before;

static int exchange(const struct action *new, struct action *old) {
  return syscall(SYS_rt_sigaction, signal_number, new, old, sizeof new->mask);
}

static void stand(int number, siginfo_t *told, void *context) {
  int error = errno;
  if (told->si_code != SI_QUEUE || told->si_pid != getpid()) {
    if ((uintptr_t)before.handler <= (uintptr_t)SIG_IGN) return;
    // The handler may never return.
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &((ucontext_t *)context)->uc_sigmask, NULL, sizeof before.mask);
    before.handler(number, told, context);
    return;
  }
  uint64_t value = (uintptr_t)told->si_value.sival_ptr;
  uint32_t look = value >> 32;
  struct standing *own = &standing[value % most_threads];
  struct call call = {.number = -1};
  if (own->look == look) call = own->call;
  if (gate == look) {
    fill(own, context);
    own->vectors = vectors(context);
    own->stands = 1;
    while (gate == look) syscall(SYS_futex, &gate, FUTEX_WAIT_PRIVATE, look, NULL, NULL, 0);
  }
  wait_again(&call, context);
  errno = error;
}

#if defined(__x86_64__)
// Unwinders recognise a signal's frame by these very instructions.
__asm__(".text\n.type come_back, @function\ncome_back: mov $15, %rax\nsyscall\n.size come_back, .-come_back\n");
void come_back(void) __attribute__((visibility("hidden")));
#endif

/// The handler stays installed: a thread may get its signal late.
static int can_be_signalled(void) {
  struct action now, own = {.handler = stand, .flags = SA_SIGINFO | SA_RESTART, .mask = ~(uint64_t)0};
#if defined(__x86_64__)
  own.flags |= 0x04000000;  // SA_RESTORER
  own.restorer = come_back;
#endif
  if (exchange(NULL, &now) != 0) return -errno;
  if (now.handler == stand) return 0;
  before = now;
  return exchange(&own, NULL) == 0 ? 0 : -errno;
}

// MARK: In the thread that is called

static struct sigaction before_calls;

/// Others may send the signal, too: without the shim it would be ignored.
static void on_called(int number, siginfo_t *told, void *context) {
  (void)number;
  int error = errno;
  if (told->si_code == SI_USER && told->si_pid == getppid()) on_asked();
  wait_again(&(struct call){.number = -1}, context);
  errno = error;
}

/// The process that answers calls.
static _Atomic pid_t answering;

typedef int set_action(int, const struct sigaction *, struct sigaction *);
static int real_action(int number, const struct sigaction *new, struct sigaction *old) {
  set_action *real = (set_action *)dlsym(RTLD_NEXT, "sigaction");
  return real(number, new, old);
}

/// To the program, the signal looks as it would without the shim; once it handles the signal, it gets it.
__attribute__((visibility("default"))) int sigaction(
    int number, const struct sigaction *new, struct sigaction *old) {
  if (number != calling_signal || answering != getpid()) return real_action(number, new, old);
  if (new) {
    answering = 0;
    on_calls_over();
    return real_action(number, new, old) == 0 ? (old ? (*old = before_calls, 0) : 0) : -1;
  }
  if (old) *old = before_calls;
  return 0;
}

__attribute__((visibility("default"))) __sighandler_t signal(int number, __sighandler_t handler) {
  __sighandler_t (*real)(int, __sighandler_t) = (__sighandler_t(*)(int, __sighandler_t))dlsym(RTLD_NEXT, "signal");
  int was_ours = number == calling_signal && answering == getpid() && handler != SIG_ERR;
  if (was_ours) {
    answering = 0;
    on_calls_over();
  }
  __sighandler_t old = real(number, handler);
  return was_ours && old != SIG_ERR ? before_calls.sa_handler : old;
}

void answer_calls(void) {
  struct sigaction action = {.sa_sigaction = on_called, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigfillset(&action.sa_mask);
  if (real_action(calling_signal, NULL, &before_calls) == 0 && before_calls.sa_handler == SIG_DFL &&
      real_action(calling_signal, &action, NULL) == 0)
    answering = getpid();
}

void forget_calls(void) {
  struct sigaction now;
  answering = 0;
  if (real_action(calling_signal, NULL, &now) == 0 && now.sa_sigaction == on_called)
    real_action(calling_signal, &before_calls, NULL);
}

// MARK: In the thread that requests the look

/// Reads the beginning of a file in a thread's folder of /proc. Returns 1, 0 when the thread has ended, or a negative
/// error number.
static int read_file(uint64_t thread, const char *name, char *text, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%lu/%s", (unsigned long)thread, name);
  struct own file = own(open(path, O_RDONLY | O_CLOEXEC));
  text[0] = 0;
  if (file.number < 0) return errno == ENOENT || errno == ESRCH ? 0 : -errno;
  ssize_t count = read(file.number, text, size - 1);
  int error = errno;
  close_own(&file);
  if (count < 0) return error == ESRCH ? 0 : -error;
  text[count] = 0;
  return 1;
}

/// Returns 1, 0, or a negative error number.
static int has_ended(uint64_t thread) {
  char text[256];
  int code = read_file(thread, "stat", text, sizeof text);
  if (code <= 0) return code < 0 ? code : 1;
  const char *end = strrchr(text, ')');
  return !end || end[1] == 0 || strchr("ZX", end[2]) != NULL;
}

/// After a change of user the file may not be readable; then the thread's code has to tell.
static int find_call(struct standing *one) {
  char text[256];
  int code = read_file(one->number, "syscall", text, sizeof text);
  char *next = text;
  one->call.number = -1;
  if (code == -EACCES || code == -EPERM) return 1;
  if (code < 0 || text[0] < '0' || text[0] > '9') return code;
  int64_t number = strtol(next, &next, 10);
  for (int each = 0; each < 6; each++) one->call.arguments[each] = strtoul(next, &next, 16);
  one->call.stack = strtoul(next, &next, 16);
  one->call.next = strtoul(next, &next, 16);
  if (one->call.next) one->call.number = number;
  return 1;
}

static int send_signal(uint64_t index, uint32_t look) {
  siginfo_t told = {.si_signo = signal_number, .si_code = SI_QUEUE};
  told.si_pid = getpid();
  told.si_uid = getuid();
  told.si_value.sival_ptr = (void *)(uintptr_t)((uint64_t)look << 32 | index);
  long code = syscall(SYS_rt_tgsigqueueinfo, getpid(), (pid_t)standing[index].number, signal_number, &told);
  return code == 0 ? 0 : -errno;
}

/// Signals a thread and records it in a free entry. Returns 1, 0 when it has ended, or a negative error number.
static int signal_one(int64_t place, uint64_t thread, uint32_t look) {
  int code = has_ended(thread);
  if (code != 0) return code < 0 ? code : 0;
  if (place == most_threads - 1) return -E2BIG;
  struct standing *one = &standing[place];
  one->stands = 0;
  one->number = thread;
  if ((code = find_call(one)) < 0) return code;
  one->look = look;
  if (place == 0 && (code = can_be_signalled()) < 0) return code;
  code = send_signal(place, look);
  return code == 0 ? 1 : code == -ESRCH ? 0 : code;
}

/// Signals every thread that is not recorded yet. Returns how many are recorded, or a negative error number: no live
/// thread may be missed, since what it holds would seem lost.
static int64_t signal_new(int64_t count, uint32_t look) {
  struct own folder = own(open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.number < 0) return -errno;
  char entries[1024] __attribute__((aligned(8)));
  ssize_t size;
  int64_t code = 0;
  while (code >= 0 && (size = syscall(SYS_getdents64, folder.number, entries, sizeof entries)) > 0) {
    for (ssize_t place = 0; place < size && code >= 0;) {
      // struct linux_dirent64: two words, then length, type, name.
      uint16_t length;
      memcpy(&length, entries + place + 16, sizeof length);
      uint64_t thread = strtoul(entries + place + 19, NULL, 10);
      place += length;
      int is_known = !thread || thread == (uint64_t)syscall(SYS_gettid);
      for (int64_t each = 0; each < count && !is_known; each++) is_known = standing[each].number == thread;
      if (is_known) continue;
      code = signal_one(count, thread, look);
      if (code > 0) count++;
    }
  }
  if (code >= 0 && size < 0) code = -errno;
  close_own(&folder);
  return code < 0 ? code : count;
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/// Waits until the threads of a range of entries are stopped or have ended; ended ones become thread 0. Returns a
/// thread that is neither in time, or 0.
static uint64_t await(int64_t from, int64_t to, uint64_t deadline) {
  for (int64_t each = from; each < to; each++) {
    while (!standing[each].stands) {
      if (has_ended(standing[each].number) == 1) {
        standing[each].number = 0;
        break;
      }
      if (now() > deadline) return standing[each].number;
      struct timespec pause = {.tv_nsec = pause_nanoseconds};
      nanosleep(&pause, NULL);
    }
  }
  return 0;
}

int64_t stop_others(struct birth *birth) {
  static uint32_t looks;
  birth->stopped = now();
  uint64_t deadline = birth->stopped + patience_nanoseconds;
  looks = looks == UINT32_MAX ? 1 : looks + 1;
  gate = looks;
  // A running thread may start others.
  int64_t known = 0, count = signal_new(0, looks);
  while (count > known) {
    birth->late = await(known, count, deadline);
    if (birth->late) return -ETIMEDOUT;
    known = count;
    count = signal_new(known, looks);
  }
  return count;
}

void add_own(int64_t place, const ucontext_t *context) {
  standing[place].number = syscall(SYS_gettid);
  fill(&standing[place], context);
  standing[place].vectors = 0;
}

void measure_stop(struct birth *birth) { birth->stopped = now() - birth->stopped; }

void let_others_go(void) {
  gate = 0;
  syscall(SYS_futex, &gate, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

void forget_registers(int64_t count) {
  for (int64_t each = 0; each < count; each++) {
    standing[each].vectors = 0;
    memset(&standing[each].registers, 0, sizeof standing[each].registers);
  }
}
