// Small heaps for tests of messages: makes what the argument selects, then waits for the end of the input.
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

void *volatile kept[100];
void *volatile one;

/// Leaks a block; prints its address and hides it.
__attribute__((noinline)) static void lose(void) {
  uintptr_t *block = malloc(200);
  memset(block, 1, 200);
  printf("LEAK %#lx lost\n", (unsigned long)block);
}

/// Blocks, with the size of the middle one overwritten.
__attribute__((noinline)) static void damage(void) {
  for (int block = 0; block < 100; block++) kept[block] = calloc(1, 100);
  ((size_t *)kept[50])[-1] = 0x4141414141414140;
}

/// A block that refers twice to one block and once to another.
__attribute__((noinline)) static void refer(void) {
  void **block = calloc(3, sizeof *block);
  block[0] = block[1] = calloc(1, 40);
  block[2] = calloc(1, 40);
  one = block;
  printf("LIVE %p twice\n", (void *)block);
}

/// A list is freed, and a smaller block takes its place: after its end is still a reference to the last of the list's
/// blocks, which was not freed.
__attribute__((noinline)) static void reuse(void) {
  void *volatile *list = malloc(8 * sizeof *list);
  for (int place = 0; place < 8; place++) list[place] = NULL;
  list[7] = malloc(200);
  memset(list[7], 1, 200);
  printf("LEAK %#lx behind the end\n", (unsigned long)list[7]);
  free((void *)list);
  uintptr_t *block = malloc(7 * sizeof *block);
  memset(block, 0, 7 * sizeof *block);
  one = block;
}

/// Leaks a block so large that an address in it ends with a zero byte.
__attribute__((noinline)) static uintptr_t lose_large(const char *name) {
  char *block = malloc(600);
  memset(block, 1, 600);
  printf("LEAK %#lx %s\n", (unsigned long)block, name);
  return (uintptr_t)block;
}

/// A copied text ends with the first byte of a word whose other bytes are stale: they refer to a leaked block.
__attribute__((noinline)) static void copy(void) {
  volatile uintptr_t *block = malloc(5 * sizeof *block);
  block[4] = (lose_large("behind a text's end") + 256) & ~(uintptr_t)255;
  free((void *)block);
  one = strdup("................................");
}

/// The loader's tables and texts are made where freed blocks had the address of a leaked one.
__attribute__((noinline)) static void load(const char *library) {
  enum { sizes = 160, times = 8 };
  static void *blocks[sizes][times];
  uintptr_t name = lose_large("behind the loader's");
  for (int size = 0; size < sizes; size++)
    for (int time = 0; time < times; time++) {
      volatile uintptr_t *block = blocks[size][time] = malloc(16 * size + 24);
      for (int place = 0; place < 2 * size + 3; place++) block[place] = name;
    }
  for (int size = 0; size < sizes; size++)
    for (int time = 0; time < times; time++) free(blocks[size][time]);
  memset(blocks, 0, sizeof blocks);
  if (!dlopen(library, RTLD_NOW)) abort();
}

/// Clears the unused part of the stack, and the registers.
__attribute__((noinline)) static void forget(void) {
  volatile char room[1 << 16];
  for (size_t place = 0; place < sizeof room; place++) room[place] = 0;
}

/// Waits for the end of the input; also as a signal handler.
static void wait_for_end(int signal) {
  (void)signal;
  puts("ready");
  for (char line[100]; read(0, line, sizeof line) > 0;) {}
}

int main(int count, char **words) {
  // The address of a block's chunk, which only malloc and free use.
  volatile uintptr_t header[1] = {0};
  int is_interrupted = 0;
  setvbuf(stdout, NULL, _IONBF, 0);
  for (int place = 1; place < count; place++) {
    const char *word = words[place];
    if (!strcmp(word, "lose")) lose();
    if (!strcmp(word, "refer")) refer();
    if (!strcmp(word, "reuse")) reuse();
    if (!strcmp(word, "copy")) copy();
    if (*word == '/') load(word);
    if (!strcmp(word, "header")) header[0] = lose_large("whose chunk is named") - 16;
    if (!strcmp(word, "interrupted")) is_interrupted = 1;
    if (!strcmp(word, "sealed")) prctl(PR_SET_DUMPABLE, 0);
    if (!strcmp(word, "damage")) damage();
  }
  forget();
  if (is_interrupted) {
    signal(SIGUSR1, wait_for_end);
    raise(SIGUSR1);
  } else {
    wait_for_end(0);
  }
  return header[0] == 1;
}
