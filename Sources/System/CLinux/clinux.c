#define _GNU_SOURCE
#include "clinux.h"
#include <pthread.h>
#include <semaphore.h>
#include <sys/socket.h>
#include <time.h>

void clinux_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int clinux_accept(int listener, struct sockaddr *address, unsigned int *size) {
  return accept4(listener, address, size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int clinux_wait_until(sem_t *semaphore, const struct timespec *deadline) {
  return sem_clockwait(semaphore, CLOCK_MONOTONIC, deadline);
}
