// Activities of other threads during a look, and exhausted resources; the argument selects one.
#define _GNU_SOURCE
#include "shim.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { threads = 4, blocks = 10, most = 64, files = 20, looks = 100, born_together = 8 };
static _Atomic int begun, over, ended_children;
static char *program;

static void *hold(void *nothing) {
  void *volatile held[blocks];
  for (int each = 0; each < blocks; each++) held[each] = memset(malloc(1234), 1, 1234);
  begun++;
  while (1) pause();
  return nothing ? nothing : held[0];
}

static void start_holders(void) {
  pthread_t thread;
  for (int each = 0; each < threads; each++) pthread_create(&thread, NULL, hold, NULL);
  while (begun < threads) usleep(1000);
}

static void run_out_of_files(int left) {
  struct rlimit limit = {most, most};
  setrlimit(RLIMIT_NOFILE, &limit);
  int last = -1;
  for (int file; (file = open("/dev/null", O_RDONLY)) >= 0;) last = file;
  for (int each = 0; each < left; each++) close(last - each);
}

/// Waits until the look has begun, which opens a descriptor. The heap is so large that the look takes a while.
static void await_look(void) {
  while (fcntl(3, F_GETFD) < 0) {}
  usleep(20000);
}

static void *close_all(void *nothing) {
  int opened[files];
  await_look();
  closefrom(3);
  for (int each = 0; each < files; each++) opened[each] = open("/dev/null", O_RDONLY);
  while (!over) usleep(1000);
  for (int each = 0; each < files; each++)
    if (fcntl(opened[each], F_GETFD) < 0) return "closed";
  return nothing;
}

static void *become_another(void *nothing) {
  await_look();
  execl(program, program, "after exec", NULL);
  return nothing;
}

static void on_child(int number) { ended_children += number == SIGCHLD; }
static int after_exec(void) {
  signal(SIGCHLD, on_child);
  usleep(300000);
  int child = waitpid(-1, NULL, WNOHANG | __WALL);
  puts(child == -1 && errno == ECHILD && !ended_children ? "unharmed" : "harmed");
  return 0;
}

static void *nothing_else(void *nothing) { return nothing; }
static void *bear(void *nothing) {
  pthread_t born[born_together];
  while (!over) {
    for (int each = 0; each < born_together; each++) pthread_create(&born[each], NULL, nothing_else, NULL);
    for (int each = 0; each < born_together; each++) pthread_join(born[each], NULL);
  }
  return nothing;
}

static void on_urgent(int number) { printf("harmed by %d\n", number); }

/// Calls exec again and again, and reports it now and then.
static int exec_on(int left) {
  char word[20];
  if (left % 10 == 0) printf("line %d\n", left);
  fflush(stdout);
  if (!left) return 0;
  snprintf(word, sizeof word, "%d", left - 1);
  usleep(1000);
  return execl(program, program, "exec", word, NULL);
}

int main(int count, char **words) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  program = words[0];
  const char *way = count > 1 ? words[1] : "";
  int number = count > 2 ? atoi(words[2]) : 0;
  if (!strcmp(way, "exec")) return exec_on(number);
  if (!strcmp(way, "after exec")) return after_exec();
  if (!strcmp(way, "urgent") || !strcmp(way, "blocked")) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGURG);
    if (!strcmp(way, "urgent")) signal(SIGURG, on_urgent);
    else sigprocmask(SIG_BLOCK, &set, NULL);
    puts("ready");
    usleep(500000);
    sigpending(&set);
    if (sigismember(&set, SIGURG)) puts("harmed: it waits");
    return 0;
  }
  if (!strcmp(way, "files") || !strcmp(way, "signals")) {
    start_holders();
    struct rlimit none = {0, 0};
    if (!strcmp(way, "files")) run_out_of_files(number);
    // The limit does not apply to root.
    else if (setrlimit(RLIMIT_SIGPENDING, &none) || (getuid() == 0 && setuid(65534))) return 9;
    memorygraph_look("now");
    _exit(0);
  }
  void **last = NULL;
  // For "bear", so many blocks that the look is still under way.
  int length = strcmp(way, "bear") ? 1000000 : 1;
  for (int each = 0; each < length; each++) {
    void **block = malloc(48);
    *block = last;
    last = block;
  }
  void *volatile kept = last;
  pthread_t thread;
  void *answer = NULL;
  int times = 1;
  if (!strcmp(way, "close")) pthread_create(&thread, NULL, close_all, NULL);
  else if (!strcmp(way, "become")) pthread_create(&thread, NULL, become_another, NULL);
  else if (!strcmp(way, "bear") && (times = looks)) pthread_create(&thread, NULL, bear, NULL);
  else return 8;
  for (int each = 0; each < times; each++) memorygraph_look("now");
  over = 1;
  pthread_join(thread, &answer);
  puts(answer || !kept ? "harmed" : "unharmed");
  fflush(stdout);
  _exit(0);
}
