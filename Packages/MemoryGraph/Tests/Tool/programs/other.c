// An allocator that replaces the C library's, as valgrind's does: the memory before a block is unreadable.
#define _GNU_SOURCE
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

enum { page = 4096, pages = 1 << 18 };
static char *room;
static size_t sizes[pages];
static size_t used;

void *__libc_memalign(size_t alignment, size_t size) {
  if (!room) room = mmap(NULL, (size_t)pages * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  size_t first = used + 1, count = size / page + 1;
  if (alignment > page || first + count >= pages) return NULL;
  used = first + count;
  mprotect(room + first * page, count * page, PROT_READ | PROT_WRITE);
  sizes[first] = size;
  return room + first * page;
}
void *__libc_malloc(size_t size) { return __libc_memalign(16, size); }
void *__libc_calloc(size_t count, size_t size) { return __libc_malloc(count * size); }
void __libc_free(void *block) { (void)block; }
size_t malloc_usable_size(void *block) { return block ? sizes[((char *)block - room) / page] : 0; }
void *__libc_realloc(void *block, size_t size) {
  void *new = __libc_malloc(size);
  size_t old = malloc_usable_size(block);
  return new && block ? memcpy(new, block, old < size ? old : size) : new;
}
