/* A program that becomes itself anew (exec), or has children (fork), again and again, until its input ends. It says
   then how often, and whether all went as it should. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whether the input has ended within so many milliseconds. */
static int ended(int milliseconds)
{
    struct pollfd input = {.fd = 0, .events = POLLIN};
    return poll(&input, 1, milliseconds) == 1;
}

static void say(const char *word, int times)
{
    printf("%s %d\n", word, times);
    fflush(stdout);
}

int main(int count, char **words)
{
    int times = count > 2 ? atoi(words[2]) : 0;
    if (times == 0)
        say("ready", 0);
    if (strcmp(words[1], "exec") == 0) {
        char number[16];
        char *kept = strdup("something in the heap");
        if (ended(5))
            return say("unharmed", times), 0;
        snprintf(number, sizeof number, "%d", times + 1);
        execl("/proc/self/exe", words[0], words[1], number, (char *)NULL);
        free(kept);
        return 1;
    }
    for (; !ended(1); times++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            free(malloc(100));
            _exit(7);
        }
        if (child < 0 || waitpid(-1, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 7)
            return say("harmed", times), 1;
    }
    say(waitpid(-1, NULL, 0) == -1 ? "unharmed" : "harmed", times);
    return 0;
}
