/// The limits of this module.
public enum ServerLimits {
  /// Seconds for a request's head, from its first byte to its last.
  public static let headSeconds = 10.0
  /// The default limit of a body, in bytes. A route that accepts more admits its callers before the body is read.
  public static let bodyBytes = 64 << 10
  /// Seconds without a byte of an incomplete body.
  public static let bodySeconds = 30.0
  /// Seconds for a whole body, and the bytes that earn a streamed one a second more: 50 MB may take an hour over a slow
  /// line. Apache's mod_reqtimeout works alike.
  public static let wholeBodySeconds = 300.0
  static let slowestBody = 16_384.0
  /// Seconds for a handler; then the client gets an error, and a later response is discarded.
  public static let handlerSeconds = 60.0
  /// Seconds until the handler of a streamed body must ask for its first byte. Uploads wait in line and hold nothing
  /// but a connection meanwhile: a thousand photos at once take some minutes on a small machine.
  public static let lineSeconds = 600.0
  /// Seconds an idle connection is kept, as nginx's keepalive_timeout.
  public static let idleSeconds = 75.0
  /// The same for one of a trusted proxy: longer than these keep theirs (Traefik and cloudflared 90 s, Caddy 120 s), so
  /// that none sends a request on one that is just being closed, which its client would be told as 502.
  public static let proxyIdleSeconds = 180.0
  /// Seconds in which a peer must have read at least a byte of the output.
  public static let sendSeconds = 30.0
  /// Seconds of silence after which a WebSocket is pinged, and seconds for its reply: many web servers in front cut a
  /// line that is silent for a minute (nginx, Apache, Synology's) or for 50 s (HAProxy, as Debian sets it up), and
  /// clients of Pusher ping after two minutes.
  public static let pingSeconds = 45.0
  public static let pongSeconds = 30.0
  /// Seconds for one message over a WebSocket, from the first byte of its text to the last: 64 KB at 9 kbit/s.
  public static let messageSeconds = 60.0
  /// Seconds between two checks of the connections' deadlines.
  static let sweepSeconds = 1.0
  /// Seconds and bytes for which a refused peer's input is discarded (as nginx's lingering_close).
  public static let lingerSeconds = 3.0
  static let lingerBytes = 8 << 20
  /// Bytes of memory that unread responses of a connection may hold before a further request of it is begun: four
  /// responses as large as a page's largest file.
  static let unreadBytes = 256 << 10
  /// Bytes that unread responses to one address may hold: 64 full connections. A whole club may share one address; its
  /// responses normally fit the sockets' own buffers, and are held here when clients stop reading.
  public static let addressUnreadBytes = 16 << 20
  /// Bytes that all unread responses may hold: the hub is to run on a machine with 512 MB.
  public static let allUnreadBytes = 64 << 20
  /// Bytes of unfinished request bodies that one known caller may keep in memory, on all connections together: three
  /// of the largest, since several devices may send at once what they have kept.
  static let callerBodyBytes = 24 << 20
  /// Bytes of unfinished request bodies of all known callers.
  static let allBodyBytes = 64 << 20
  /// The default limit of open connections of one address: enough for a large household or an office. Each event stream
  /// over HTTP/2 is one more. Streams and sockets of signed-in callers do not count.
  public static let connectionsPerAddress = 256
  /// The rate of writes. A stranger's write ends with 401 or signs a device in, and a whole course may join from one
  /// address in an evening. A member makes two a second by hand, a program reports a door and some sensors; the limit
  /// stops loops that have gone wrong, or that fill the disk.
  static let writes = RouteRate(
    "writes", strangers: Rate(burst: 500, perSecond: 10), known: Rate(burst: 2_000, perSecond: 100))
  /// The rate of requests that need computing: a page makes three when it is opened, and two hundred phones behind one
  /// address may open it at once. Each costs up to some milliseconds.
  static let questions = RouteRate(
    "questions", strangers: Rate(burst: 600, perSecond: 20), known: Rate(burst: 600, perSecond: 50))
  /// The most callers whose rates are remembered, some hundred bytes each: as many as can be connected.
  static let rateCallers = 20_000
  /// Seconds for which a rate is remembered: by then the slowest bucket is full again.
  static let rateSeconds = 60.0
  /// Bytes that may wait for one WebSocket; a reader further behind is dropped.
  public static let socketQueueBytes = 256 << 10
  /// Bytes that may wait on an HTTP connection before its next request is read, or a streamed response continues.
  static let pipelineBytes = 256 << 10
  /// Answers over HTTP/2 that are sent before the next requests of the same turn are read. With all of them in one
  /// piece, both sides waited for each other in turns (measured).
  static let answersTogether = 8
  /// Bytes of HTTP/2 frames waiting for the socket; more are made when it has taken these.
  static let framesBytes = 64 << 10
  /// Bytes of incomplete request bodies that one HTTP/2 connection may keep in memory on routes that are open to all.
  static let collectedBytes = 1 << 20
  /// Bytes of a streamed request body waiting for its handler; then the client is not read from.
  static let bodyQueueBytes = 128 << 10
  /// Bytes up to which pieces of a streamed request body are joined.
  static let crumbBytes = 16 << 10
  /// Bytes of a file that are checked in the page cache, or read from the disk, at a time.
  static let fileWindowBytes = 1 << 20
  /// Bytes of a file sent in one turn, so that a fast reader does not hold up the others.
  static let fileTurnBytes = 2 << 20
  /// The largest file, in bytes, that is checked in the page cache as a whole, and the seconds for which the result is
  /// used. Checking costs as much as sending a twelfth of the file; if the result is outdated, the loop waits for the
  /// disk.
  static let wholeFileBytes = 16 << 20
  static let cachedSeconds = 2.0
  /// Bytes read from a file at a time where they must pass through the program: TLS and HTTP/2.
  static let filePieceBytes = 128 << 10
  /// Bytes of a piece when a connection's streams have little room left.
  static let smallPieceBytes = 4 << 10
  /// Bytes decompressed at a time for a client that does not accept gzip.
  package static let unpackedPieceBytes = 32 << 10
  /// Such pieces of all clients that are decompressed in one turn: about a millisecond, in which all others wait.
  package static let unpackedTogether = 16
  /// Bytes of one TLS record (RFC 8446 section 5.1).
  static let recordBytes = 16 << 10
  /// Seconds between two comments on a quiet event stream, as the HTML standard suggests (section 9.2.7): proxies keep
  /// it open, and a client that has left is noticed.
  public static let eventCommentSeconds = 15.0
  /// Bytes of one read.
  static let readBytes = 64 << 10
  /// Bytes of input of one connection handled in one turn, WebSocket messages counted after decompression: some
  /// milliseconds, in which all others wait.
  static let turnBytes = 64 << 10
  /// Pipelined requests of one connection that are begun before others have their turn: a read brings a thousand, and
  /// an answer can cost far more than its request's bytes.
  package static let requestsTogether = 64
  /// The largest body, in bytes, that is copied behind its head to share a packet.
  static let inlineBodyBytes = 32 << 10
  /// Connections waiting to be accepted.
  static let backlog: Int32 = 4096
  /// Seconds without accepting after the descriptors ran out.
  static let acceptPauseSeconds = 0.5
  /// The most open connections on all loops. Each has a descriptor; the hub raises its limit of descriptors
  /// accordingly.
  public static let connections = 20_000
  /// While not more than this part of all connections is free, this part of a loop's idle ones is ended with each
  /// sweep. Both as nginx's `ngx_drain_connections`.
  static let freePart = 16
  static let endedPart = 8
  /// While so few are free, a network (IPv6: a /48) with so many has no more, and those of its slow ones and listeners
  /// that are beyond them have to go: what two browsers open. Sockets of signed-in callers do not count.
  static let crowd = 16
  /// A peer whose turn it is, to send or to read, is slow if it moves fewer bytes than these in so many seconds. A
  /// phone on the slowest of networks (EDGE) moves ten times as many.
  static let slowSeconds = 10.0
  static let slowBytes = 8 << 10
  /// Descriptors reserved for the store, for files and for outgoing connections.
  static let spareDescriptors = 1_000
  /// The descriptors needed: one for each connection, and those of the store, the loops and files.
  public static let descriptors = connections + 1_000
  /// Seconds that an HTTP/2 connection without requests stays open after GOAWAY.
  static let farewellSeconds = 1.0
  /// Seconds after which a client that has closed its side and has no response yet counts as gone.
  static let leaveSeconds = 1.0
  /// Seconds that a closing server waits for the responses under way.
  public static let closeSeconds = 10.0
}
