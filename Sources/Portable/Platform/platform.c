// The C runtime under Embedded Swift in the browser (wasm32-unknown-none-wasm), where there is no C library. In the
// native build glibc provides all of this, except for the counter below.
#include "platform.h"

#if defined(__wasm__)
typedef unsigned long size_t;
typedef unsigned char byte;
typedef unsigned int word;
#define FROM_HOST(name) __attribute__((import_module("env"), import_name(name)))

// Memory: freed blocks are kept in lists by the power of two of their size; new ones come from the end of the heap.
// Blocks are aligned to 16 bytes and begin with a header of 16, which holds the size's exponent. Memory is never
// returned to the browser, so a page's rules should not need much at once.
extern byte __heap_base;
enum { header_size = 16, page_size = 65536, pages_at_once = 4, smallest_exponent = 5, exponents = 32 };
struct block { struct block *next; };
static struct block *freed[exponents];
static byte *heap_end, *memory_end;
static size_t live_bytes;

static byte *extend_heap(size_t size) {
  if (heap_end == 0) {
    heap_end = (byte *)(((size_t)&__heap_base + 15) & ~15ul);
    memory_end = (byte *)(__builtin_wasm_memory_size(0) * page_size);
  }
  if ((size_t)(memory_end - heap_end) < size) {
    size_t pages = (size + page_size - 1) / page_size;
    if (pages < pages_at_once) pages = pages_at_once;
    if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return 0;
    memory_end = (byte *)(__builtin_wasm_memory_size(0) * page_size);
  }
  byte *start = heap_end;
  heap_end += size;
  return start;
}

void *malloc(size_t size) {
  word exponent = smallest_exponent;
  while (exponent < exponents && ((size_t)1 << exponent) < size + header_size) exponent++;
  if (exponent == exponents) return 0;
  byte *start = (byte *)freed[exponent];
  if (start != 0) freed[exponent] = freed[exponent]->next;
  else if ((start = extend_heap((size_t)1 << exponent)) == 0) return 0;
  *(word *)(start + header_size - sizeof(word)) = exponent;
  live_bytes += (size_t)1 << exponent;
  return start + header_size;
}

void free(void *pointer) {
  if (pointer == 0) return;
  byte *start = (byte *)pointer - header_size;
  word exponent = *(word *)(start + header_size - sizeof(word));
  live_bytes -= (size_t)1 << exponent;
  ((struct block *)start)->next = freed[exponent];
  freed[exponent] = (struct block *)start;
}

int posix_memalign(void **pointer, size_t alignment, size_t size) {
  enum { invalid_argument = 22, out_of_memory = 12 };
  if (alignment > 16) return invalid_argument;
  void *found = malloc(size);
  if (found == 0) return out_of_memory;
  *pointer = found;
  return 0;
}

__attribute__((export_name("live_bytes"))) unsigned long platform_live_bytes(void) { return live_bytes; }

// With -mbulk-memory each of these three is one instruction.
void *memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }
void *memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }
void *memset(void *to, int value, size_t count) { return __builtin_memset(to, value, count); }
int memcmp(const void *left, const void *right, size_t count) {
  const byte *a = left, *b = right;
  for (; count > 0; count--, a++, b++) if (*a != *b) return *a - *b;
  return 0;
}
size_t strlen(const char *text) {
  const char *end = text;
  while (*end) end++;
  return (size_t)(end - text);
}

// The product of numbers of 128 bits. The compiler needs it to find out whether a product of 64 bits is too large. The
// halves of 32 bits are multiplied as on paper.
typedef unsigned long long wide;
__int128 __multi3(__int128 left, __int128 right) {
  const wide half = 0xffffffff, a = (wide)left, b = (wide)right;
  wide low = (a & half) * (b & half);
  wide middle = (a >> 32) * (b & half) + (low >> 32);
  wide high = middle >> 32;
  middle = (middle & half) + (a & half) * (b >> 32);
  high += (middle >> 32) + (a >> 32) * (b >> 32);
  low = (low & half) | middle << 32;
  high += (wide)(left >> 64) * b + a * (wide)(right >> 64);
  return (__int128)((unsigned __int128)high << 64 | low);
}

// The stack protector's canary cannot be random before the host is asked; a mismatch only traps.
unsigned long __stack_chk_guard = 0x8be115;
void __stack_chk_fail(void) { __builtin_trap(); }

// Swift's hashing is seeded with random bytes.
FROM_HOST("random") void host_random(void *buffer, size_t count);
void arc4random_buf(void *buffer, size_t count) { host_random(buffer, count); }
#else
unsigned long platform_live_bytes(void) { return 0; }
#endif
