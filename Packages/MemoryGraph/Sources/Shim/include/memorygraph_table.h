#pragma once
// The record of allocations that the shim keeps for `memorygraph` (Graph/AllocationStacks.swift): an exported variable,
// `memorygraph_table`, and a word at the end of each block.
#include <stdatomic.h>
#include <stdint.h>

#define MEMORYGRAPH_TABLE_MAGIC 0x7761746368737431  // "1tshctaw", backwards

/// The first word is the number of words in use; it exceeds `capacity` when the table is full. A stack is identified by
/// the index of its first word; 0 is none. Its words: a hash of its calls, their number, and the return addresses,
/// innermost first. Stacks are added and never changed.
struct memorygraph_table {
  uint64_t magic;
  /// NULL while nothing is recorded.
  _Atomic uint64_t *words;
  uint64_t capacity;
};

extern struct memorygraph_table memorygraph_table;

/// The last word of every block allocated by the shim: its stack, and below it a mark made of its address, which
/// distinguishes the tag from other data.
static inline uint64_t memorygraph_tag(const void *block, uint32_t stack) {
  uint64_t mark = (((uintptr_t)block >> 4) * 0x9E3779B97F4A7C15) >> 32;
  return (uint64_t)stack << 32 | mark;
}
