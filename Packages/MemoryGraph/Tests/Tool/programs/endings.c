// Leaks a block, and ends in the way given.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) static void lose(void) {
  void *volatile block = malloc(1000);
  memset(block, 1, 1000);
  block = NULL;
}

/// Overwrites what `lose` has left on the stack, since the following may wait there without writing.
__attribute__((noinline)) static void scrub(void) {
  volatile char room[8192];
  for (size_t place = 0; place < sizeof room; place++) room[place] = 0;
}

static void *end(void *way) {
  if (way) exit(0);
  usleep(10000);
  return NULL;
}

int main(int count, char **words) {
  const char *way = count > 1 ? words[1] : "return";
  lose();
  scrub();
  pthread_t thread;
  if (!strcmp(way, "exit")) exit(0);
  if (!strcmp(way, "_exit")) _exit(0);
  if (!strcmp(way, "quick_exit")) quick_exit(0);
  if (!strcmp(way, "last thread")) {
    pthread_create(&thread, NULL, end, NULL);
    pthread_detach(thread);
    pthread_exit(NULL);
  }
  if (!strcmp(way, "in a thread")) {
    pthread_create(&thread, NULL, end, "");
    pthread_join(thread, NULL);
  }
  return 0;
}
