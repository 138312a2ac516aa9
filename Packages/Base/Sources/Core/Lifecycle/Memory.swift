import CLinux

/// Returns the allocator's free memory to the system. To be called after rare work that needed much memory; it takes up
/// to some milliseconds, so not on an event loop.
public func releaseFreeMemory() { clinux_release_memory() }

/// Unmaps what only the start needed of the program's code and its libraries'. To be called once, when it is over: what
/// is used afterwards is mapped again, in some microseconds each time.
public func releaseCode() { clinux_release_code() }

/// Has large blocks returned to the system as soon as they are freed. By default the allocator raises its threshold
/// when the first large block is freed, and then keeps up to 32 MB in each of its arenas (mallopt(3),
/// M_MMAP_THRESHOLD). To be called once, before all else.
public func keepNoLargeBlocks() { clinux_keep_no_large_blocks() }
