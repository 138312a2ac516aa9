#pragma once
#include <gumbo.h>

/// kGumboDefaultOptions holds function pointers, so Swift does not let a constant of it be read from any thread.
static inline GumboOptions cgumbo_default_options(void) { return kGumboDefaultOptions; }
