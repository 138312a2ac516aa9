#pragma once
// For programs that want to be looked at in a moment that they choose, under `memorygraph run` or `check`.
#include <dlfcn.h>

/// Has the memory graph look at this program now, and waits for it; `moment` is what the report calls it. Without
/// memorygraph nothing happens.
static inline void memorygraph_look(const char *moment) {
  // RTLD_DEFAULT, which <dlfcn.h> shows to GNU sources only.
  void (*look)(const char *) = (void (*)(const char *))dlsym((void *)0, "memorygraph_shim_look");
  if (look) look(moment);
}
