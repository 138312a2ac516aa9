// Forks a child that leaks and ends, and starts a program that prints its environment.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **words) {
  if (count > 1 && !strcmp(words[1], "rand")) printf("%d\n", rand());
  fflush(stdout);
  free(malloc(10));
  pid_t child = fork();
  if (child == 0) {
    memset(malloc(1000), 1, 1000);
    puts("child ends");
    exit(0);
  }
  waitpid(child, NULL, 0);
  child = vfork();
  if (child == 0) _exit(0);
  waitpid(child, NULL, 0);
  return system("exec env");
}
