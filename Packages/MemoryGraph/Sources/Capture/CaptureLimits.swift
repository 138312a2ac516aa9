/// The ends of what capture waits for and reads.
enum CaptureLimits {
  /// Seconds until all threads have to stand still: those that do, wait for the others. One that waits for a dead disk,
  /// or for the end of its vfork(2), does not stop; then all run on, and it is tried again.
  static let stopSeconds = 0.2
  static let stopAttempts = 5
  /// Milliseconds between two attempts.
  static let stopPause: Int32 = 100
  /// Milliseconds between two looks at threads that did not stop, to let them go when they have.
  static let latePause: Int32 = 10
  /// Seconds until the twin has to be there and the thread that made it back in its place.
  static let twinSeconds = 10.0
  /// Seconds until a program has to come that is called for a look, where nobody may trace it.
  static let callSeconds = 2.0
  /// How often the C library of a program that has only just started is looked for, and milliseconds in between: the
  /// loader needs one or two.
  static let libraryAttempts = 10
  static let libraryPause: Int32 = 10
  /// Nanoseconds between two looks, should the signal that tells of a stop be missed.
  static let lookPause = 20_000_000
  /// A file of /proc is never larger than this: 100,000 mappings of 200 bytes.
  static let procFileBytes = 64 << 20
  /// No program or library has more variables than this.
  static let variableBytes: UInt64 = 256 << 20
  /// Memory without rights that is larger was only set aside: no heap has it.
  static let protectedBytes: UInt64 = 1 << 30
  /// Of what a program keeps from its children so much is copied while it stands still: two milliseconds.
  static let keptBytes: UInt64 = 8 << 20
  /// Bytes of a copy that are kept whatever is in them; of a larger one, only what may refer to something.
  static let wholeBytes: UInt64 = 128 << 20
  /// Bytes of a larger one that are looked at together: they fit into a processor's cache.
  static let pieceBytes = 1 << 20
  /// Rings in the heap's own lists are broken off behind so many steps: the heap is corrupted, or a loop.
  static let arenas = 1024
  static let freeListLength = 16 << 20
}
