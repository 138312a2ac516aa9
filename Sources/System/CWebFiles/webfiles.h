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

/// A room that has a page, at "/" and its id.
typedef struct {
  const char *id;
  /// A line about it, in English.
  const char *about;
  /// The same in German.
  const char *about_german;
  /// Its name in English and German.
  const char *name;
  const char *name_german;
  /// Its page for pictures that a phone's share sheet hands over, empty if it has none.
  const char *share;
  /// 1 if it has a part of the owner's form, at /settings/ID; else 0.
  int has_settings;
  /// 1 if only those with a right of its own see it; else 0.
  int is_for_few;
} webfiles_room;

extern const webfiles_file *const webfiles;
extern const size_t webfiles_count;
/// In the order in which they say that they stand.
extern const webfiles_room *const webfiles_rooms;
extern const size_t webfiles_room_count;
