// Requests looks: notifies `memorygraph`, which has started the program, and waits for the look.
#define _GNU_SOURCE
#include "stacks.h"
#include "standing.h"
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))
#define VARIABLE "MEMORYGRAPH_RUN"

// The seconds after which the program continues in any case.
enum { patience = 300, longest_message = 200 };

/// The process under examination, without its children.
static pid_t watched;
static struct sockaddr_un tool;
static socklen_t tool_size;

// MARK: Requests

/// Zeroes the stack that the following calls will use, whose stale words would look like references. To be called by
/// the function that the program has called.
__attribute__((noinline)) static void wipe(void) {
  volatile char room[4096];
  for (size_t place = 0; place < sizeof room; place++) room[place] = 0;
}

/// Blocks all signals and cancellation of the thread; returns the state that `let_go` restores.
static int hold(sigset_t *before) {
  sigset_t all;
  sigfillset(&all);
  sigemptyset(before);
  pthread_sigmask(SIG_SETMASK, &all, before);
  int cancelling = PTHREAD_CANCEL_ENABLE;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelling);
  return cancelling;
}

static void let_go(const sigset_t *before, int cancelling) {
  pthread_setcancelstate(cancelling, NULL);
  pthread_sigmask(SIG_SETMASK, before, NULL);
}

/// Sends a request to the tool; with `waits`, waits for the answer. Safe in a signal handler. The descriptor is not
/// inherited and not kept: a program may close descriptors that it does not know.
__attribute__((noinline)) static void tell(const char *kind, const char *more, int waits) {
  if (!watched || getpid() != watched) return;
  int error = errno;
  sigset_t before;
  int cancelling = hold(&before);
  char message[longest_message] = {0};
  size_t count = 0;
  for (; *kind && count < sizeof message - 2; kind++) message[count++] = *kind;
  for (; *more && count < sizeof message - 2; more++) message[count++] = *more;
  struct own own_line = own(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  int line = own_line.number;
  struct timeval limit = {.tv_sec = patience};
  if (line >= 0 && setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0 &&
      connect(line, (struct sockaddr *)&tool, tool_size) == 0 && is_own(&own_line) &&
      send(line, message, count, MSG_NOSIGNAL) >= 0 && waits)
    serve(&own_line);
  close_own(&own_line);
  let_go(&before, cancelling);
  errno = error;
}

EXPORTED void memorygraph_shim_look(const char *moment) {
  wipe();
  tell("look at ", moment ? moment : "a call", 1);
}

static void on_signal(int number) {
  (void)number;
  wipe();
  tell("look at ", "the signal", 1);
}

void on_calls_over(void) { tell("own calls", "", 1); }
void on_asked(void) { tell("asked", "", 1); }

// MARK: The end of the program

/// The first thread that comes here requests a look; others that would end the program meanwhile wait. The tool may
/// want no look: then it replies at once.
__attribute__((noinline)) static void end_with_look(void) {
  enum { not_yet, looking, looked };
  static _Atomic int state;
  if (!watched || getpid() != watched) return;
  // A signal handler that ends the program in this thread would wait for it, so signals are blocked.
  sigset_t before;
  int cancelling = hold(&before);
  int expected = not_yet;
  if (atomic_compare_exchange_strong(&state, &expected, looking)) {
    tell("end", "", 1);
    state = looked;
  }
  let_go(&before, cancelling);
  for (int pause = 0; state == looking && pause < patience * 100; pause++) poll(NULL, 0, 10);
}

__attribute__((always_inline)) static inline void look_at_exit(void) {
  wipe();
  end_with_look();
}

/// Writes the rest of a last line before the look, as the C library would have done after it.
static int writes_lines;
static void write_rest(void) {
  if (writes_lines && watched && getpid() == watched) fflush(stdout);
}

static int (*program)(int, char **, char **);

/// The stack frame of `main` is gone, and nothing was destroyed yet.
static int watched_main(int count, char **words, char **environment) {
  int code = program(count, words, environment);
  write_rest();
  look_at_exit();
  return code;
}

typedef int start_main(
    int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

EXPORTED int __libc_start_main(
    int (*main)(int, char **, char **), int count, char **words, void (*init)(void), void (*fini)(void),
    void (*rtld_fini)(void), void *stack_end) {
  program = main;
  start_main *real = (start_main *)dlsym(RTLD_NEXT, "__libc_start_main");
  return real(watched_main, count, words, init, fini, rtld_fini, stack_end);
}

EXPORTED _Noreturn void exit(int code) {
  write_rest();
  look_at_exit();
  void (*real)(int) = (void (*)(int))dlsym(RTLD_NEXT, "exit");
  real(code);
  __builtin_unreachable();
}

EXPORTED _Noreturn void quick_exit(int code) {
  look_at_exit();
  void (*real)(int) = (void (*)(int))dlsym(RTLD_NEXT, "quick_exit");
  real(code);
  __builtin_unreachable();
}

// Also called between vfork and exec, where it must not send anything.
EXPORTED _Noreturn void _exit(int code) {
  look_at_exit();
  while (1) syscall(SYS_exit_group, code);
}
EXPORTED _Noreturn void _Exit(int code) { _exit(code); }

/// When the last thread ends, the C library ends the program.
__attribute__((destructor)) static void at_destruction(void) { look_at_exit(); }

// MARK: Start

/// Removes the shim from the environment, for programs that this one starts. Other libraries may be preloaded before
/// it.
static void forget(void) {
  unsetenv(VARIABLE);
  char *entry = getenv("LD_PRELOAD");
  Dl_info own;
  if (!entry || !dladdr(&watched, &own) || !own.dli_fname) return;
  char *first = entry;
  while (*entry) {
    size_t length = strcspn(entry, ": ");
    char *next = entry + length + (entry[length] != 0);
    if (strlen(own.dli_fname) == length && !strncmp(entry, own.dli_fname, length)) {
      memmove(entry, next, strlen(next) + 1);
    } else {
      entry = next;
    }
  }
  size_t length = strlen(first);
  if (length && strchr(": ", first[length - 1])) first[--length] = 0;
  if (!length) unsetenv("LD_PRELOAD");
}

static struct sigaction old_action;
static int asked_by;

/// A child is not examined: there the signal keeps its own meaning.
static void in_child(void) {
  forget_calls();
  if (!asked_by) return;
  struct sigaction now;
  if (sigaction(asked_by, NULL, &now) == 0 && now.sa_handler == on_signal) sigaction(asked_by, &old_action, NULL);
}

/// The variable: the tool's process, the name of its socket, the options, and a signal. Options: `s` record stacks, `l`
/// write output line by line, `C` SIGCHLD is to be ignored, as for the tool's caller. The tool itself needs SIGCHLD to
/// see the program's end, so only the shim can restore that.
__attribute__((constructor(101))) static void begin(void) {
  char *words = getenv(VARIABLE);
  if (!words) return;
  int parent = 0, number = 0;
  char name[64] = {0}, wanted[8] = {0};
  if (sscanf(words, "%d %63s %7s %d", &parent, name, wanted, &number) != 4 || parent != getppid()) {
    // A program started by this one is not examined. This one keeps the variables, for when it calls exec.
    forget();
    return;
  }
  tool.sun_family = AF_UNIX;
  // An abstract address, which begins with a zero byte, needs no folder: it works without rights, and in another root.
  memcpy(tool.sun_path + 1, name, strlen(name));
  tool_size = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name);
  watched = getpid();
  char *ignores = strchr(words, 'C');
  if (ignores) {
    signal(SIGCHLD, SIG_IGN);
    // Only once: after exec the program has the state from before.
    *ignores = '-';
  }
  if (!has_known_blocks()) {
    tell("refused: ",
         "its blocks are those of another allocator than glibc has, as under valgrind and AddressSanitizer", 0);
    watched = 0;
    return;
  }
  // A heap that was never used could not be distinguished from a damaged one.
  void *volatile first = malloc(1);
  free(first);
  const char *problem = strchr(wanted, 's') ? stacks_begin() : NULL;
  writes_lines = strchr(wanted, 'l') != NULL;
  if (writes_lines) setvbuf(stdout, NULL, _IOLBF, 0);
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  if (number > 0 && sigaction(number, &action, &old_action) == 0) asked_by = number;
  pthread_atfork(NULL, NULL, in_child);
  // The tool replies whether it will call the program.
  if (problem) tell("remark: ", problem, 1);
  else tell("hello", "", 1);
}
