// Blocks referred to only by a thread's vector registers: one thread computes, another waits in the kernel, where the
// registers are stale. With an argument, looks come from outside, until the input ends; after "itself" the main thread
// computes, and never ends.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The blocks' addresses, inverted. The threads invert them back in registers only.
static uintptr_t hidden[5];
static _Atomic int has_ymm, has_zmm, computes, waits;

__attribute__((noinline)) static void hide(int place, const char *verdict, const char *name) {
  char *block = calloc(1, 200);
  printf("%s %#lx %s\n", verdict, (unsigned long)block, name);
  hidden[place] = ~(uintptr_t)block;
}

__attribute__((noinline)) static void scrub(void) {
  volatile char room[1 << 16];
  for (size_t place = 0; place < sizeof room; place++) room[place] = 0;
}

#define TURNED(place) "movq " place "(%0), %%rax\n notq %%rax\n"

static void *compute(void *unused) {
  __asm__ volatile(
      TURNED("0") "movq %%rax, %%xmm7\n"
      "testl %1, %1\n jz 2f\n"
      TURNED("8") "vmovq %%rax, %%xmm0\n vpxor %%xmm9, %%xmm9, %%xmm9\n vinsertf128 $1, %%xmm0, %%ymm9, %%ymm9\n"
      "testl %2, %2\n jz 1f\n"
      TURNED("16") "vmovq %%rax, %%xmm0\n vpxor %%xmm10, %%xmm10, %%xmm10\n"
      "vinserti32x4 $3, %%xmm0, %%zmm10, %%zmm10\n"
      TURNED("24") "vmovq %%rax, %%xmm20\n"
      "1: vpxor %%xmm0, %%xmm0, %%xmm0\n"
      "2: xorl %%eax, %%eax\n movl $1, (%3)\n"
      "3: pause\n jmp 3b"
      :
      : "r"(hidden), "r"((int)has_ymm), "r"((int)has_zmm), "r"(&computes)
      : "rax", "memory", "xmm0", "xmm7", "xmm9", "xmm10");
  return unused;
}

static void *wait_in_kernel(void *unused) {
  waits = gettid();
  __asm__ volatile(
      TURNED("32") "movq %%rax, %%xmm8\n"
      "xorl %%eax, %%eax\n andq $-16, %%rsp\n call *%1"
      :
      : "r"(hidden), "r"(pause)
      : "rax", "memory", "xmm8");
  return unused;
}

/// True if a thread of this process waits in pause().
static int is_waiting(int thread) {
  char path[64], text[64] = "";
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
  FILE *file = fopen(path, "r");
  if (file && !fgets(text, sizeof text, file)) *text = 0;
  if (file) fclose(file);
  const char *name_end = strrchr(text, ')');
  return name_end && name_end[2] == 'S';
}

static void *say_ready(void *unused) {
  while (!computes || !waits || !is_waiting(waits)) usleep(1000);
  puts("ready");
  return unused;
}

int main(int count, char **words) {
  setvbuf(stdout, NULL, _IONBF, 0);
  has_ymm = __builtin_cpu_supports("avx");
  has_zmm = __builtin_cpu_supports("avx512f");
  hide(0, "LIVE", "xmm7");
  if (has_ymm) hide(1, "LIVE", "ymm9");
  if (has_zmm) hide(2, "LIVE", "zmm10");
  if (has_zmm) hide(3, "LIVE", "zmm20");
  hide(4, "LEAK", "xmm8");
  scrub();
  int computes_itself = count > 1 && !strcmp(words[1], "itself");
  pthread_t thread;
  pthread_create(&thread, NULL, wait_in_kernel, NULL);
  pthread_create(&thread, NULL, computes_itself ? say_ready : compute, NULL);
  if (computes_itself) compute(NULL);
  say_ready(NULL);
  for (char line[100]; count > 1 && read(0, line, sizeof line) > 0;) {}
  return 0;
}
