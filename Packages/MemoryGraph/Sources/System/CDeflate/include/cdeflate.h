#pragma once
// zlib's compression of whole buffers (RFC 1950), linked statically: `memorygraph` needs no library for it. Every
// function returns the count of bytes written; 0 when they did not fit, or were damaged.
#include <stddef.h>
#include <stdint.h>

/// The most bytes that `count` bytes can become.
size_t cdeflate_bound(size_t count);
/// - level: 1, the fastest, to 9, the smallest.
size_t cdeflate_compress(const void *bytes, size_t count, void *into, size_t room, int level);
/// Expects that the bytes are exactly one stream, and fill `room` exactly.
size_t cdeflate_expand(const void *bytes, size_t count, void *into, size_t room);
/// CRC-32, as in gzip and PNG.
uint32_t cdeflate_checksum(const void *bytes, size_t count);
