// The C library's allocator, with eight bytes more in each block that tell where it was allocated.
#define _GNU_SOURCE
#include "include/memorygraph_table.h"
#include "stacks.h"
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// glibc's own allocator.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

#define EXPORTED __attribute__((visibility("default")))
// The frame of the function that the program has called.
#define FRAME ((void **)__builtin_frame_address(0))

enum { tag_bytes = sizeof(uint64_t) };

/// Bytes of a block, tag included, by its chunk's header (malloc/malloc.c, `musable`).
static inline size_t usable(const void *block) {
  size_t head = ((const size_t *)block)[-1];
  return (head & ~(size_t)7) - (head & 2 ? 16 : 8);
}

typedef size_t ask_size(void *);
/// The function `malloc_usable_size` that the program would call without the shim.
static ask_size *real_size;
/// 0 until it is known: the bytes before a block are not read then. Such blocks are eight bytes longer all the same.
static int is_known;

__attribute__((constructor(101))) static void find_allocator(void) {
  if (real_size) return;
  real_size = (ask_size *)dlsym(RTLD_NEXT, "malloc_usable_size");
  void *volatile block = __libc_malloc(1);
  // glibc's smallest block, malloc/malloc.c `MINSIZE`; in other allocators it has 1, 8 or 16 bytes.
  is_known = block && real_size && real_size(block) == 24;
  __libc_free(block);
}

/// valgrind, and allocators that replace the C library's, have blocks without such a header.
int has_known_blocks(void) {
  find_allocator();
  // AddressSanitizer's functions are in the program itself; its shadow would take minutes to read.
  return is_known && !dlsym(RTLD_DEFAULT, "__asan_init");
}

/// Bytes in excess of the size requested, a multiple of 8: 0 or 8, since chunks are multiples of 16; more where the
/// rest was too small for a chunk of its own.
enum { usual_rest = 8, most_rest = 40 };

/// - Parameter size: the size that the program requested.
static inline void *tagged(void *block, size_t size, void **frame) {
  if (block && is_known) {
    char *end = (char *)block + usable(block) - tag_bytes;
    // Stale words of an earlier block after the end of this one would look like references for as long as it lives. A
    // block with pages of its own has none. Without a branch, which could not be predicted.
    size_t rest = end - (char *)block - ((size + 7) & ~(size_t)7);
    *(uint64_t *)(end - (rest & usual_rest)) = 0;
    if (__builtin_expect(rest > usual_rest && rest <= most_rest, 0)) memset(end - rest, 0, rest);
    // Nor in the rest of the last word requested: after a text's end it may look like an address.
    *(uint64_t *)((char *)block + (size & ~(size_t)7)) &= ((uint64_t)1 << (size & 7) * 8) - 1;
    *(uint64_t *)end = memorygraph_tag(block, stack_of(frame));
  }
  return block;
}

static inline int is_too_large(size_t size) {
  if (size <= PTRDIFF_MAX - tag_bytes) return 0;
  errno = ENOMEM;
  return 1;
}

static inline void *aligned(size_t alignment, size_t size, void **frame) {
  return is_too_large(size) ? NULL : tagged(__libc_memalign(alignment, size + tag_bytes), size, frame);
}

EXPORTED void *malloc(size_t size) {
  return is_too_large(size) ? NULL : tagged(__libc_malloc(size + tag_bytes), size, FRAME);
}

EXPORTED void free(void *block) { __libc_free(block); }

EXPORTED void *calloc(size_t count, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(count, size, &all)) all = SIZE_MAX;
  return is_too_large(all) ? NULL : tagged(__libc_calloc(1, all + tag_bytes), all, FRAME);
}

EXPORTED void *realloc(void *block, size_t size) {
  if (block && !size) {
    __libc_free(block);
    return NULL;
  }
  return is_too_large(size) ? NULL : tagged(__libc_realloc(block, size + tag_bytes), size, FRAME);
}

EXPORTED void *reallocarray(void *block, size_t count, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(count, size, &all)) all = SIZE_MAX;
  if (block && !all) {
    __libc_free(block);
    return NULL;
  }
  return is_too_large(all) ? NULL : tagged(__libc_realloc(block, all + tag_bytes), all, FRAME);
}

EXPORTED void *memalign(size_t alignment, size_t size) { return aligned(alignment, size, FRAME); }
EXPORTED void *aligned_alloc(size_t alignment, size_t size) { return aligned(alignment, size, FRAME); }
EXPORTED void *valloc(size_t size) { return aligned(getpagesize(), size, FRAME); }
EXPORTED void *pvalloc(size_t size) {
  size_t page = getpagesize();
  return is_too_large(size) ? NULL : aligned(page, (size + page - 1) & ~(page - 1), FRAME);
}

EXPORTED int posix_memalign(void **block, size_t alignment, size_t size) {
  if (!alignment || alignment % sizeof(void *) || alignment & (alignment - 1)) return EINVAL;
  int error = errno;
  void *found = aligned(alignment, size, FRAME);
  errno = error;
  if (!found) return ENOMEM;
  *block = found;
  return 0;
}

EXPORTED size_t malloc_usable_size(void *block) {
  if (!block) return 0;
  if (is_known) return usable(block) - tag_bytes;
  if (!real_size) find_allocator();
  return real_size ? real_size(block) : 0;
}
