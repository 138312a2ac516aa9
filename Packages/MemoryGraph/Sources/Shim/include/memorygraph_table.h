#pragma once
// What the shim tells of allocations, where `memorygraph` finds it (Graph/AllocationStacks.swift): an exported
// variable, `memorygraph_table`, and a word at the end of each block.
#include <stdatomic.h>
#include <stdint.h>

#define MEMORYGRAPH_TABLE_MAGIC 0x7761746368737431  // "1tshctaw", backwards

/// The first word says how many are given away; it exceeds `capacity` when the table is full. A stack is known by the
/// place of its first word; 0 is none. Its words: a hash of its calls, their number, and the calls' return addresses,
/// the innermost first. Stacks are added and never changed.
struct memorygraph_table {
  uint64_t magic;
  /// NULL while nothing is recorded.
  _Atomic uint64_t *words;
  uint64_t capacity;
};

extern struct memorygraph_table memorygraph_table;

/// The last word of every block that the shim has allocated: its stack, and below it the mark of its address, by which
/// the word is told from anything else that may stand there.
static inline uint64_t memorygraph_tag(const void *block, uint32_t stack) {
  uint64_t mark = (((uintptr_t)block >> 4) * 0x9E3779B97F4A7C15) >> 32;
  return (uint64_t)stack << 32 | mark;
}
