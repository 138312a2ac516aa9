#pragma once
// Memory that will be read soon: a hint to the processor, which Swift has no word for.

static inline void cprefetch_read(const void *place) { __builtin_prefetch(place); }
