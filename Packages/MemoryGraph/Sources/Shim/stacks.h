#pragma once
// The stacks of allocations, each recorded once.
#include <stdint.h>

/// Starts recording. Before, and on failure, every stack is 0. Returns the reason for a failure, else NULL.
__attribute__((visibility("hidden"))) const char *stacks_begin(void);

/// The index in the table of the stack of a frame; `frame` is that of the function the program has called.
__attribute__((visibility("hidden"))) uint32_t stack_of(void **frame);

/// True if the allocator is glibc's, whose blocks are known (allocator.c). Called once, before anything is recorded.
__attribute__((visibility("hidden"))) int has_known_blocks(void);
