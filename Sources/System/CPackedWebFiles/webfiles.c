#include "webfiles.h"
#if !__has_include("webfiles-packed.h")
#error "The web files are not packed yet: run bin/build"
#endif
#include "webfiles-packed.h"

const webfiles_file *const webfiles = packed;
const size_t webfiles_count = sizeof packed / sizeof *packed;
const webfiles_room *const webfiles_rooms = packed_rooms;
const size_t webfiles_room_count = sizeof packed_rooms / sizeof *packed_rooms;
