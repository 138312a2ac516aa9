// When the program is looked at: it tells `memorygraph`, which started it, and waits until that has looked.
#define _GNU_SOURCE
#include "stacks.h"
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
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

// Seconds until the program goes on, whatever has become of the look.
enum { patience = 300, longest_message = 200 };

/// The process that is watched: none of its children is.
static pid_t watched;
static struct sockaddr_un tool;
static socklen_t tool_size;

// MARK: Telling

/// Zeroes what earlier calls have left on the stack where ours come to lie: it would look like references. To be called
/// by the function that the program has called.
__attribute__((noinline)) static void wipe(void) {
  volatile char room[4096];
  for (size_t place = 0; place < sizeof room; place++) room[place] = 0;
}

/// Tells the tool something; with `waits`, until it answers. Safe in a signal's handler. Nothing is inherited, and no
/// number of a file is used for longer than this: a program may close what it does not know.
__attribute__((noinline)) static void tell(const char *kind, const char *more, int waits) {
  if (!watched || getpid() != watched) return;
  int error = errno;
  sigset_t all, before = {0};
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  char message[longest_message] = {0};
  size_t count = 0;
  for (; *kind && count < sizeof message - 2; kind++) message[count++] = *kind;
  for (; *more && count < sizeof message - 2; more++) message[count++] = *more;
  int line = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  struct timeval limit = {.tv_sec = patience};
  char answer = 0;
  if (line >= 0 && setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0 &&
      connect(line, (struct sockaddr *)&tool, tool_size) == 0 && send(line, message, count, MSG_NOSIGNAL) >= 0 && waits)
    while (recv(line, &answer, 1, 0) < 0 && errno == EINTR) {}
  if (line >= 0) close(line);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
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

// MARK: The end of the program

/// The first thread that comes here has the program looked at; others that would end it meanwhile wait. The tool may
/// want no look: then it lets go as soon as it has seen what came before.
__attribute__((noinline)) static void end_with_look(void) {
  enum { not_yet, looking, looked };
  static _Atomic int state;
  if (!watched || getpid() != watched) return;
  int expected = not_yet;
  if (atomic_compare_exchange_strong(&state, &expected, looking)) {
    tell("look at ", "exit", 1);
    state = looked;
  }
  for (int pause = 0; state == looking && pause < patience * 100; pause++) poll(NULL, 0, 10);
}

__attribute__((always_inline)) static inline void look_at_exit(void) {
  wipe();
  end_with_look();
}

static int (*program)(int, char **, char **);

/// What `main` had on its stack is gone, and nothing that its variables hold has been taken apart yet.
static int watched_main(int count, char **words, char **environment) {
  int code = program(count, words, environment);
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

// Also called between vfork and exec: it may ask nobody.
EXPORTED _Noreturn void _exit(int code) {
  look_at_exit();
  while (1) syscall(SYS_exit_group, code);
}
EXPORTED _Noreturn void _Exit(int code) { _exit(code); }

/// When the last thread ends, the C library ends the program by itself.
__attribute__((destructor)) static void at_destruction(void) { look_at_exit(); }

// MARK: The beginning

/// Takes the shim out of the environment, for the programs that this one starts.
static void forget(void) {
  unsetenv(VARIABLE);
  char *preloaded = getenv("LD_PRELOAD");
  if (!preloaded) return;
  // memorygraph puts the shim first.
  char *rest = strchr(preloaded, ':');
  if (rest) memmove(preloaded, rest + 1, strlen(rest));
  else unsetenv("LD_PRELOAD");
}

/// The variable: the tool's process, the name of its socket, what is wanted, and a signal. What is wanted: `s` stacks,
/// `l` lines that are written as soon as they are whole.
__attribute__((constructor(101))) static void begin(void) {
  const char *words = getenv(VARIABLE);
  if (!words) return;
  int parent = 0, number = 0;
  char name[64] = {0}, wanted[8] = {0};
  if (sscanf(words, "%d %63s %7s %d", &parent, name, wanted, &number) != 4 || parent != getppid()) {
    // Started by the program, and none of ours. The program itself keeps the variables, for what it becomes by exec.
    forget();
    return;
  }
  tool.sun_family = AF_UNIX;
  // A name that begins with a zero lies in no folder: it is there also without rights, and in another root.
  memcpy(tool.sun_path + 1, name, strlen(name));
  tool_size = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name);
  watched = getpid();
  // A heap that nobody has used yet could not be told from a damaged one.
  void *volatile first = malloc(1);
  free(first);
  if (strchr(wanted, 's')) stacks_begin();
  if (strchr(wanted, 'l')) setvbuf(stdout, NULL, _IOLBF, 0);
  if (number > 0) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(number, &action, NULL);
  }
  tell("hello", "", 0);
}
