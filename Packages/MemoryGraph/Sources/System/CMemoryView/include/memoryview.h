#pragma once
#include <stddef.h>

/// The page that shows a memory graph, as bin/pack-view put it together from Sources/Report/View.
extern const unsigned char *const memoryview_page;
extern const size_t memoryview_page_count;
