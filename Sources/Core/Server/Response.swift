public import Wire

/// A request with its body, as a handler gets it.
public struct Request: Sendable {
  public var head: RequestHead
  public var body: [UInt8]
  /// What stood in the place of the braces of the route's path, decoded.
  public var parameters: [String: String]
  /// The other end's address, without its port.
  public var peer: String

  public init(head: RequestHead, body: [UInt8] = [], parameters: [String: String] = [:], peer: String = "") {
    self.head = head
    self.body = body
    self.parameters = parameters
    self.peer = peer
  }

  /// The query's values by their names; the last one counts if a name comes twice.
  public var query: [String: String] {
    var values: [String: String] = [:]
    for part in head.query?.split(separator: "&") ?? [] {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = percentDecoded(pair[0], plusIsSpace: true) else { continue }
      values[name] = pair.count > 1 ? percentDecoded(pair[1], plusIsSpace: true) ?? "" : ""
    }
    return values
  }

  /// The body as JSON.
  public func json() throws(HTTPError) -> JSON {
    do throws(JSONError) {
      return try JSON(parsing: body)
    } catch {
      throw HTTPError(
        .invalidJSON, "The body is no JSON: line \(error.line), column \(error.column): \(error.message)",
        help: "Send one JSON value in UTF-8.")
    }
  }
}

/// An answer.
public struct Response: Sendable {
  public struct Field: Hashable, Sendable {
    public var name: String
    public var value: String
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }

    /// Pages of other sites may read this answer (CORS): for what is public anyway. Directories of hackerspaces read
    /// it so.
    public static let anyOrigin = Field("Access-Control-Allow-Origin", "*")
  }

  /// Bytes that are part of the program and never go away.
  public struct FixedBytes: @unchecked Sendable {
    public let bytes: UnsafeBufferPointer<UInt8>
    public init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }
  }

  public enum Body: Sendable {
    case bytes([UInt8])
    case fixed(FixedBytes)

    public var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .fixed(let fixed): fixed.bytes.count
      }
    }
  }

  public var status: Int
  public var contentType: String
  /// A strong entity tag without its quotes; the server answers 304 by it.
  public var etag: String?
  public var cacheControl: String
  public var fields: [Field]
  public var body: Body

  /// - Parameter cacheControl: "no-cache" lets a client keep the answer, and asks it to check the tag every time.
  public init(
    status: Int = 200, contentType: String, body: Body, etag: String? = nil, cacheControl: String = "no-cache",
    fields: [Field] = []
  ) {
    self.status = status
    self.contentType = contentType
    self.body = body
    self.etag = etag
    self.cacheControl = cacheControl
    self.fields = fields
  }

  public init(status: Int = 200, json: JSON, etag: String? = nil, fields: [Field] = []) {
    self.init(
      status: status, contentType: "application/json", body: .bytes(json.bytes), etag: etag,
      fields: fields)
  }

  /// A tag for bytes made at run time: a prefix of their SHA-256.
  public static func etag(of bytes: [UInt8]) -> String { Digest.hex(Digest.sha256(bytes).prefix(8)) }
}
