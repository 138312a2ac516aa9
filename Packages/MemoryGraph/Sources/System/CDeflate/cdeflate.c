#include "cdeflate.h"

#include <zlib.h>

size_t cdeflate_bound(size_t count) { return compressBound(count); }

size_t cdeflate_compress(const void *bytes, size_t count, void *into, size_t room, int level) {
  uLongf written = room;
  return compress2(into, &written, bytes, count, level) == Z_OK ? written : 0;
}

size_t cdeflate_expand(const void *bytes, size_t count, void *into, size_t room) {
  uLongf written = room;
  uLong taken = count;
  return uncompress2(into, &written, bytes, &taken) == Z_OK && taken == count && written == room ? room : 0;
}

uint32_t cdeflate_checksum(const void *bytes, size_t count) {
  return (uint32_t)crc32_z(crc32(0, NULL, 0), bytes, count);
}
