#pragma once
// Finds a function's caller without a frame pointer, by the compiler's unwind tables.
#include <stdint.h>

/// The state of a function that has called another one.
struct registers {
  /// Its return address, its stack pointer, and its frame pointer or whatever it keeps in that register.
  uintptr_t code, stack, frame;
};

enum unwound { not_unwound, without_frame, with_frame };

/// Goes on to the caller, whose return address is then just below `stack`. Neither waits, nor allocates, nor reads
/// beyond `end` of the stack.
///
/// - Returns: true if the function that was left keeps a frame pointer; `not_unwound` if there are no rules, or if it
///   has no caller.
__attribute__((visibility("hidden"))) enum unwound unwind(struct registers *registers, uintptr_t end);

/// True if a return address is in a program or a library; 1 if unknown.
__attribute__((visibility("hidden"))) int is_code(uintptr_t place);
