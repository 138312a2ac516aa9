#pragma once
#include <archive.h>
#include <archive_entry.h>

/// AE_IFREG is a cast, which Swift does not import.
static inline void carchive_set_regular_file(struct archive_entry *entry) {
  archive_entry_set_filetype(entry, AE_IFREG);
}
static inline int carchive_is_folder(struct archive_entry *entry) {
  return archive_entry_filetype(entry) == AE_IFDIR;
}
static inline int carchive_is_regular_file(struct archive_entry *entry) {
  return archive_entry_filetype(entry) == AE_IFREG;
}
