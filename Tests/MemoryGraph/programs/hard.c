// Programs that a preloaded library has a hard time in; the word says which.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *ask(void *nothing) {
  pthread_attr_t attributes;
  int code = pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_destroy(&attributes);
  free(malloc(10));
  return code ? attributes.__size : nothing;
}

/// A thread whose first block lies inside the C library's own question, which holds the thread's lock.
static int first_block(void) {
  pthread_t thread;
  void *answer = "";
  if (pthread_create(&thread, NULL, ask, NULL) || pthread_join(thread, &answer)) return 1;
  return answer ? 2 : 3;
}

int main(int count, char **words) {
  const char *way = count > 1 ? words[1] : "";
  if (!strcmp(way, "first block")) return first_block();
  return 99;
}
