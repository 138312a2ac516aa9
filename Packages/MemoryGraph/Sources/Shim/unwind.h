#pragma once
// From a function to its caller where there is no frame pointer: by what the compiler has written down for exceptions.
#include <stdint.h>

/// What is known of a function that has called another one.
struct registers {
  /// Where it goes on, its stack then, and its frame pointer or whatever it keeps in that register.
  uintptr_t code, stack, frame;
};

enum unwound { not_unwound, without_frame, with_frame };

/// Goes on to the caller, whose return address then lies just below `stack`. Neither waits, nor allocates, nor reads
/// beyond `end` of the stack.
///
/// - Returns: whether the function that was left keeps a frame pointer; `not_unwound` where nobody says how it is
///   left, or where nothing has called it.
__attribute__((visibility("hidden"))) enum unwound unwind(struct registers *registers, uintptr_t end);

/// Whether a return address lies in a program or a library; 1 where that is not known.
__attribute__((visibility("hidden"))) int is_code(uintptr_t place);
