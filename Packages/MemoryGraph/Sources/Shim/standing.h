#pragma once
// Holding the program's threads still, all but the one that calls.
#include "twin.h"
#include <signal.h>
#include <ucontext.h>

enum { most_threads = 4096 };

/// The threads, as the last look has found them.
__attribute__((visibility("hidden"))) extern struct standing standing[most_threads];

/// The signal by which the tool calls the program: whoever does not handle it ignores it, also just after an exec.
enum { calling_signal = SIGURG };
/// Handles it, if the program itself does not.
__attribute__((visibility("hidden"))) void answer_calls(void);
/// In a child, to whom the signal means what it would have meant.
__attribute__((visibility("hidden"))) void forget_calls(void);

/// In a thread that the tool has asked.
__attribute__((visibility("hidden"))) void on_asked(void);

/// In a thread that is about to handle the calling signal itself.
__attribute__((visibility("hidden"))) void on_calls_over(void);

/// Stops all other threads. Answers how many were met, those included that have ended since (thread 0), or a negative
/// error number; `late` names a thread that did not stand still in time.
__attribute__((visibility("hidden"))) int64_t stop_others(struct birth *birth);

/// Adds the calling thread.
__attribute__((visibility("hidden"))) void add_own(int64_t place, const ucontext_t *context);

/// To be called whatever `stop_others` has answered.
__attribute__((visibility("hidden"))) void let_others_go(struct birth *birth);

/// What the threads held would look like references to the next look.
__attribute__((visibility("hidden"))) void forget_registers(int64_t count);
