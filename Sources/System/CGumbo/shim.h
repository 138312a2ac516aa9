#pragma once
#include <gumbo.h>

/// kGumboDefaultOptions holds function pointers, so Swift does not allow reading it from any thread.
static inline GumboOptions cgumbo_default_options(void) { return kGumboDefaultOptions; }
