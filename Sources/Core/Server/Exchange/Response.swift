public import Wire

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
    /// These bytes of a file; they go from the disk to the socket without a stay in the program where that is possible.
    case file(OpenFile, Range<Int>)
    /// What is made, or comes, while it is sent.
    case stream(ResponseStream)

    /// Bytes; nil where nobody knows beforehand.
    public var count: Int? {
      switch self {
      case .bytes(let bytes): bytes.count
      case .fixed(let fixed): fixed.bytes.count
      case .file(_, let range): range.count
      case .stream(let stream): stream.length
      }
    }
  }

  public var status: Int { didSet { prepared = nil } }
  public var contentType: String { didSet { prepared = nil } }
  /// A strong entity tag without its quotes; the server answers 304 by it.
  public var etag: String? { didSet { prepared = nil } }
  public var cacheControl: String { didSet { prepared = nil } }
  public var fields: [Field] { didSet { prepared = nil } }
  public var body: Body { didSet { prepared = nil } }
  /// What HTTP/1.1 sends behind the Date, put together beforehand.
  private(set) var prepared: [UInt8]?

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

  /// The same answer, made ready for being given many times.
  public func ready() -> Response {
    guard case .bytes(let bytes) = body, bytes.count <= ServerLimits.inlineBodyBytes else { return self }
    var response = self
    var head: [UInt8] = []
    response.appendFields(.length(bytes.count), to: &head)
    response.prepared = head + [13, 10] + bytes
    return response
  }
}
