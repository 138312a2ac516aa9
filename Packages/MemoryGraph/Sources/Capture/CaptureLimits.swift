enum CaptureLimits {
  /// Seconds for stopping all threads: the stopped ones wait for the others. A thread that waits for a dead disk, or
  /// for the end of its vfork(2), does not stop; then all continue, and it is tried again.
  static let stopSeconds = 0.2
  static let stopAttempts = 5
  /// Milliseconds between two attempts.
  static let stopPause: Int32 = 100
  /// Milliseconds between two checks of threads that did not stop, to release them once they have.
  static let latePause: Int32 = 10
  /// Seconds until the twin exists and the thread that made it is back in its place.
  static let twinSeconds = 10.0
  /// Seconds in which a program that is asked for a look, where tracing is forbidden, has to answer.
  static let callSeconds = 2.0
  /// The attempts to find the C library of a program that has just started, and the milliseconds in between: the loader
  /// needs one or two.
  static let libraryAttempts = 10
  static let libraryPause: Int32 = 10
  /// Nanoseconds between two checks, in case the signal of a stop is missed.
  static let lookPause = 20_000_000
  /// The largest file of /proc that is read: 100,000 mappings of 200 bytes.
  static let procFileBytes = 64 << 20
  /// The largest size of a program's or library's variables.
  static let variableBytes: UInt64 = 256 << 20
  /// Larger memory without access rights was only reserved: no heap is there.
  static let protectedBytes: UInt64 = 1 << 30
  /// Bytes that the program excludes from its children and that are copied while it is stopped: two milliseconds.
  static let keptBytes: UInt64 = 8 << 20
  /// The bytes of a copy that are kept as a whole; of a larger one, only pages that may contain references.
  static let wholeBytes: UInt64 = 128 << 20
  /// Bytes of a larger copy that are examined at a time: they fit into a processor's cache.
  static let pieceBytes = 1 << 20
  /// Bytes from which on the pages of a copy are made before they are written: the call itself costs a few pages.
  static let populatedBytes = 64 << 10
  /// The most steps through the heap's own lists; more mean that they are corrupted.
  static let arenas = 1024
  static let freeListLength = 16 << 20
}
