// Preloaded into a program under test: starting a process fails so many times as the variable NO_PROCESSES says, as on
// a machine that has no room for it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>

int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const words[], char *const variables[]) {
  static int calls;
  const char *most = getenv("NO_PROCESSES");
  if (most && calls++ < atoi(most)) return EAGAIN;
  return ((typeof(&posix_spawn))dlsym(RTLD_NEXT, "posix_spawn"))(process, path, actions, attributes, words, variables);
}
