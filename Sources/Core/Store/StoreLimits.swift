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

  /// Lookups answered in one transaction. Each takes some microseconds, so that nobody waits long for the others.
  static let lookupsAtOnce = 256

  /// Seconds to wait for another process that is writing, such as a command beside a running hub.
  static let busySeconds = 10

  /// Seconds to wait for others who have the database open, when it has to be replaced, or who are replacing it.
  static let lockSeconds = 5.0
  /// Seconds between two looks at a lock.
  static let lockPause = 0.02

  /// Bytes of the largest blob that is kept in the database. SQLite reads those below about 100 KB faster than files
  /// (sqlite.org/intern-v-extern-blob.html); a smaller bound keeps commits short, since they write each byte twice.
  package static let smallBlobBytes = 64 << 10

  /// Threads that write uploads.
  static let blobThreads = 2

  /// Files taken away in one transaction: a rename each, so others wait for a few milliseconds at most.
  static let removalsPerCommit = 100

  /// Bytes read at a time from what is checked or copied: enough for a disk to be at full speed.
  static let pieceBytes = 256 << 10

  /// Rows of blobs looked at in one transaction, so that the log can be folded in meanwhile: at most 3 MB of bytes.
  static let rowsPerLook = 48

  /// Pages copied between two words about the progress: 4 MB.
  static let pagesPerStep: Int32 = 1024

  /// Bytes of a backup's manifest that are read into memory: 150 for each large blob, so some 400,000 of them.
  static let manifestBytes = 64 << 20
}
