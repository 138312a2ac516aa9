import CLinux

/// Gives the system back what the allocator keeps free. For the end of a rare piece of work that needed much: it takes
/// up to some milliseconds, so not on an event loop.
public func releaseFreeMemory() { clinux_release_memory() }
