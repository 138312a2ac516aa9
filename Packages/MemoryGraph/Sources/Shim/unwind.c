// The format: Linux Standard Base, "Exception Frames"; DWARF 5, section 6.4.2; System V ABI for AMD64, table 3.36.
#define _GNU_SOURCE
#include "unwind.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#if defined __x86_64__ && __GLIBC_PREREQ(2, 35)

// glibc 2.35 and later: takes no lock, and may be called anywhere.
typedef int find_object(void *, struct dl_find_object *);
static find_object *real_find;

/// Early, so that the loader's lock is not needed later.
__attribute__((constructor(101))) static void find_real(void) {
  real_find = (find_object *)dlsym(RTLD_DEFAULT, "_dl_find_object");
}

int is_code(uintptr_t place) {
  struct dl_find_object object;
  return !real_find || real_find((void *)place, &object) == 0;
}

// MARK: Reading

struct bytes {
  const uint8_t *at, *end;
};

static uint64_t fixed(struct bytes *from, size_t size) {
  uint64_t value = 0;
  if ((size_t)(from->end - from->at) < size) {
    from->at = from->end;
    return 0;
  }
  memcpy(&value, from->at, size);
  from->at += size;
  return value;
}

static int64_t leb(struct bytes *from, int is_signed) {
  uint64_t value = 0;
  unsigned shift = 0;
  while (from->at < from->end) {
    uint8_t byte = *from->at++;
    if (shift < 64) value |= (uint64_t)(byte & 127) << shift;
    shift += 7;
    if (byte & 128) continue;
    if (is_signed && shift < 64 && byte & 64) value |= ~(uint64_t)0 << shift;
    break;
  }
  return value;
}

static int64_t unsigned_leb(struct bytes *from) { return leb(from, 0); }

static void skip(struct bytes *from, uint64_t count) {
  from->at = count <= (uint64_t)(from->end - from->at) ? from->at + count : from->end;
}

/// A record's bytes after its length. The long form, which is not used here, gives none.
static struct bytes record(const uint8_t *at) {
  uint32_t length;
  memcpy(&length, at, 4);
  if (length >= 0xFFFFFFF0) length = 0;
  return (struct bytes){at + 4, at + 4 + length};
}

// MARK: Rules

enum { rbp = 6, rsp = 7, return_address = 16 };
// Encodings of pointers: relative to their place, or to the table, in four bytes.
enum { relative = 0x1B, table_relative = 0x3B, indirect = 0x80, four_bytes = 3 };

enum rule { unchanged, saved, unknown };

/// The rules for finding the caller from an address of a function.
struct rules {
  /// The register of the canonical frame address, and the offset; 0 if it is an expression.
  uint64_t base;
  int64_t offset;
  enum rule frame;
  /// The offset of the saved frame pointer from that address.
  int64_t frame_at;
  int has_caller;
};

/// The common part of several functions (CIE).
struct common {
  uint64_t code_unit;
  int64_t data_unit;
  struct bytes program;
};

static int read_common(const uint8_t *at, struct common *common) {
  struct bytes from = record(at);
  if (fixed(&from, 4) != 0) return 0;
  uint8_t version = fixed(&from, 1);
  const char *letters = (const char *)from.at;
  // Each has data that can be skipped without knowing it.
  if ((version != 1 && version != 3) || *letters != 'z') return 0;
  skip(&from, strnlen(letters, from.end - from.at) + 1);
  common->code_unit = unsigned_leb(&from);
  common->data_unit = leb(&from, 1);
  if ((version == 1 ? fixed(&from, 1) : (uint64_t)unsigned_leb(&from)) != return_address) return 0;
  uint64_t length = unsigned_leb(&from);
  common->program = from;
  skip(&common->program, length);
  int is_relative = 0;
  for (letters++; *letters; letters++) {
    uint8_t form = 0;
    if (*letters == 'R') is_relative = fixed(&from, 1) == relative;
    else if (*letters == 'L') skip(&from, 1);
    else if (*letters == 'P') {
      form = fixed(&from, 1) & ~indirect;
      if ((form & 7) != four_bytes) return 0;
      skip(&from, 4);
    } else return 0;  // A signal's frame ('S') is left otherwise.
  }
  return is_relative;
}

static void save(struct rules *rules, uint64_t number, int64_t offset, enum rule rule) {
  if (number == rbp) {
    rules->frame = rule;
    rules->frame_at = offset;
  }
  if (number == return_address) rules->has_caller = rule == saved && offset == -8;
}

/// Runs the instructions up to an address, given by its distance from the function's beginning.
static int run(struct bytes from, uint64_t place, const struct common *common, const struct rules *first,
               struct rules *rules) {
  enum { remembered = 8 };
  struct rules kept[remembered];
  int count = 0;
  uint64_t at = 0;
  while (from.at < from.end) {
    uint8_t code = *from.at++;
    uint64_t number = code & 63;
    uint64_t step = 0;
    switch (code >> 6 ? code & 0xC0 : code) {
    case 0x00: break;
    case 0x40: step = number; break;
    case 0x80: save(rules, number, unsigned_leb(&from) * common->data_unit, saved); break;
    case 0x06: number = unsigned_leb(&from); [[fallthrough]];
    case 0xC0:
      if (number == rbp) save(rules, rbp, first->frame_at, first->frame);
      if (number == return_address) rules->has_caller = first->has_caller;
      break;
    case 0x02: step = fixed(&from, 1); break;
    case 0x03: step = fixed(&from, 2); break;
    case 0x04: step = fixed(&from, 4); break;
    case 0x05:
      number = unsigned_leb(&from);
      save(rules, number, unsigned_leb(&from) * common->data_unit, saved);
      break;
    case 0x11:
      number = unsigned_leb(&from);
      save(rules, number, leb(&from, 1) * common->data_unit, saved);
      break;
    case 0x07: save(rules, unsigned_leb(&from), 0, unknown); break;
    case 0x08: save(rules, unsigned_leb(&from), 0, unchanged); break;
    // Saved in another register, or computed.
    case 0x09:
    case 0x14:
    case 0x15:
      save(rules, unsigned_leb(&from), 0, unknown);
      unsigned_leb(&from);
      break;
    case 0x0A:
      if (count == remembered) return 0;
      kept[count++] = *rules;
      break;
    case 0x0B:
      if (!count) return 0;
      *rules = kept[--count];
      break;
    case 0x0C:
      rules->base = unsigned_leb(&from);
      rules->offset = unsigned_leb(&from);
      break;
    case 0x12:
      rules->base = unsigned_leb(&from);
      rules->offset = leb(&from, 1) * common->data_unit;
      break;
    case 0x0D: rules->base = unsigned_leb(&from); break;
    case 0x0E: rules->offset = unsigned_leb(&from); break;
    case 0x13: rules->offset = leb(&from, 1) * common->data_unit; break;
    case 0x0F:
      rules->base = 0;
      skip(&from, unsigned_leb(&from));
      break;
    case 0x10:
    case 0x16:
      save(rules, unsigned_leb(&from), 0, unknown);
      skip(&from, unsigned_leb(&from));
      break;
    case 0x2E: unsigned_leb(&from); break;
    default: return 0;
    }
    at += step * common->code_unit;
    if (at > place) break;
  }
  return 1;
}

/// The record (FDE) of the function at an address; NULL without one.
static const uint8_t *find_function(uintptr_t place) {
  struct dl_find_object object;
  if (!real_find || real_find((void *)place, &object) != 0 || !object.dlfo_eh_frame) return NULL;
  const uint8_t *table = object.dlfo_eh_frame;
  // The version, and the encodings of the pointer to the records, of their number and of the table.
  static const uint8_t usual[4] = {1, relative, four_bytes, table_relative};
  if (memcmp(table, usual, 4) != 0) return NULL;
  struct {
    int32_t begin, record;
  } entry;
  uint32_t low = 0, high;
  memcpy(&high, table + 8, 4);
  const uint8_t *entries = table + 12;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    memcpy(&entry, entries + middle * sizeof entry, sizeof entry);
    if ((uintptr_t)table + entry.begin <= place) low = middle + 1;
    else high = middle;
  }
  if (!low) return NULL;
  memcpy(&entry, entries + (low - 1) * sizeof entry, sizeof entry);
  return table + entry.record;
}

static int find_rules(uintptr_t place, struct rules *rules) {
  const uint8_t *at = find_function(place);
  if (!at) return 0;
  struct bytes from = record(at);
  const uint8_t *here = from.at;
  uint32_t back = fixed(&from, 4);
  struct common common;
  if (!back || !read_common(here - back, &common)) return 0;
  here = from.at;
  uintptr_t begin = (uintptr_t)here + (int32_t)fixed(&from, 4);
  uint64_t length = fixed(&from, 4);
  if (place - begin >= length) return 0;
  skip(&from, unsigned_leb(&from));
  struct rules first = {0};
  *rules = first;
  if (!run(common.program, UINT64_MAX, &common, &first, rules)) return 0;
  first = *rules;
  return run(from, place - begin, &common, &first, rules);
}

// MARK: Cache

/// An address' rules in one word, for the cache: the same ones are needed again and again, and parsing them takes a
/// hundred times as long.
struct packed {
  uint64_t is_known : 1, can_be_left : 1, is_by_frame : 1, frame : 2;
  /// In words; `frame_at` counts downwards.
  uint64_t offset : 28, frame_at : 28;
};
_Static_assert(sizeof(struct packed) == sizeof(uint64_t), "one word");

enum { places = 1 << 12 };
/// Two words each, the address combined with its rules and the rules alone: if two threads have written at once, they
/// do not match and are ignored. (When a library is unloaded and another one takes its addresses, stacks through both
/// may end too early, or in a wrong caller. Only the stack is read then, too.)
static _Atomic uint64_t known[places][2];

static struct packed pack(const struct rules *rules) {
  struct packed packed = {.is_known = 1};
  int64_t offset = rules->offset, frame_at = rules->frame == saved ? -rules->frame_at : 0;
  if (!rules->has_caller || (rules->base != rsp && rules->base != rbp)) return packed;
  if (offset <= 0 || offset & 7 || offset >> 31 || frame_at < 0 || frame_at & 7 || frame_at >> 31) return packed;
  packed.can_be_left = 1;
  packed.is_by_frame = rules->base == rbp;
  packed.frame = rules->frame;
  packed.offset = offset / 8;
  packed.frame_at = frame_at / 8;
  return packed;
}

static struct packed rules_of(uintptr_t place) {
  _Atomic uint64_t *entry = known[place * 0x9E3779B97F4A7C15 >> 52];
  uint64_t word = atomic_load_explicit(&entry[1], memory_order_relaxed);
  struct packed packed;
  if ((atomic_load_explicit(&entry[0], memory_order_relaxed) ^ word) == place) {
    memcpy(&packed, &word, sizeof word);
    if (packed.is_known) return packed;
  }
  struct rules rules;
  packed = find_rules(place, &rules) ? pack(&rules) : (struct packed){.is_known = 1};
  memcpy(&word, &packed, sizeof word);
  atomic_store_explicit(&entry[0], place ^ word, memory_order_relaxed);
  atomic_store_explicit(&entry[1], word, memory_order_relaxed);
  return packed;
}

enum unwound unwind(struct registers *registers, uintptr_t end) {
  // An address within the call: the next instruction may belong to another function.
  struct packed rules = rules_of(registers->code - 1);
  if (!rules.can_be_left) return not_unwound;
  uintptr_t top = (rules.is_by_frame ? registers->frame : registers->stack) + 8 * (uintptr_t)rules.offset;
  if (top & 7 || top > end || top < registers->stack + sizeof(uintptr_t)) return not_unwound;
  if (rules.frame == saved) {
    uintptr_t place = top - 8 * (uintptr_t)rules.frame_at;
    if (place < registers->stack || place > top - sizeof(uintptr_t)) return not_unwound;
    registers->frame = *(const volatile uintptr_t *)place;
  } else if (rules.frame == unknown) {
    registers->frame = 0;
  }
  registers->code = *(const volatile uintptr_t *)(top - sizeof(uintptr_t));
  registers->stack = top;
  return rules.is_by_frame && rules.offset == 2 ? with_frame : without_frame;
}

#else

// Other processors' functions keep a frame pointer; older C libraries do not tell where a function's rules are.
enum unwound unwind(struct registers *registers, uintptr_t end) {
  (void)registers;
  (void)end;
  return not_unwound;
}

int is_code(uintptr_t place) {
  (void)place;
  return 1;
}

#endif
