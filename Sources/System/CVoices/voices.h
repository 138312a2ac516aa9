#pragma once
#include <stddef.h>

/// A part within the sound of a voice, as made by bin/make-voices.
typedef struct {
  /// Its name, such as "12" or "AM".
  const char *name;
  size_t start;
  size_t frames;
} voices_part;

/// A voice that the program brings along: all its parts one after the other, as one FLAC file.
typedef struct {
  /// "en" or "de".
  const char *language;
  const unsigned char *bytes;
  size_t count;
  const voices_part *parts;
  size_t part_count;
} voices_voice;

extern const voices_voice *const voices;
extern const size_t voices_count;
