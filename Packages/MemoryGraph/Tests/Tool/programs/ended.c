// A thread that has ended leaves the address of a block on its stack, which the C library keeps for the next one.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *leave(void *unused) {
  void *volatile words[4096];
  void *block = malloc(100);
  printf("LEAK %p block\n", block);
  for (int i = 0; i < 4096; i++) words[i] = block;
  (void)words[0];
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, leave, NULL) != 0 || pthread_join(thread, NULL) != 0) return 1;
  puts("ready");
  fflush(stdout);
  char byte;
  return read(0, &byte, 1) < 0;
}
