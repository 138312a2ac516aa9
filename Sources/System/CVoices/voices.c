#include "voices.h"
#if !__has_include("voices-packed.h")
#error "The voices are not made yet: run bin/make-voices, or bin/build"
#endif
#include "voices-packed.h"

const voices_voice *const voices = packed;
const size_t voices_count = sizeof packed / sizeof *packed;
