#include "memoryview.h"
#if !__has_include("memoryview-packed.h")
#error "The memory graph's page is not packed yet: run bin/build in Packages/MemoryGraph"
#endif
#include "memoryview-packed.h"

const unsigned char *const memoryview_page = packed;
const size_t memoryview_page_count = sizeof packed;
