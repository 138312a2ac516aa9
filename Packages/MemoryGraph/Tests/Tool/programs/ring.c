// Two C blocks that refer to each other, without other references.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void lose(void) {
  void **one = calloc(1, 64), **other = calloc(1, 80);
  one[0] = other;
  other[0] = one;
}

// Clears them from the stack.
static void scrub(void) {
  volatile char words[4096];
  for (int place = 0; place < 4096; place++) words[place] = 0;
}

int main(void) {
  lose();
  scrub();
  puts("ready");
  fflush(stdout);
  pause();
}
