#pragma once
#include <stddef.h>
#include <zlib.h>

/// deflateInit2 and inflateInit2 are macros, which Swift does not see. 15 + 16: a gzip header and trailer.
static inline int czlib_deflate_gzip_init(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
static inline int czlib_inflate_gzip_init(z_stream *stream) { return inflateInit2(stream, 15 + 16); }
