/// The reason why bytes from the network were refused. The connection cannot be used any further.
public enum WireFault: Error, Equatable, Sendable {
  case bareLineFeed
  case obsoleteFold
  case malformedRequestLine
  case malformedPseudoField
  case malformedField
  case targetTooLong
  case headTooLarge
  case tooManyFields
  case unsupportedVersion
  case missingHost
  case repeatedHost
  case malformedHost
  case malformedLength
  case conflictingLength
  case unsupportedTransferCoding
  case malformedChunk

  /// The HTTP status for this fault (RFC 9110 section 15.5, RFC 6585).
  public var status: Int {
    switch self {
    case .targetTooLong: 414
    case .headTooLarge, .tooManyFields: 431
    case .unsupportedVersion: 505
    case .unsupportedTransferCoding: 501
    default: 400
    }
  }

  /// The fault and what is accepted.
  public var explanation: String {
    switch self {
    case .bareLineFeed: "A line ends in a line feed alone; CR LF is needed."
    case .obsoleteFold: "A field continues on the next line; one line a field is accepted."
    case .malformedRequestLine: "The request line is malformed; METHOD TARGET HTTP/1.1 is accepted."
    case .malformedPseudoField:
      "A pseudo field is malformed; :method, :scheme http or https, :authority without a user and :path are accepted."
    case .malformedField: "A header field is malformed; NAME: VALUE without control characters is accepted."
    case .targetTooLong: "The request's target is too long; \(WireLimits.headBytes) bytes are accepted."
    case .headTooLarge: "The request's head is too large; \(WireLimits.headBytes) bytes are accepted."
    case .tooManyFields: "The request has too many header fields; \(WireLimits.fields) are accepted."
    case .unsupportedVersion: "This HTTP version is not spoken here; HTTP/1.0 and HTTP/1.1 are."
    case .missingHost: "The Host field is missing; HTTP/1.1 needs one."
    case .repeatedHost: "There is more than one Host field, or it differs from :authority; one is accepted."
    case .malformedHost: "The Host field is malformed; HOST or HOST:PORT is accepted."
    case .malformedLength: "Content-Length is not one number of bytes."
    case .conflictingLength: "Content-Length stands beside Transfer-Encoding; one of them is accepted."
    case .unsupportedTransferCoding: "This Transfer-Encoding is not spoken here; chunked is."
    case .malformedChunk: "A chunk is malformed; a hexadecimal size and CR LF are needed."
    }
  }
}

/// The limits of this module.
public enum WireLimits {
  /// Bytes of a request's line and fields together: as much as nginx allows (4 × 8 KB, large_client_header_buffers).
  public static let headBytes = 32 << 10
  /// Header fields of one request, as Apache's LimitRequestFields.
  public static let fields = 100
  /// Bytes of one chunk's size line with its extensions, and of all trailer fields together.
  public static let chunkLineBytes = 256
  public static let trailerBytes = 8 << 10
  /// Digits of a Content-Length, so that it fits in 63 bits.
  public static let lengthDigits = 18
  /// Hexadecimal digits of a chunk's size.
  public static let chunkDigits = 12
  /// Open requests of one HTTP/2 connection: RFC 9113 section 6.5.2 advises at least 100; nginx allows 128.
  public static let concurrentStreams = 128
  /// Bytes of request bodies that may be unread, of a stream and of a connection. All that is unread counts for both,
  /// so the connection's bounds the memory however many streams there are. nghttp2 gives it back by halves: a page
  /// sends two uploads at once, and while both wait unread for their turn, its other requests need one half. A stream
  /// reaches 5 MB/s over a round trip of 50 ms.
  public static let streamWindowBytes = 256 << 10
  public static let connectionWindowBytes = 1 << 20
  /// Streams that a client may reset at once, and then each second; more is the attack Rapid Reset (CVE-2023-44487).
  /// Ten full sets of streams, and nghttp2's own rate: a client that leaves a page resets its open streams.
  public static let streamResets = 1000
  public static let streamResetsPerSecond = 33
  /// Streams that a client may break, in excess of those that end well; more is the attack MadeYouReset
  /// (CVE-2025-8671). Two full sets: one may be refused before the client knows the limit.
  public static let brokenStreams = 256
  /// Replies to PING and SETTINGS that may wait because the peer does not read them (CVE-2019-9512, CVE-2019-9515).
  public static let outboundAcks = 1000
  /// Entries of one SETTINGS frame; only seven are defined (CVE-2020-11080).
  public static let settingsEntries = 32
  /// CONTINUATION frames after one HEADERS, as nghttp2 counts them (CVE-2024-28182): once for each read in which a part
  /// of a frame's nine header bytes comes. So this allows four frames, twice what a head needs, however they are cut.
  public static let continuationPieces = 4 * 9
  /// Requests under way on one connection of a client: what Apple's push service allows at most, and others less.
  public static let clientStreams = 1_000
  /// Bytes of an answer's fields and of its body that a client takes over HTTP/2, where it expects a few words; and of
  /// the reason that a server gives with GOAWAY.
  public static let answerFieldBytes = 16 << 10
  public static let answerBodyBytes = 64 << 10
  static let debugBytes = 200
  /// Bytes of one WebSocket message, all of its frames together. Pusher's own limit is 10 KB of data.
  public static let messageBytes = 64 << 10
  /// Bytes by which a message may grow when it is compressed and does not shrink.
  public static let deflateOverheadBytes = 1 << 10
  /// The window of our compression: 4 KB, which takes 32 KB of memory while compressing, and is the one that clients
  /// request most (Python's websockets). An offer with a smaller one is declined.
  public static let deflateWindowBits = 12
  /// Bytes inflated at a time.
  public static let inflatePieceBytes = 16 << 10
  /// The smallest message that is compressed, in bytes. Measured: an event of 127 bytes shrinks by 20, one of 255 by
  /// 66; compressing takes 3 to 4 µs, once for all receivers.
  public static let deflateFromBytes = 128
  /// The most values of one JSON text, unless its reader sets another limit. They take up to 30 MB while they are read.
  /// A body of 64 KB has 32,000 at most; a person's favourites, the longest list that is sent, about as many.
  public static let jsonValues = 100_000
  /// Bytes of one decompressed gzip stream.
  public static let inflatedBytes = 64 << 20
}
