// Preloaded into a program under test: looking up a name that ends in ".slow" takes as long as with a name server that
// does not answer.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <string.h>
#include <unistd.h>

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  size_t length = name ? strlen(name) : 0;
  if (length > 5 && !strcmp(name + length - 5, ".slow")) {
    sleep(40);
    return EAI_AGAIN;
  }
  return ((typeof(&getaddrinfo))dlsym(RTLD_NEXT, "getaddrinfo"))(name, service, hints, found);
}
