#pragma once
// Stops the program's threads, all but the calling one.
#include "twin.h"
#include <signal.h>
#include <ucontext.h>

enum { most_threads = 4096 };

/// The threads of the last look.
__attribute__((visibility("hidden"))) extern struct standing standing[most_threads];

/// The signal with which the tool calls the program: it is ignored unless handled, also just after an exec.
enum { calling_signal = SIGURG };
/// Installs a handler, unless the program has one.
__attribute__((visibility("hidden"))) void answer_calls(void);
/// In a child, restores the signal's own meaning.
__attribute__((visibility("hidden"))) void forget_calls(void);

/// In a thread that the tool has called.
__attribute__((visibility("hidden"))) void on_asked(void);

/// In a thread that is about to install its own handler of the calling signal.
__attribute__((visibility("hidden"))) void on_calls_over(void);

/// Stops all other threads. Returns their number, including those that have ended since (thread 0), or a negative error
/// number; `late` is a thread that did not stop in time.
__attribute__((visibility("hidden"))) int64_t stop_others(struct birth *birth);

/// Adds the calling thread.
__attribute__((visibility("hidden"))) void add_own(int64_t place, const ucontext_t *context);

/// Notes for how long the others have been stopped by now.
__attribute__((visibility("hidden"))) void measure_stop(struct birth *birth);

/// To be called whatever `stop_others` returned.
__attribute__((visibility("hidden"))) void let_others_go(void);

/// Erases the threads' registers, which would look like references at the next look.
__attribute__((visibility("hidden"))) void forget_registers(int64_t count);
