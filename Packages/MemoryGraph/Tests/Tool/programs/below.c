// Data below the stack pointer while a program waits in a system call: of the C library, or of its own.
#define _GNU_SOURCE
#include "shim.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { size = 200 };

/// Allocates a block, and returns its address in a disguised form.
__attribute__((noinline)) static uintptr_t make(const char *verdict) {
  void *block = memset(malloc(size), 1, size);
  printf("%s %#lx block\n", verdict, (unsigned long)block);
  return ~(uintptr_t)block;
}

/// Clears the unused part of the stack, and the registers.
__attribute__((noinline)) static void forget(void) {
  volatile char room[1 << 16];
  for (size_t place = 0; place < sizeof room; place++) room[place] = 0;
}

/// Leaves an address all over the stack by calls that have returned.
__attribute__((noinline)) static void leave(uintptr_t hidden) {
  volatile uintptr_t room[1 << 10];
  for (size_t place = 0; place < sizeof room / sizeof *room; place++) room[place] = ~hidden;
}

/// A leaf function may keep data below the stack pointer (System V ABI, the red zone), also while it waits in the
/// kernel: here the only reference to a block.
__attribute__((noinline)) static void keep_below(uintptr_t hidden, char *line) {
  register uintptr_t kept __asm__("r8") = hidden;
  long answer = 0;  // read, of standard input
  __asm__ volatile(
      "not %1\n\tmov %1, -64(%%rsp)\n\txor %1, %1\n\tsyscall"
      : "+a"(answer), "+r"(kept)
      : "D"(0), "S"(line), "d"(1)
      : "rcx", "r11", "memory", "cc");
}

static _Atomic pid_t waiter;
static void *leave_and_wait(void *hidden) {
  // The first call of a function makes the loader resolve it, which overwrites the stack.
  waiter = syscall(SYS_gettid);
  leave((uintptr_t)hidden);
  syscall(SYS_pause);
  return NULL;
}

/// True if a thread waits in the kernel.
static int waits(pid_t thread) {
  char path[64], state = 0;
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
  FILE *file = thread ? fopen(path, "r") : NULL;
  if (file) {
    if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1) state = 0;
    fclose(file);
  }
  return state == 'S';
}

int main(int count, char **words) {
  setvbuf(stdout, NULL, _IONBF, 0);
  const char *way = count > 1 ? words[1] : "";
  int is_left = strcmp(way, "kept") != 0;
  uintptr_t hidden = make(is_left ? "LEAK" : "LIVE");
  char line[1];
  forget();
  if (!strcmp(way, "left in a thread")) {
    pthread_t thread;
    pthread_create(&thread, NULL, leave_and_wait, (void *)hidden);
    while (!waits(waiter)) usleep(1000);
    memorygraph_look("now");
    _exit(0);
  }
  read(0, line, 0);
  puts("ready");
  if (!is_left) {
    keep_below(hidden, line);
    return 0;
  }
  leave(hidden);
  return read(0, line, sizeof line) > 0;
}
