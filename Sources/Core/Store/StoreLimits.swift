/// The store's limits, each with its reason.
package enum StoreLimits {
  /// Writes that share one sync. A full batch of small ones takes a few milliseconds, so that nobody in it waits long
  /// for the others; and as many as connections a small hub has at the same time.
  package static let writesPerCommit = 256

  /// Seconds that a batch waits for the writers of the one before, who are likely to come again. They need this long to
  /// get their answers and ask anew; somebody who writes alone never waits.
  static let gatherSeconds = 0.002

  /// Seconds after a batch in which its writers are expected back; later ones are other people.
  static let gatherMemorySeconds = 0.02

  /// Connections that read, each with a thread. Questions are short; this many slow ones at once are rare, and a
  /// connection takes up to 2 MB of cache.
  package static let readers = 4

  /// Seconds to wait for another process that is writing, such as a command beside a running hub.
  static let busySeconds = 10
}
