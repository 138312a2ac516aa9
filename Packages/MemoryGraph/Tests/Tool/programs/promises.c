// Checks the guarantees of malloc and related functions under the shim. Exits with 3.
#define _GNU_SOURCE
#undef NDEBUG
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  for (size_t size = 0; size < 300000; size = size * 3 / 2 + 1) {
    unsigned char *block = malloc(size);
    assert(block && malloc_usable_size(block) >= size && !((uintptr_t)block & 15));
    memset(block, 1, malloc_usable_size(block));
    block = realloc(block, size * 2 + 1);
    assert(malloc_usable_size(block) >= size * 2 + 1);
    for (size_t place = 0; place < size; place++) assert(block[place] == 1);
    memset(block, 2, malloc_usable_size(block));
    free(block);
    block = calloc(3, size);
    for (size_t place = 0; place < 3 * size; place++) assert(!block[place]);
    memset(block, 3, malloc_usable_size(block));
    free(block);
    void *aligned;
    assert(posix_memalign(&aligned, 4096, size) == 0 && !((uintptr_t)aligned & 4095));
    memset(aligned, 4, malloc_usable_size(aligned));
    free(aligned);
    aligned = aligned_alloc(64, size);
    assert(!((uintptr_t)aligned & 63) && malloc_usable_size(aligned) >= size);
    free(aligned);
    aligned = memalign(256, size);
    assert(!((uintptr_t)aligned & 255));
    free(aligned);
    free(reallocarray(NULL, size, 3));
    aligned = valloc(size);
    assert(!((uintptr_t)aligned & 4095));
    free(aligned);
    aligned = pvalloc(size);
    assert(!((uintptr_t)aligned & 4095) && malloc_usable_size(aligned) >= ((size + 4095) & ~(size_t)4095));
    free(aligned);
  }
  void *none = NULL;
  assert(posix_memalign(&none, 3, 1) == EINVAL && posix_memalign(&none, 24, 1) == EINVAL && !none);
  volatile size_t huge = SIZE_MAX;
  for (size_t less = 0; less < 32; less++) {
    errno = 0;
    assert(!malloc(huge - less) && errno == ENOMEM);
    assert(!realloc(NULL, huge - less) && !memalign(64, huge - less) && !pvalloc(huge - less));
  }
  assert(!calloc(huge, 2) && !reallocarray(NULL, huge, 2) && posix_memalign(&none, 64, huge) == ENOMEM);
  errno = 0;
  free(malloc(10));
  assert(errno == 0 && malloc_usable_size(NULL) == 0);
  free(realloc(malloc(10), 20));
  assert(!realloc(malloc(10), 0));
  puts("kept");
  return 3;
}
