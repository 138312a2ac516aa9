#pragma once
#include <stddef.h>

/// The page that shows a memory graph, made by bin/pack-view from Sources/Report/View.
extern const unsigned char *const memoryview_page;
extern const size_t memoryview_page_count;
