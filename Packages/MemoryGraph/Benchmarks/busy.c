// A program that works for as long as it runs: it allocates and frees blocks in a heap of COUNT live ones, and writes
// to all of them. Prints the number of rounds every 100 ms.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(int words, char **word) {
  size_t count = words > 1 ? strtoul(word[1], NULL, 10) : 1000000;
  char **blocks = calloc(count, sizeof *blocks);
  for (size_t i = 0; i < count; i++) blocks[i] = memset(malloc(64), 1, 64);
  unsigned random = 1;
  struct timespec now, last = {0, 0};
  for (unsigned long rounds = 0;; rounds++) {
    for (int i = 0; i < 1000; i++) {
      random = random * 1664525 + 1013904223;
      size_t place = random % count;
      free(blocks[place]);
      blocks[place] = memset(malloc(32 + random % 64), 1, 32);
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if ((now.tv_sec - last.tv_sec) * 10 + (now.tv_nsec - last.tv_nsec) / 100000000 < 1) continue;
    last = now;
    printf("%lu\n", rounds);
    fflush(stdout);
  }
}
