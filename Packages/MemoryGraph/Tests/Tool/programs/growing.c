// Leaks rings of two blocks, always from the same line, on command: "lose 5" leaks five, "hold 5" has a new thread hold
// five on its stack until "drop".
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t told = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t held;

__attribute__((noinline)) static void **ring(void) {
  void **one = calloc(1, 64), **other = calloc(1, 80);
  one[0] = other;
  other[0] = one;
  return one;
}

__attribute__((noinline)) static void lose(int count) {
  while (count--) ring();
}

static void *hold(void *count) {
  void **volatile rings[100] = {0};
  for (int place = 0; place < *(int *)count; place++) rings[place] = ring();
  pthread_barrier_wait(&held);
  pthread_mutex_lock(&told);
  for (int place = 0; place < 100; place++) rings[place] = NULL;
  pthread_mutex_unlock(&told);
  return NULL;
}

// Clears them from the stack.
__attribute__((noinline)) static void forget(void) {
  volatile char room[1 << 16];
  for (size_t place = 0; place < sizeof room; place++) room[place] = 0;
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  pthread_barrier_init(&held, NULL, 2);
  pthread_t thread;
  char line[100];
  puts("ready");
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    int count = 0;
    if (sscanf(line, "lose %d", &count) == 1) lose(count);
    if (sscanf(line, "hold %d", &count) == 1) {
      pthread_mutex_lock(&told);
      pthread_create(&thread, NULL, hold, &count);
      pthread_barrier_wait(&held);
    }
    if (!strcmp(line, "drop")) {
      pthread_mutex_unlock(&told);
      pthread_join(thread, NULL);
    }
    forget();
    printf("done %s\n", line);
  }
}
