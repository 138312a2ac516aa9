#pragma once
#include <stddef.h>
#include <zlib.h>

/// deflateInit, deflateInit2 and inflateInit2 are macros, which Swift does not import. 15 + 16: a gzip header and
/// trailer.
static inline int czlib_deflate_gzip_init(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
static inline int czlib_deflate_init(z_stream *stream, int level) { return deflateInit(stream, level); }
static inline int czlib_inflate_gzip_init(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

/// Negative window bits: DEFLATE alone, as RFC 7692 demands.
static inline int czlib_deflate_raw_init(z_stream *stream, int level, int window_bits, int memory_level) {
  return deflateInit2(stream, level, Z_DEFLATED, -window_bits, memory_level, Z_DEFAULT_STRATEGY);
}
static inline int czlib_inflate_raw_init(z_stream *stream) { return inflateInit2(stream, -15); }
