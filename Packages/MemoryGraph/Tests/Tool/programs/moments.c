// Programs that request looks themselves.
#include "shim.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *hidden;

__attribute__((noinline)) static void hide(void) {
  // Nothing refers to the block while its address is inverted.
  hidden = (void *)~(size_t)malloc(500);
}

static void handle(int number) {
  (void)number;
  (void)!write(STDOUT_FILENO, "handled\n", 8);
  exit(0);
}

int main(int count, char **words) {
  const char *what = count > 1 ? words[1] : "";
  if (!strcmp(what, "ask")) {
    hide();
    memorygraph_look("the middle");
    free((void *)~(size_t)hidden);
  }
  if (!strcmp(what, "handle")) {
    signal(SIGTERM, handle);
    (void)!write(STDOUT_FILENO, "ready\n", 6);
    while (1) pause();
  }
  if (!strcmp(what, "code")) {
    puts("ready");
    fflush(stdout);
    getchar();
    puts("bye");
    return 5;
  }
  return 0;
}
