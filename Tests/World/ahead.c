// Preloaded into tests and all programs that they start: the calendar's clock is AHEAD_SECONDS ahead, so that a test
// that would fail on a later day fails today (bin/trial ahead). Clocks that only measure how long something takes are
// left alone, as is the time of files, which comes from the kernel.
//
// Where a caller names a moment to wait for by the calendar's clock, the kernel is told the one that it knows.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>

#define REAL(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))

// Moments of the calendar's clock are far above those of clocks that count from the start of the machine.
#define A_YEAR_OF_OURS 1500000000

static time_t ahead(void) {
  static time_t seconds = -1;
  if (seconds < 0) {
    const char *given = getenv("AHEAD_SECONDS");
    seconds = given ? atol(given) : 0;
  }
  return seconds;
}

static int is_calendar(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_REALTIME_ALARM ||
         clock == CLOCK_TAI;
}

static struct timespec known(const struct timespec *time) {
  struct timespec moment = *time;
  if (moment.tv_sec > A_YEAR_OF_OURS) moment.tv_sec -= ahead();
  return moment;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int failed = REAL(clock_gettime)(clock, now);
  if (!failed && is_calendar(clock)) now->tv_sec += ahead();
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec exact;
  if (clock_gettime(CLOCK_REALTIME, &exact)) return -1;
  *now = (struct timeval){exact.tv_sec, exact.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *now) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (now) *now = exact.tv_sec;
  return exact.tv_sec;
}

int timerfd_settime(int timer, int flags, const struct itimerspec *wanted, struct itimerspec *before) {
  struct itimerspec moment = *wanted;
  if (flags & TFD_TIMER_ABSTIME) moment.it_value = known(&wanted->it_value);
  return REAL(timerfd_settime)(timer, flags, &moment, before);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left) {
  struct timespec moment = flags & TIMER_ABSTIME && is_calendar(clock) ? known(wanted) : *wanted;
  return REAL(clock_nanosleep)(clock, flags, &moment, left);
}

int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
  struct timespec moment = known(until);
  return REAL(pthread_cond_timedwait)(condition, mutex, &moment);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until) {
  struct timespec moment = known(until);
  return REAL(sem_timedwait)(semaphore, &moment);
}
