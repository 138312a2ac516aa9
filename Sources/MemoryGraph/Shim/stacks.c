#define _GNU_SOURCE
#include "stacks.h"
#include "include/memorygraph_table.h"
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Calls of a stack that are kept: as deep as LeakSanitizer looks.
enum { depth = 30 };
// Places of the hash table, and words of all stacks together: some 900,000 stacks, of which a large program has a tenth.
// They take memory as they fill.
enum { places = 1 << 20, words = 1 << 24, probes = 64 };

__attribute__((visibility("default"))) struct memorygraph_table memorygraph_table = {
    .magic = MEMORYGRAPH_TABLE_MAGIC, .capacity = words};
static _Atomic uint32_t *hashed;

/// Where the calling thread's stack lies; 0 until it is known. In the thread's fixed part: to find it never allocates.
static __thread uintptr_t lowest __attribute__((tls_model("initial-exec")));
static __thread uintptr_t highest __attribute__((tls_model("initial-exec")));
static __thread int is_asking __attribute__((tls_model("initial-exec")));

extern void *__libc_stack_end;
// The kernel puts no mapping so close below the main thread's stack (mmap_base: MIN_GAP).
static const uintptr_t main_stack = 128 << 20;

void stacks_begin(void) {
  const size_t size = words * sizeof(uint64_t) + places * sizeof(uint32_t);
  // A file of its own in memory, by whose name memorygraph leaves it out of its copy of the program. It is shared with
  // forked children, whose stacks are the same.
  int file = memfd_create("memorygraph-stacks", MFD_CLOEXEC);
  if (file < 0) return;
  void *memory = MAP_FAILED;
  if (ftruncate(file, size) == 0) memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return;
  hashed = (_Atomic uint32_t *)((uint64_t *)memory + words);
  *(_Atomic uint64_t *)memory = 1;
  memorygraph_table.words = memory;
}

/// Asks the C library, which allocates meanwhile: those few blocks have no stack.
static void find_stack(uintptr_t here) {
  uintptr_t top = (uintptr_t)__libc_stack_end;
  if (here < top && top - here < main_stack) {
    lowest = top - main_stack;
    highest = top;
    return;
  }
  int error = errno;
  is_asking = 1;
  pthread_attr_t attributes;
  void *start = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &start, &size);
    pthread_attr_destroy(&attributes);
  }
  lowest = (uintptr_t)start;
  highest = lowest + size;
  // Not known: nothing is on it, and it is not asked for again.
  if (!highest) lowest = highest = 1;
  is_asking = 0;
  errno = error;
}

/// Adds a stack; 0 when the table is full.
static uint32_t add(uint64_t hash, const uint64_t *calls, uint64_t count) {
  _Atomic uint64_t *used = memorygraph_table.words;
  if (atomic_load_explicit(used, memory_order_relaxed) > words) return 0;
  uint64_t place = atomic_fetch_add_explicit(used, count + 2, memory_order_relaxed);
  if (place + count + 2 > words) return 0;
  uint64_t *stack = (uint64_t *)memorygraph_table.words + place;
  stack[0] = hash;
  stack[1] = count;
  memcpy(stack + 2, calls, count * sizeof *calls);
  return place;
}

static uint32_t find(uint64_t hash, const uint64_t *calls, uint64_t count) {
  uint32_t added = 0;
  uint32_t place = hash >> 44;
  for (int probe = 0; probe < probes; place = (place + 1) & (places - 1)) {
    uint32_t known = atomic_load_explicit(&hashed[place], memory_order_acquire);
    if (!known) {
      if (!added && !(added = add(hash, calls, count))) return 0;
      if (atomic_compare_exchange_strong(&hashed[place], &known, added)) return added;
      // Another thread was faster: with the same stack, perhaps.
    }
    if (((uint64_t *)memorygraph_table.words)[known] == hash) return known;
    probe++;
  }
  return 0;
}

uint32_t stack_of(void **frame) {
  if (!memorygraph_table.words || is_asking) return 0;
  uintptr_t here = (uintptr_t)frame;
  if (__builtin_expect(!highest, 0)) find_stack(here);
  // A signal's own stack, or a coroutine's: what lies above is not known to be there.
  uintptr_t end = here >= lowest && here < highest ? highest : here;
  uint64_t calls[depth];
  uint64_t hash = 0x9E3779B97F4A7C15;
  int count = 0;
  while (1) {
    uint64_t call = (uintptr_t)frame[1];
    calls[count++] = call;
    hash = (hash ^ call) * 0xFF51AFD7ED558CCD;
    hash ^= hash >> 32;
    // Swift marks the frames of asynchronous functions in this bit.
    uintptr_t next = (uintptr_t)frame[0] & ~((uintptr_t)1 << 60);
    // A function without frame pointer leaves anything there: only what lies further up on the same stack is read.
    if (count == depth || next <= (uintptr_t)frame || next & 7 || end < 16 || next > end - 16) break;
    frame = (void **)next;
  }
  return find(hash, calls, count);
}
