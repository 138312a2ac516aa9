// Small heaps for what is said of them: what the first word asks for, then until the input ends.
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

/// A block that nobody knows any more; its address is told and hidden.
__attribute__((noinline)) static void lose(void) {
  uintptr_t *block = malloc(200);
  memset(block, 1, 200);
  printf("LEAK %#lx lost\n", (unsigned long)block);
}

/// Blocks of which somebody has written over the size of the middle one.
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

/// A list is freed, and a smaller block takes its place: behind the smaller one's end the last of the list's blocks is
/// still named, which nobody has freed.
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

/// A block that nobody knows any more, so large that an address in it has zero for its lowest byte.
__attribute__((noinline)) static uintptr_t lose_large(const char *name) {
  char *block = malloc(600);
  memset(block, 1, 600);
  printf("LEAK %#lx %s\n", (unsigned long)block, name);
  return (uintptr_t)block;
}

/// A text's copy ends with the first byte of a word whose others stay: they name a block that nobody has freed.
__attribute__((noinline)) static void copy(void) {
  volatile uintptr_t *block = malloc(5 * sizeof *block);
  block[4] = (lose_large("behind a text's end") + 256) & ~(uintptr_t)255;
  free((void *)block);
  one = strdup("................................");
}

/// The loader's tables and texts are made where blocks have lain that named one which nobody has freed.
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

/// The stack's dead part, and the registers, forget.
__attribute__((noinline)) static void forget(void) {
  volatile char room[1 << 16];
  for (size_t place = 0; place < sizeof room; place++) room[place] = 0;
}

/// Until the input ends; also as a signal's handler.
static void wait_for_end(int signal) {
  (void)signal;
  puts("ready");
  for (char line[100]; read(0, line, sizeof line) > 0;) {}
}

int main(int count, char **words) {
  // Where a block's chunk begins: only malloc and free know a block by that.
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
