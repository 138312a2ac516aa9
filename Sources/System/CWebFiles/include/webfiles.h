#pragma once
#include <stddef.h>

/// One file of the web pages, as made by bin/pack-web.
typedef struct {
  /// The path at which it is served, such as "/ui.js".
  const char *path;
  /// The first 16 hexadecimal digits of the SHA-256 of its bytes before compression.
  const char *etag;
  /// gzip (RFC 1952).
  const unsigned char *bytes;
  size_t count;
  /// Bytes before compression.
  size_t plain_count;
} webfiles_file;

extern const webfiles_file *const webfiles;
extern const size_t webfiles_count;
