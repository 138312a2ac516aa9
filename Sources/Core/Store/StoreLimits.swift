/// The store's limits, each with its reason.
package enum StoreLimits {
  /// The most writes that share one sync: as many as a small hub has connections. Such a batch of small writes takes a
  /// few milliseconds, so nobody in it waits long.
  package static let writesPerCommit = 256

  /// Seconds that a batch waits for the writers of the previous one, who are likely to write again: so long it takes
  /// them to get their answers and send the next write. A single writer never waits.
  static let gatherSeconds = 0.002

  /// Seconds after a batch in which its writers are expected again.
  static let gatherMemorySeconds = 0.02

  /// Connections for reading, each with a thread. Queries are short, so this many slow ones at once are rare; a
  /// connection takes up to 2 MB of cache.
  package static let readers = 4

  /// Seconds for which a reader rests that the server did not let in, so that it asks rarely. A call that has waited
  /// for longer than that fails.
  static let restSeconds = 2.0

  /// Statements with a text made at run time that a connection keeps compiled, and the longest text of one that is
  /// kept: a compiled one has some ten times the bytes of its text.
  static let madeStatements = 32
  static let madeStatementBytes = 2_000

  /// Steps of SQLite's machine between two looks at the clock: well below a millisecond, but where each reads a long
  /// JSON text.
  static let stepsPerLook: Int32 = 1_000

  /// The oldest PostgreSQL that is tried: Debian 12's.
  static let serverVersion: Int32 = 15_00_00

  /// The time a server may be silent: libpq's options, in seconds, and the last one in milliseconds. Without them a
  /// connection whose other end is gone without a word, as when a network is cut, would be waited for a quarter of an
  /// hour.
  static let serverPatience = [
    ("connect_timeout", "5"), ("keepalives_idle", "3"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
    ("tcp_user_timeout", "9000"),
  ]

  /// Milliseconds in which a server that has let the hub in has to answer its first statement; libpq would wait on.
  static let firstAnswerMilliseconds: Int32 = 5_000

  /// Statements sent to a server without reading their results, which both sides have to keep until then.
  static let statementsUnderWay = 512

  /// Statements that leave for a server together, and the first ones of a transaction.
  static let statementsTogether = 32
  static let firstStatements = 6

  /// Rows, and their bytes, that a move writes in one transaction: so much is copied again after it was cut short.
  static let movedRows = 5_000
  static let movedBytes = 4 << 20

  /// Rows of a large result that a server sends at a time.
  static let rowsPerFetch = 256

  /// Milliseconds between two looks whether a query on a server is late.
  static let lookMilliseconds: Int32 = 20

  /// Milliseconds without a word of a server after which it is tried whether it answers others, and again.
  static let silentMilliseconds: Int32 = 3_000

  /// The seconds of such a try: less than a transaction may stand still (`ServerDialect.session`), for its statement
  /// may end meanwhile. And the tries without an answer after which a server is given up: one may fail where the way
  /// loses something or the machine is busy, and hours of a migration would be lost with it. So a caller waits ten
  /// seconds, about as long as for a server that is gone.
  static let pingSeconds = "2"
  static let unanswered = 2

  /// The most lookups answered in one transaction. Each takes some microseconds, so none waits long for the others.
  static let lookupsAtOnce = 256

  /// Seconds to wait for another process that writes, such as a command beside a running hub.
  static let busySeconds = 10

  /// Seconds to wait for processes that have the database open when it has to be replaced, or that are replacing it.
  static let lockSeconds = 5.0
  /// Seconds between two attempts to take a lock.
  static let lockPause = 0.02

  /// The largest blob kept in the database, in bytes. SQLite reads blobs below about 100 KB faster than files
  /// (sqlite.org/intern-v-extern-blob.html); a smaller bound keeps commits short, since they write each byte twice.
  package static let smallBlobBytes = 64 << 10

  /// Uploads that have begun and not ended. Each has a row and a file, and those that nobody continues expire; a
  /// thousand guests may leave ten each.
  package static let unfinishedUploads = 10_000

  /// Objects that flow to a bucket at a time, and as many from it: enough for a fast line, and few files at once. An
  /// upload does not wait for films that are fetched, which can take longer than its client does.
  package static let objectsAtOnce = 8

  /// Seconds after which an object that no blob needs is removed from the bucket: until then a backup that was begun
  /// before finds it, and an upload of 5 GB over a slow line comes to its end.
  package static let objectGraceSeconds = 86_400.0

  /// Seconds for which an address past the hub is good: long enough to begin, and too short to be passed on.
  static let addressSeconds = 300

  /// The largest object that is sent by one request (Amazon S3 User Guide, "Uploading objects").
  static let objectBytes = 5_000_000_000

  /// Unfinished uploads whose checksums are in memory, some hundred bytes each: as many as may be sent at a time.
  package static let uploadStates = 512

  /// Bytes after which the disk begins to write an upload: as much as it writes in a tenth of a second.
  static let flushBytes = 8 << 20

  /// Bytes after which an upload is acknowledged although more is coming: so much is sent again after a crash, and a
  /// sync for each costs a fiftieth of the time.
  package static let checkpointBytes = 64 << 20

  /// Seconds after which a slow one is acknowledged: well within the hour for which one is kept of which nothing is.
  package static let checkpointSeconds = 600.0

  /// Bytes that tell the kind of a file: the first boxes of a video or a HEIC picture.
  static let beginningBytes = 64

  /// Threads that write uploads.
  static let blobThreads = 2

  /// The most files removed in one transaction: each is a rename, so others wait a few milliseconds at most.
  static let removalsPerCommit = 100

  /// Bytes read at a time when checking or copying: enough for a disk's full speed.
  static let pieceBytes = 256 << 10

  /// Rows of blobs read in one transaction, at most 3 MB, so that the log can be checkpointed in between.
  static let rowsPerLook = 48
  /// Objects of the bucket that are looked for with one query, as many as an object store lists at a time; those that
  /// are looked for in all, so that a look ends within a minute or two; and the missing ones that it names.
  static let objectsPerLook = 1_000
  static let objectsLookedFor = 500_000
  static let lostExamples = 5
  /// Names of a damaged blob that are told.
  static let namesTold = 20

  /// Pages of the write-ahead log, of 4 KB each: from so many on they are copied into the file beside the writer, the
  /// last ones by itself when they are so few, and all of them when there are so many.
  package static let logPages = 1_000
  package static let restPages = 250
  package static let mostLogPages = 32_000

  /// Pages copied between two reports of the progress: 4 MB.
  static let pagesPerStep: Int32 = 1024

  /// Backups from before migrations that are kept: of the last version, and of the one before it, in case that a fault
  /// is noticed late.
  static let migrationBackups = 2

  /// The largest manifest of a backup that is written, and read: 150 bytes for each large blob, so some seven million
  /// of them. Only a command reads one, and has it in memory.
  static let manifestBytes = 1 << 30
}
