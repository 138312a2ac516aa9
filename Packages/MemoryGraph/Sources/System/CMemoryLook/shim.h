#pragma once
// For programs that request looks at moments of their choice, under `memorygraph run` or `check`.
#include <dlfcn.h>

/// Has the memory graph look at this program now, and waits for it; `moment` is its name in the report. Does nothing
/// without memorygraph.
static inline void memorygraph_look(const char *moment) {
  // RTLD_DEFAULT, which <dlfcn.h> defines for GNU sources only.
  void (*look)(const char *) = (void (*)(const char *))dlsym((void *)0, "memorygraph_shim_look");
  if (look) look(moment);
}
