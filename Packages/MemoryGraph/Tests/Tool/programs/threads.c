// Eight threads allocate, free and change blocks; each leaks fifty. They are still doing so at the end.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { threads = 8, lost = 50, rounds = 100000 };
static pthread_barrier_t barrier;

__attribute__((noinline)) static void lose(int size) {
  void *volatile block = malloc(size);
  memset(block, 1, size);
  block = NULL;
}

static void *work(void *argument) {
  void *kept[64] = {0};
  unsigned seed = (unsigned)(size_t)argument;
  for (int number = 0; number < lost; number++) lose(40 + number % 5);
  for (int round = 0;; round++) {
    if (round == rounds) pthread_barrier_wait(&barrier);
    void **place = &kept[rand_r(&seed) % 64];
    if (rand_r(&seed) % 3) {
      *place = realloc(*place, 1 + rand_r(&seed) % 3000);
    } else {
      free(*place);
      *place = NULL;
    }
  }
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, threads + 1);
  for (size_t number = 0; number < threads; number++) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, (void *)number);
  }
  pthread_barrier_wait(&barrier);
  return 0;
}
