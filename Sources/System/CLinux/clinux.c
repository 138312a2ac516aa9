#define _GNU_SOURCE
#include "clinux.h"
#include <pthread.h>
#include <sys/socket.h>

void clinux_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int clinux_accept(int listener, struct sockaddr *address, unsigned int *size) {
  return accept4(listener, address, size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
