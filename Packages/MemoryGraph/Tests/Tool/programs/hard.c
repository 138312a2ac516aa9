// Programs that are difficult for a preloaded library; the argument selects one.
#define _GNU_SOURCE
#include "shim.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void *ask(void *nothing) {
  pthread_attr_t attributes;
  int code = pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_destroy(&attributes);
  free(malloc(10));
  return code ? "no" : nothing;
}

/// A thread whose first block is allocated within pthread_getattr_np, which holds the thread's lock.
static int first_block(void) {
  pthread_t thread;
  void *answer = "";
  if (pthread_create(&thread, NULL, ask, NULL) || pthread_join(thread, &answer)) return 1;
  return answer ? 2 : 3;
}

static void end(int number) { _exit(number == SIGTERM ? 3 : 4); }

static unsigned long held_off(int process) {
  char name[64], line[200];
  unsigned long signals = 0;
  snprintf(name, sizeof name, "/proc/%d/status", process);
  FILE *file = fopen(name, "r");
  while (file && fgets(line, sizeof line, file)) sscanf(line, "SigBlk: %lx", &signals);
  if (file) fclose(file);
  return signals;
}

/// A signal during the look before the program's end; its handler ends the program.
static int end_in_handler(void) {
  signal(SIGTERM, end);
  int program = getpid();
  if (!fork()) {
    usleep(50000);
    for (int times = 0; times < 5000 && !(held_off(program) >> (SIGTERM - 1) & 1); times++) usleep(1000);
    kill(program, SIGTERM);
    _exit(0);
  }
  usleep(150000);
  return 0;
}

/// A child that gets the signal which requests a look.
static int ask_child(void) {
  int status = 0, child = fork();
  if (!child) {
    sleep(1);
    _exit(0);
  }
  usleep(50000);
  kill(child, SIGUSR2);
  wait(&status);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static int gate[2];
static _Atomic int waiter;
/// Waits in the kernel for the end of its child, which alone wakes it.
static void *in_vfork(void *nothing) {
  waiter = gettid();
  int child = vfork();
  if (!child) {
    char byte;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    _exit(read(gate[0], &byte, 1) == 1 ? 0 : 1);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0 ? nothing : "no";
}

static char state_of(int thread) {
  char name[64], state = '?';
  snprintf(name, sizeof name, "/proc/%d/task/%d/stat", getpid(), thread);
  FILE *file = fopen(name, "r");
  if (file && fscanf(file, "%*d %*s %c", &state) != 1) state = '?';
  if (file) fclose(file);
  return state;
}

/// A look while a thread cannot be stopped; with `hangs`, it never can.
static int look_in_vfork(int hangs) {
  pthread_t thread;
  void *answer = "";
  if (pipe(gate) || pthread_create(&thread, NULL, in_vfork, NULL)) return 1;
  while (!waiter || state_of(waiter) != 'D') usleep(1000);
  memorygraph_look("vfork");
  puts("looked");
  fflush(stdout);
  if (hangs) sleep(60);
  if (write(gate[1], "x", 1) != 1 || pthread_join(thread, &answer)) return 2;
  return answer ? 3 : 7;
}

int main(int count, char **words) {
  const char *way = count > 1 ? words[1] : "";
  if (!strcmp(way, "first block")) return first_block();
  if (!strcmp(way, "end in handler")) return end_in_handler();
  if (!strcmp(way, "ask child")) return ask_child();
  if (!strcmp(way, "children ignored")) return signal(SIGCHLD, SIG_DFL) == SIG_IGN ? 5 : 6;
  if (!strcmp(way, "vfork")) return look_in_vfork(0);
  if (!strcmp(way, "vfork for ever")) return look_in_vfork(1);
  if (!strcmp(way, "look")) memorygraph_look("exit");
  if (!strcmp(way, "last line")) printf("ready");
  if (!strcmp(way, "blocks")) {
    for (int size = 1; size < 100; size++) free(realloc(calloc(1, size), 2 * size));
  }
  return 7;
}
