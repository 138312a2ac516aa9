#define _GNU_SOURCE
#include "stacks.h"
#include "include/memorygraph_table.h"
#include "unwind.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// The most calls of a stack: as many as LeakSanitizer records.
enum { depth = 30 };
// A stack with so few calls ends in a library without frame pointers: its unwind tables tell the callers. Longer ones
// tell enough as they are.
enum { few = 4 };
// Entries of the hash table, and words of all stacks: some 900,000 stacks, of which a large program has a tenth. Memory
// is used as they fill.
enum { places = 1 << 20, words = 1 << 24, probes = 64 };

__attribute__((visibility("default"))) struct memorygraph_table memorygraph_table = {
    .magic = MEMORYGRAPH_TABLE_MAGIC, .capacity = words};
static _Atomic uint32_t *hashed;

/// The lowest address of the calling thread's stack; 0 until known. In the static TLS block, so that access never
/// allocates.
static __thread uintptr_t lowest __attribute__((tls_model("initial-exec")));
static __thread uintptr_t highest __attribute__((tls_model("initial-exec")));
static __thread int is_asking __attribute__((tls_model("initial-exec")));

extern void *__libc_stack_end;
// The kernel puts no mapping so close below the main thread's stack (mmap_base: MIN_GAP).
static const uintptr_t main_stack = 128 << 20;

const char *stacks_begin(void) {
  const size_t size = words * sizeof(uint64_t) + places * sizeof(uint32_t);
  // Otherwise the kernel would end the program with SIGXFSZ.
  struct rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < size)
    return "no stacks: they need a file of 138 MB in memory, and the limit of files is below that (ulimit -f).";
  // A memfd, whose name lets memorygraph leave it out of its copy of the program. It is shared with forked children,
  // whose stacks are the same.
  int file = memfd_create("memorygraph-stacks", MFD_CLOEXEC);
  void *memory = MAP_FAILED;
  if (file >= 0 && ftruncate(file, size) == 0)
    memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (file >= 0) close(file);
  if (memory == MAP_FAILED) return "no stacks: there is no room for 138 MB of address space, or no descriptor.";
  hashed = (_Atomic uint32_t *)((uint64_t *)memory + words);
  *(_Atomic uint64_t *)memory = 1;
  memorygraph_table.words = memory;
  return NULL;
}

typedef int get_attributes(pthread_t, pthread_attr_t *);
static get_attributes *_Atomic real_attributes;

/// Early, so that the loader's lock is not needed later.
__attribute__((constructor(101))) static void find_real(void) {
  real_attributes = (get_attributes *)dlsym(RTLD_NEXT, "pthread_getattr_np");
}

/// This allocates while it holds the thread's lock, so finding the thread's stack then would deadlock. Those few blocks
/// have no stack.
__attribute__((visibility("default"))) int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) {
  int was_asking = is_asking;
  is_asking = 1;
  if (!real_attributes) find_real();
  int code = real_attributes ? real_attributes(thread, attributes) : ENOSYS;
  is_asking = was_asking;
  return code;
}

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
  // Unknown: an empty range, so that it is not asked for again.
  if (!highest) lowest = highest = 1;
  is_asking = 0;
  errno = error;
}

// MARK: The table

/// The words of a frame: its caller's frame, and the return address.
enum { caller, address };

/// A call of the thread's stack.
struct call {
  /// The frame's two words, with all bits inverted: what a function without a frame pointer has in the place of its
  /// caller's frame may be an address in the heap, and would be a reference to that block here, long after the call.
  uint64_t inverted[2];
  const volatile uint64_t *frame;
  /// The sum of this call's hash and those before it, see `weight`.
  uint64_t sum;
};

/// A return address without arm64's pointer authentication.
static inline uint64_t unsigned_address(uint64_t address) {
#ifdef __aarch64__
  return address & 0xFFFFFFFFFFFF;
#else
  return address;
#endif
}

/// Adds a stack, given by its innermost call; 0 when the table is full.
static uint32_t add(uint64_t hash, const struct call *last, uint64_t count) {
  _Atomic uint64_t *used = memorygraph_table.words;
  if (atomic_load_explicit(used, memory_order_relaxed) > words) return 0;
  uint64_t place = atomic_fetch_add_explicit(used, count + 2, memory_order_relaxed);
  if (place + count + 2 > words) return 0;
  uint64_t *stack = (uint64_t *)memorygraph_table.words + place;
  stack[0] = hash;
  stack[1] = count;
  for (uint64_t call = 0; call < count; call++)
    stack[2 + call] = unsigned_address(~last[-(int64_t)call].inverted[address]);
  return place;
}

static uint32_t find(uint64_t hash, const struct call *last, uint64_t count) {
  uint32_t added = 0;
  uint32_t place = hash >> 44;
  for (int probe = 0; probe < probes; probe++, place = (place + 1) & (places - 1)) {
    uint32_t known = atomic_load_explicit(&hashed[place], memory_order_acquire);
    if (!known) {
      if (!added && !(added = add(hash, last, count))) return 0;
      if (atomic_compare_exchange_strong(&hashed[place], &known, added)) return added;
      // Another thread was faster, perhaps with the same stack.
    }
    if (((uint64_t *)memorygraph_table.words)[known] == hash) return known;
  }
  return 0;
}

// MARK: The thread's stack

// A stack's hash is a polynomial of its calls: the sum at a call is weight times the sum at the previous call, plus the
// call's own hash. So the hash of the innermost calls is the difference of two sums, wherever the sum began.
static const uint64_t weight = 0x9E3779B97F4A7C15;

static inline uint64_t hash_of(uint64_t call) {
  call = unsigned_address(call);
  call *= 0xFF51AFD7ED558CCD;
  return call ^ call >> 32;
}

// The most calls kept of a stack: the innermost 30 count, and a few more let it shrink and grow again without a walk.
enum { most = depth + 10 };

/// The calls of an earlier stack of the thread, outermost first. Nearly all of them are unchanged at the next one:
/// comparing them takes a third of the time of walking the frames, since no load depends on another.
struct past {
  int count;
  /// True if the first is the thread's outermost call; otherwise `before` is the sum of the calls before it.
  int is_whole;
  uint64_t before;
  /// Its index in the table.
  uint32_t stack;
  struct call calls[most];
};

/// The last stacks, told apart by where on the stack they end: a loop that allocates at several places finds each of
/// them unchanged. Together 5 KB, which each thread has beside its stack; a thread's smallest stack is 16 KB.
enum { pasts = 4, stack_alignment = 16 };
static __thread struct past last_stacks[pasts] __attribute__((tls_model("initial-exec")));

// Two words at once.
typedef uint64_t pair __attribute__((vector_size(16), aligned(8), may_alias));

/// All bits are 1 if a call is unchanged.
static inline pair likeness(const struct call *call) {
  return *(const pair *)call->frame ^ *(const pair *)call->inverted;
}

static inline int is_same(pair likenesses) { return (likenesses[0] & likenesses[1]) == ~(uint64_t)0; }

/// The number of unchanged calls at the beginning of `past`, at most `count`.
static inline int still_there(const struct past *past, int count) {
  int same = 0;
  // Four at once, with one branch.
  for (; same + 4 <= count; same += 4) {
    const struct call *call = &past->calls[same];
    if (!is_same(likeness(call) & likeness(call + 1) & likeness(call + 2) & likeness(call + 3))) break;
  }
  while (same < count && is_same(likeness(&past->calls[same]))) same++;
  return same;
}

#ifdef __x86_64__
// Assembler code may call with a misaligned stack, which glibc's malloc tolerates.
#define ALIGNED __attribute__((force_align_arg_pointer))
#else
#define ALIGNED
#endif

/// Brings `past` up to date, given how many of its calls are unchanged. All of the stack from `here` to `end` is
/// readable.
ALIGNED __attribute__((noinline)) static void follow(struct past *past, uintptr_t here, uintptr_t end, int same) {
  // From the innermost frame outwards, up to one of those.
  const volatile uint64_t *new[depth];
  struct registers registers = {0};
  // The number of frames that are certain.
  int certain = 1;
  int count = 0, is_end = 0, has_frame = 1;
  for (uintptr_t at = here; count < depth;) {
    while (same > 0 && (uintptr_t)past->calls[same - 1].frame < at) same--;
    if (same > 0 && (uintptr_t)past->calls[same - 1].frame == at) break;
    // Word by word: reading two words at once that were just written one by one stalls the processor.
    const volatile uint64_t *frame = (const volatile uint64_t *)at;
    new[count++] = frame;
    if (has_frame) {
      // Swift marks the frames of asynchronous functions with this bit.
      uintptr_t next = frame[caller] & ~((uintptr_t)1 << 60);
      // Functions without a frame pointer leave anything there: only addresses further up on the same stack are
      // followed.
      is_end = next <= at || next & 7 || next > end - 2 * sizeof(uintptr_t);
      if (!is_end) {
        at = next;
        continue;
      }
      if (count > few) break;
      // The register of a function without a frame pointer may point to other data on the stack.
      while (count > certain && !is_code(new[count - 1][address])) count--;
      frame = new[count - 1];
      registers = (struct registers){frame[address], (uintptr_t)(frame + 2), frame[caller]};
    }
    enum unwound left = unwind(&registers, end);
    is_end = left == not_unwound;
    if (is_end) break;
    certain = count + 1;
    // Its return address is where a frame has it, whatever is below.
    has_frame = left == with_frame;
    at = registers.stack - 2 * sizeof(uintptr_t);
  }
  if (is_end || count == depth || same == 0) {
    same = 0;
    past->before = 0;
    past->is_whole = is_end;
  } else if (!past->is_whole && same + count < depth) {
    // The calls before the first are needed again.
    follow(past, here, end, 0);
    return;
  } else if (same + count > most) {
    int given = same + count - depth;
    past->before = past->calls[given - 1].sum;
    past->is_whole = 0;
    same -= given;
    memmove(past->calls, past->calls + given, same * sizeof *past->calls);
  }
  uint64_t sum = same ? past->calls[same - 1].sum : past->before;
  while (count > 0) {
    struct call *call = &past->calls[same++];
    call->frame = new[--count];
    uint64_t returns = call->frame[address];
    call->inverted[caller] = ~call->frame[caller];
    call->inverted[address] = ~returns;
    call->sum = sum = sum * weight + hash_of(returns);
  }
  past->count = same;
}

static uint64_t power(uint64_t base, int exponent) {
  uint64_t result = 1;
  while (exponent-- > 0) result *= base;
  return result;
}

uint32_t stack_of(void **frame) {
  if (!memorygraph_table.words || is_asking) return 0;
  uintptr_t here = (uintptr_t)frame;
  if (__builtin_expect(!highest, 0)) find_stack(here);
  if (here < lowest || here >= highest) {
    // A signal's alternate stack, or a coroutine's: memory above it may not be readable.
    uint64_t returns = (uintptr_t)frame[1];
    struct call call = {.inverted = {[address] = ~returns}};
    return find(hash_of(returns), &call, 1);
  }
  struct past *past = &last_stacks[here / stack_alignment % pasts];
  int living = past->count;
  while (living > 0 && (uintptr_t)past->calls[living - 1].frame < here) living--;
  int same = still_there(past, living);
  // In a loop the stack is exactly the same again.
  if (same > 0 && same == past->count && (uintptr_t)past->calls[same - 1].frame == here) return past->stack;
  follow(past, here, highest, same);
  const struct call *last = &past->calls[past->count - 1];
  if (past->count < depth) return past->stack = find(last->sum, last, past->count);
  static uint64_t first_weight;
  if (!first_weight) first_weight = power(weight, depth);
  uint64_t before = past->count > depth ? last[-depth].sum : past->before;
  return past->stack = find(last->sum - before * first_weight, last, depth);
}
