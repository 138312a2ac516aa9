// Threads that wait in every call that a signal interrupts for good, and hold a block each; the program takes a look,
// and checks that nothing has changed for it. With an argument, looks come from outside: it prints "ready" and waits.
#define _GNU_SOURCE
#include "shim.h"
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { milliseconds = 60000, sleep_milliseconds = 1500, looks = 3, sent = 300 };
static int lines[2], talk[2], semaphores;
static sem_t gate;
static _Atomic int harms, over, spins, ended_children, received;

static void check(const char *what, int good) {
  if (good) return;
  harms++;
  printf("harmed: %s (%s)\n", what, strerror(errno));
}

// Each waits until main writes, or posts.
static struct timespec later(int clock, long more) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_sec += more / 1000;
  return time;
}
static int in_poll(void) { return poll(&(struct pollfd){.fd = lines[0], .events = POLLIN}, 1, milliseconds); }
static int in_ppoll(void) {
  struct timespec limit = {.tv_sec = milliseconds / 1000};
  return ppoll(&(struct pollfd){.fd = lines[0], .events = POLLIN}, 1, &limit, NULL);
}
static int in_select(void) {
  fd_set set;
  FD_ZERO(&set);
  FD_SET(lines[0], &set);
  return select(lines[0] + 1, &set, NULL, NULL, &(struct timeval){.tv_sec = milliseconds / 1000});
}
static int in_epoll(void) {
  struct epoll_event event = {.events = EPOLLIN};
  int file = epoll_create1(EPOLL_CLOEXEC);
  epoll_ctl(file, EPOLL_CTL_ADD, lines[0], &event);
  int code = epoll_wait(file, &event, 1, milliseconds);
  int error = errno;
  close(file);
  errno = error;
  return code;
}
static int in_recv(void) {
  char byte;
  return recv(talk[0], &byte, 1, MSG_PEEK);
}
static int in_sem_wait(void) {
  struct timespec end = later(CLOCK_REALTIME, milliseconds);
  return sem_timedwait(&gate, &end) == 0 ? 1 : -1;
}
static int in_semop(void) {
  struct sembuf change = {.sem_op = -1};
  return semop(semaphores, &change, 1) == 0 ? 1 : -1;
}
static int in_signal_wait(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  return sigtimedwait(&set, NULL, &(struct timespec){.tv_sec = milliseconds / 1000});
}
static int in_nanosleep(void) {
  struct timespec time = {.tv_sec = 1, .tv_nsec = 500000000};
  return nanosleep(&time, NULL) == 0 ? 1 : -1;
}
static int in_nanosleep_with_rest(void) {
  struct timespec time = {.tv_sec = 1, .tv_nsec = 500000000}, begun = later(CLOCK_MONOTONIC, 0);
  int code = nanosleep(&time, &time) == 0 ? 1 : -1;
  struct timespec now = later(CLOCK_MONOTONIC, 0);
  double slept = now.tv_sec - begun.tv_sec + (now.tv_nsec - begun.tv_nsec) / 1e9;
  return slept < 1.5 ? -2 : code;
}
static int in_pause(void) {
  pause();
  return over && errno == EINTR ? 1 : -1;
}
/// Holds the block in a register only.
static int in_register(void) {
  spins++;
  register char *block __asm__("r12") = malloc(777);
#if defined(__x86_64__)
  __asm__ volatile("1: pause\n cmpl $0, %1\n je 1b" : "+r"(block) : "m"(over));
#else
  while (!over) {}
#endif
  free(block);
  return 1;
}

static const struct {
  const char *name;
  int (*wait)(void);
} waits[] = {{"poll", in_poll}, {"ppoll", in_ppoll}, {"select", in_select}, {"epoll_wait", in_epoll},
             {"recv", in_recv}, {"sem_timedwait", in_sem_wait}, {"semop", in_semop},
             {"sigtimedwait", in_signal_wait}, {"nanosleep", in_nanosleep},
             {"nanosleep with rest", in_nanosleep_with_rest}, {"pause", in_pause}, {"register", in_register}};
enum { threads = sizeof waits / sizeof *waits };

static void *run(void *place) {
  char *volatile block = malloc(555);
  size_t which = (size_t)place;
  int code = waits[which].wait();
  check(waits[which].name, code > 0);
  free(block);
  return NULL;
}

static int descriptors(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/fd");
  while (readdir(folder)) count++;
  closedir(folder);
  return count;
}

/// The number of sleeping threads.
static int waiting(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/task");
  for (struct dirent *entry; (entry = readdir(folder));) {
    char name[300], text[200] = {0};
    snprintf(name, sizeof name, "/proc/self/task/%s/stat", entry->d_name);
    FILE *file = entry->d_name[0] == '.' ? NULL : fopen(name, "r");
    if (!file) continue;
    if (fread(text, 1, sizeof text - 1, file) && strstr(text, ") S")) count++;
    fclose(file);
  }
  closedir(folder);
  return count;
}

static void on_child(int number) { ended_children += number == SIGCHLD; }
static void on_sent(int number) { received += number > 0; }
static void on_wake(int number) { (void)number; }

static void handle(int number, void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigaction(number, &action, NULL);
}

__attribute__((noinline)) static void lose(void) {
  void *volatile block = malloc(999);
  memset(block, 1, 999);
  block = NULL;
}
__attribute__((noinline)) static void keep(void) {
  void **kept = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(kept, 4096, MADV_DONTFORK);
  kept[0] = malloc(888);
}

static void *sleep_on(void *nothing) {
  while (1) sleep(milliseconds);
  return nothing;
}
/// True if a thread can be cancelled, with the C library's own signal, which the look uses, too.
static int cancels(void) {
  pthread_t thread;
  void *end = NULL;
  pthread_create(&thread, NULL, sleep_on, NULL);
  pthread_cancel(thread);
  pthread_join(thread, &end);
  return end == PTHREAD_CANCELED;
}

int main(int count, char **words) {
  (void)words;
  setvbuf(stdout, NULL, _IOLBF, 0);
  socketpair(AF_UNIX, SOCK_STREAM, 0, talk);
  struct timeval limit = {.tv_sec = milliseconds / 1000};
  setsockopt(talk[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  if (pipe(lines)) return 9;
  sem_init(&gate, 0, 0);
  semaphores = semget(IPC_PRIVATE, 1, 0600);
  handle(SIGUSR2, on_wake);
  handle(SIGRTMIN, on_sent);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGRTMIN);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_t made[threads];
  for (size_t each = 0; each < threads; each++) pthread_create(&made[each], NULL, run, (void *)each);
  sigdelset(&set, SIGUSR1);
  keep();
  for (int each = 0; each < 7; each++) lose();
  while (!spins || waiting() < threads - 1) poll(NULL, 0, 1);
  int before = descriptors();

  int program = getpid(), child = fork();
  if (!child) {
    // Each of these counts, since they are queued.
    for (int each = 0; each < sent; each++) {
      while (sigqueue(program, SIGRTMIN, (union sigval){0}) && errno == EAGAIN) usleep(1000);
      usleep(100);
    }
    _exit(0);
  }
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  if (count > 1) {
    puts("ready");
    while (!strchr("yn", getchar())) {}
  } else {
    check("cancelling before", cancels());
    for (int each = 0; each < looks; each++) {
      errno = 4711;
      memorygraph_look("now");
      check("errno", errno == 4711);
    }
  }
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
  check("cancelling after", cancels());
  check("signals", received == sent);
  handle(SIGCHLD, on_child);
  check("descriptors", descriptors() == before);
  check("children", waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD && ended_children == 0);
  check("any children", waitpid(-1, NULL, WNOHANG | __WALL) == -1 && errno == ECHILD);
  over = 1;
  sem_post(&gate);
  struct sembuf change = {.sem_op = 1};
  semop(semaphores, &change, 1);
  check("pipe", write(lines[1], "x", 1) == 1 && send(talk[1], "x", 1, 0) == 1);
  for (size_t each = 0; each < threads; each++) {
    if (waits[each].wait == in_signal_wait) pthread_kill(made[each], SIGUSR1);
    if (waits[each].wait == in_pause) pthread_kill(made[each], SIGUSR2);
    pthread_join(made[each], NULL);
  }
  semctl(semaphores, 0, IPC_RMID);
  puts(harms ? "harmed" : "unharmed");
  fflush(stdout);
  _exit(harms ? 3 : 0);
}
