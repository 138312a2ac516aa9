// Leaks blocks on random paths through its functions, and prints each with its path: "0x55… abca".
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { longest = 70 };
static char way[longest + 1];
/// The least length of paths.
static int least;
static unsigned long state;

static int chance(int of) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % of;
}

// Overwrites what `keep` has left on the stack and in registers.
static volatile unsigned long sum;

__attribute__((noinline)) static void keep(int depth) {
  void *block = malloc(24 + depth * 8);
  way[depth] = 0;
  printf("%p %s\n", block, way);
  // A block that is freed, on the same path.
  free(malloc(100));
}

static void go(int depth);
#define STEP(name) \
  __attribute__((noinline)) static void step_##name(int depth) { \
    way[depth] = *#name; \
    /* A frame of another size each time: addresses of frames change, or stay while their callers change. */ \
    volatile char room[16 + (depth % 3) * 32]; \
    room[0] = 1; \
    go(depth + 1); \
    sum += room[0]; \
  }
STEP(a) STEP(b) STEP(c) STEP(d)

__attribute__((always_inline)) static inline void go(int depth) {
  do {
    int next = chance(depth < least ? 4 : 7);
    if (depth == longest || next > 3) {
      if (depth) keep(depth);
    } else if (next == 0) step_a(depth);
    else if (next == 1) step_b(depth);
    else if (next == 2) step_c(depth);
    else step_d(depth);
  } while (depth >= least && chance(5) < 2);
}


__attribute__((noinline)) static unsigned long scrub(void) {
  volatile unsigned long words[4096];
  memset((void *)words, 0, sizeof words);
  return words[sum % 4096];
}

int main(int count, char **words) {
  state = count > 1 ? strtoul(words[1], NULL, 10) : 1;
  static char buffer[1 << 16];
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  for (int round = 0; round < 500; round++) {
    least = chance(3) ? 0 : chance(longest);
    go(0);
  }
  return scrub() == 1;
}
