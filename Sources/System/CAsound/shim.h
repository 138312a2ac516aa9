#pragma once
#include <alsa/asoundlib.h>

static inline void casound_ignore(
    const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

/// Keeps ALSA from writing to standard error; its handler of errors is variadic.
static inline void casound_keep_quiet(void) { snd_lib_error_set_handler(casound_ignore); }
