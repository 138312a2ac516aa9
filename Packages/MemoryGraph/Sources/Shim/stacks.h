#pragma once
// The stacks from which the program allocates, each kept once.
#include <stdint.h>

/// Begins to record. Before, and when it cannot, every stack is 0. Answers why it cannot, else NULL.
__attribute__((visibility("hidden"))) const char *stacks_begin(void);

/// The stack that a frame belongs to, in the table; `frame` is that of the function the program has called.
__attribute__((visibility("hidden"))) uint32_t stack_of(void **frame);

/// Whether the allocator is glibc's, whose blocks we can tell (allocator.c). Asked once, before anything is recorded.
__attribute__((visibility("hidden"))) int has_known_blocks(void);
