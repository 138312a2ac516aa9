// Leaks blocks from functions without frame pointers, which use that register for other data. Exits with 0.
#include <stdlib.h>
#include <string.h>

#define OWN __attribute__((noinline, noclone))
#ifdef __x86_64__
// As optimised code: the register may hold any number.
#define FRAMELESS OWN __attribute__((optimize("omit-frame-pointer")))
#define USE_REGISTER __asm__ volatile("mov $1000, %%ebp" : : : "rbp", "memory")
#else
#define FRAMELESS OWN
#define USE_REGISTER __asm__ volatile("" : : : "memory")
#endif

static char *volatile last;

// glibc's strdup has no frame pointer, and a length in that register.
OWN static void lose_text(const char *text) { last = strdup(text); }
OWN static void lose_in_outer(const char *text) {
  lose_text(text);
  __asm__ volatile("" ::: "memory");
}

FRAMELESS static void lose_inner(size_t size) {
  USE_REGISTER;
  last = malloc(size);
  USE_REGISTER;
}
FRAMELESS static void lose_middle(size_t size) {
  USE_REGISTER;
  lose_inner(size);
  USE_REGISTER;
}
OWN static void lose_from_own(size_t size) {
  lose_middle(size);
  __asm__ volatile("" ::: "memory");
}

OWN static unsigned long scrub(void) {
  volatile unsigned long words[4096];
  memset((void *)words, 0, sizeof words);
  return words[4095];
}

int main(void) {
  for (int round = 0; round < 3; round++) {
    lose_in_outer("a text that nobody frees");
    lose_from_own(1000);
    last = NULL;
  }
  return scrub() != 0;
}
