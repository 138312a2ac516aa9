import CLinux

/// Gives the system back what the allocator keeps free. For the end of a rare piece of work that needed much: it takes
/// up to some milliseconds, so not on an event loop.
public func releaseFreeMemory() { clinux_release_memory() }

/// Has large blocks given back as soon as they are free. The allocator otherwise learns from the first of them that was
/// freed to keep such blocks, up to 32 MB in each of its arenas (mallopt(3), M_MMAP_THRESHOLD). To be called once,
/// first of all.
public func keepNoLargeBlocks() { clinux_keep_no_large_blocks() }
