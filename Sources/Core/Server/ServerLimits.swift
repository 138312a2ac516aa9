/// The limits of this module.
public enum ServerLimits {
  /// Seconds a request's head may take from its first byte to its last.
  public static let headSeconds = 10.0
  /// Bytes of a body that anybody may send; a route that takes more says who may call it, and is asked that before.
  public static let bodyBytes = 64 << 10
  /// Seconds without a byte of a body that is due.
  public static let bodySeconds = 30.0
  /// Seconds for the whole of a body, and the bytes a second that buy a streamed one more: 50 MB may take an hour over
  /// a slow line, as Apache's mod_reqtimeout has it.
  public static let wholeBodySeconds = 300.0
  static let slowestBody = 16_384.0
  /// Seconds a handler may take; then the client is told, and what comes later is thrown away.
  public static let handlerSeconds = 60.0
  /// Seconds an idle connection is kept, as nginx's keepalive_timeout.
  public static let idleSeconds = 75.0
  /// Seconds in which a peer must have taken at least a byte of what is sent.
  public static let sendSeconds = 30.0
  /// Seconds of silence after which a WebSocket is pinged, and then those in which it must stir (Pusher's own values).
  public static let pingSeconds = 120.0
  public static let pongSeconds = 30.0
  /// Seconds between two looks at the connections' deadlines.
  static let sweepSeconds = 1.0
  /// Seconds and bytes for which a refused peer's remaining request is thrown away (as nginx's lingering_close).
  public static let lingerSeconds = 3.0
  static let lingerBytes = 8 << 20
  /// Bytes of memory that a connection may hold with answers that it does not take, before a further request of it is
  /// begun: four of the size of a page's largest file.
  static let unreadBytes = 256 << 10
  /// Bytes that all connections of one address may hold so: 64 that are full. Behind one address may be a whole club;
  /// but what its phones load goes to them through the sockets' own buffers, and is held here when they stop reading.
  public static let addressUnreadBytes = 16 << 20
  /// Bytes that all connections together may hold so: the hub shall run on a machine with 512 MB.
  public static let allUnreadBytes = 64 << 20
  /// Connections that one address may have open, unless the settings say otherwise: what a large household, or an
  /// office, needs. Sockets of those who are signed in do not count.
  public static let connectionsPerAddress = 256
  /// How often one may write. A stranger's write ends at 401 or signs a device in: a whole course may join from one
  /// address in an evening. A member's thumb makes two a second, a program reports a door and some sensors; what is
  /// held back is a loop that has gone wrong, or that fills the disk.
  static let writes = RouteRate(
    "writes", strangers: Rate(burst: 500, perSecond: 10), known: Rate(burst: 2_000, perSecond: 100))
  /// How often one may ask what has to be worked out: a page asks three such questions when it is opened, and two
  /// hundred phones behind one address may open it at once. Each costs up to some milliseconds.
  static let questions = RouteRate(
    "questions", strangers: Rate(burst: 600, perSecond: 20), known: Rate(burst: 600, perSecond: 50))
  /// Callers whose rates are remembered, some hundred bytes each: as many as can be connected.
  static let rateCallers = 20_000
  /// Seconds for which they are: the slowest of the rates is whole again by then.
  static let rateSeconds = 60.0
  /// Bytes that may wait for one WebSocket; a reader that falls further behind is dropped.
  public static let socketQueueBytes = 256 << 10
  /// Bytes that may wait on an HTTP connection before its next request is read, or a streamed answer goes on.
  static let pipelineBytes = 256 << 10
  /// Bytes of HTTP/2 frames that wait for the socket; more are made when it has taken these.
  static let framesBytes = 64 << 10
  /// Bytes of bodies that one HTTP/2 connection may leave unfinished while they are kept in memory.
  static let collectedBytes = 1 << 20
  /// Bytes of a body that wait for a handler which reads it itself, before the client is not read from any more.
  static let bodyQueueBytes = 128 << 10
  /// Bytes up to which small pieces of such a body become one.
  static let crumbBytes = 16 << 10
  /// Bytes of a file that are looked up in the page cache, or read from the disk, at a time.
  static let fileWindowBytes = 1 << 20
  /// Bytes of a file that are sent in one go, so that one fast reader does not keep the others waiting.
  static let fileTurnBytes = 2 << 20
  /// Bytes of a file up to which it is looked up in the page cache as a whole, and seconds for which that is believed.
  /// Looking costs as much as sending a twelfth of it; should it be wrong, a reader waits for the disk.
  static let wholeFileBytes = 16 << 20
  static let cachedSeconds = 2.0
  /// Bytes of a file that are read at a time where they must come through the program: TLS and HTTP/2.
  static let filePieceBytes = 128 << 10
  /// Bytes of a piece where a connection's streams have little room left for each.
  static let smallPieceBytes = 4 << 10
  /// Bytes that are unpacked at a time for a client that takes no gzip.
  static let unpackedPieceBytes = 32 << 10
  /// Bytes that one TLS record holds (RFC 8446 section 5.1).
  static let recordBytes = 16 << 10
  /// Seconds between two comments on a quiet stream of events, as the HTML standard suggests (section 9.2.7), so that
  /// proxies keep it open and a client that is gone is noticed.
  public static let eventCommentSeconds = 15.0
  /// Bytes of one read.
  static let readBytes = 64 << 10
  /// Bytes of one connection that are worked on in one turn, those of a WebSocket's messages as they are when they are
  /// unfolded: some milliseconds, in which all others wait.
  static let turnBytes = 64 << 10
  /// Bodies up to this size are copied behind their head, so that both leave in one packet.
  static let inlineBodyBytes = 32 << 10
  /// Connections waiting to be accepted.
  static let backlog: Int32 = 4096
  /// Seconds without accepting after the descriptors have run out.
  static let acceptPauseSeconds = 0.5
  /// Connections open at once, on all loops. Each has a descriptor; the hub asks Linux for as many as it may have.
  public static let connections = 20_000
  /// Descriptors that are left for the store, for files and for what the hub asks others.
  static let spareDescriptors = 1_000
  /// Descriptors: one for each connection, and what the store, the loops and files need.
  public static let descriptors = connections + 1_000
  /// Seconds in which an HTTP/2 connection without requests may hear that no more are wanted.
  static let farewellSeconds = 1.0
  /// Seconds after the end of what a client sends, after which it counts as gone if its question has no answer yet.
  static let leaveSeconds = 1.0
  /// Seconds a closing server waits for the answers under way.
  public static let closeSeconds = 10.0
}
