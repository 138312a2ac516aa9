// Preloaded into tests under the thread sanitizer: reports two places where Swift's libraries, which are not
// instrumented, hand memory from one thread to another. Without this the sanitizer takes them for races. If the
// libraries are instrumented, this adds nothing.
//
// Symbols and calling conventions are those of Swift's ABI on Linux: self is in the register for a method's context.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// The sanitizer's functions, in the program; missing in others that load this library, such as `swift` itself.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Synchronization's Mutex: taking a free one, and releasing one without waiters, is inlined into the program and
// instrumented. With contention, the kernel hands the mutex over.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
SWIFT void mutex_lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void mutex_unlock(SELF void *mutex) __asm__(UNLOCK);

SWIFT void mutex_lock(uint32_t thread, SELF void *mutex) {
  static SWIFT void (*real)(uint32_t, SELF void *);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, LOCK);
  real(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void mutex_unlock(SELF void *mutex) {
  static SWIFT void (*real)(SELF void *);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(mutex);
  real(mutex);
}

// A continuation that was resumed before its task waited: the task goes on at once, without a job. The runtime reports
// the resumption and jobs to the sanitizer, but not this. (A resumption in the few instructions between here and the
// runtime's check is missed: then both stacks of a report are on one continuation. tsan.txt beside this file names that
// place.)
__attribute__((swiftasynccall)) void swift_continuation_await(void *context) {
  static __attribute__((swiftasynccall)) void (*real)(void *);
  static void *(*current)(void) __attribute__((swiftcall));
  if (!real) {
    *(void **)&current = dlsym(RTLD_DEFAULT, "swift_task_getCurrent");
    *(void **)&real = dlsym(RTLD_NEXT, "swift_continuation_await");
  }
  if (__tsan_acquire) __tsan_acquire(current());
  __attribute__((musttail)) return real(context);
}
