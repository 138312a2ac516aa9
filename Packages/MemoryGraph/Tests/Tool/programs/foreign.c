// Allocates on stacks that are not a thread's own, with invalid frame pointers. Exits with 4.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { size = 64 << 10 };
static ucontext_t outside, inside;

/// A stack between unreadable pages.
static char *make_stack(void) {
  char *pages = mmap(NULL, 3 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages + size, size, PROT_READ | PROT_WRITE);
  return pages + size;
}

__attribute__((noinline)) static void *allocate(void) {
  void *volatile block = malloc(100);
  return block;
}

/// Calls malloc with the given frame pointer.
__attribute__((noinline)) static void with_frame(uintptr_t frame) {
#ifdef __aarch64__
  register void *block __asm__("x0") = (void *)100;
  __asm__ volatile(
      "stp x29, x30, [sp, #-16]!\n\tmov x29, %1\n\tbl malloc\n\tldp x29, x30, [sp], #16"
      : "+r"(block)
      : "r"(frame)
      : "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
        "x18", "x30", "memory", "cc");
#else
  void *block;
  __asm__ volatile(
      "push %%rbp\n\tmov %1, %%rbp\n\tmov $100, %%edi\n\tcall malloc@PLT\n\tpop %%rbp"
      : "=a"(block)
      : "r"(frame)
      : "rdi", "rsi", "rcx", "rdx", "r8", "r9", "r10", "r11", "memory", "cc");
#endif
  free(block);
}

static void coroutine(void) { free(allocate()); }
static void on_signal(int number) {
  (void)number;
  free(allocate());
}
static void *thread(void *argument) {
  free(allocate());
  return argument;
}

int main(void) {
  free(allocate());
  for (int round = 0; round < 100; round++) {
    getcontext(&inside);
    inside.uc_stack.ss_sp = make_stack();
    inside.uc_stack.ss_size = size;
    inside.uc_link = &outside;
    makecontext(&inside, coroutine, 0);
    swapcontext(&outside, &inside);
    free(allocate());
  }
  stack_t other = {.ss_sp = make_stack(), .ss_size = size};
  sigaltstack(&other, NULL);
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, make_stack(), size);
  pthread_t number;
  pthread_create(&number, &attributes, thread, NULL);
  pthread_join(number, NULL);
  char here[16];
  uintptr_t frames[] = {0, 1, 8, ~(uintptr_t)0, ~(uintptr_t)7, (uintptr_t)make_stack() + size, (uintptr_t)here + 1,
                        (uintptr_t)here & ~(uintptr_t)7, (uintptr_t)1 << 47, (uintptr_t)here + (1 << 20)};
  for (size_t place = 0; place < sizeof frames / sizeof *frames; place++) {
    __asm__ volatile("" ::: "memory");
    with_frame(frames[place]);
  }
  return 4;
}
