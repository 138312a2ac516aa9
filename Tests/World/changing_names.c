// Preloaded into a program under test: a name that ends in ".changing" stands for 127.0.0.1 at every odd look-up, of
// whatever name, and for 127.0.0.2 at every even one, as with a name server that wants to get behind a check.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <stdatomic.h>
#include <string.h>

static atomic_uint asked;

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  size_t length = name ? strlen(name) : 0;
  if (length > 9 && !strcmp(name + length - 9, ".changing")) {
    name = atomic_fetch_add(&asked, 1) % 2 ? "127.0.0.2" : "127.0.0.1";
  }
  return ((typeof(&getaddrinfo))dlsym(RTLD_NEXT, "getaddrinfo"))(name, service, hints, found);
}
