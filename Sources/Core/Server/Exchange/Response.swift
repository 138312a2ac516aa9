import Crypto
public import Wire

/// A response to a request.
public struct Response: Sendable {
  public struct Field: Hashable, Sendable {
    public var name: String
    public var value: String
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }

    /// Lets pages of other sites read the response (CORS); for public data, such as directories of hackerspaces read.
    public static let anyOrigin = Field("Access-Control-Allow-Origin", "*")
  }

  /// Bytes that are part of the program and stay valid for ever.
  public struct FixedBytes: @unchecked Sendable {
    public let bytes: UnsafeBufferPointer<UInt8>
    public init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }
  }

  public enum Body: Sendable {
    case bytes([UInt8])
    case fixed(FixedBytes)
    /// Compressed bytes, for a client that does not accept gzip: decompressed as far as the client reads.
    case packed(PackedBytes)
    /// A range of a file, sent from the disk to the socket without passing through the program where that is possible.
    case file(OpenFile, Range<Int>)
    /// A body that is produced while it is sent.
    case stream(ResponseStream)

    /// Bytes; nil where the count is not known beforehand.
    public var count: Int? {
      switch self {
      case .bytes(let bytes): bytes.count
      case .fixed(let fixed): fixed.bytes.count
      case .packed(let packed): packed.count
      case .file(_, let range): range.count
      case .stream(let stream): stream.length
      }
    }
  }

  /// One object, so that passing a response on costs one reference count.
  private final class Storage: @unchecked Sendable {
    var status: Int
    var contentType: String
    var etag: String?
    var cacheControl: String
    var fields: [Field]
    var body: Body
    var prepared: [UInt8]?

    init(
      _ status: Int, _ contentType: String, _ etag: String?, _ cacheControl: String, _ fields: [Field], _ body: Body
    ) {
      self.status = status
      self.contentType = contentType
      self.etag = etag
      self.cacheControl = cacheControl
      self.fields = fields
      self.body = body
    }

    func copy() -> Storage { Storage(status, contentType, etag, cacheControl, fields, body) }
  }
  private var storage: Storage

  /// Lets a client keep the response, if it checks the entity tag every time.
  public static let usualCacheControl = "no-cache"

  /// - Parameter cacheControl: with the default, a response made for a signed-in caller is sent with "no-store".
  public init(
    status: Int = 200, contentType: String, body: Body, etag: String? = nil,
    cacheControl: String = Response.usualCacheControl, fields: [Field] = []
  ) {
    storage = Storage(status, contentType, etag, cacheControl, fields, body)
  }

  private mutating func change(_ change: (Storage) -> Void) {
    if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
    storage.prepared = nil
    change(storage)
  }

  public var status: Int {
    get { storage.status }
    set { change { $0.status = newValue } }
  }
  public var contentType: String {
    get { storage.contentType }
    set { change { $0.contentType = newValue } }
  }
  /// A strong entity tag without its quotes; the server answers 304 by it.
  public var etag: String? {
    get { storage.etag }
    set { change { $0.etag = newValue } }
  }
  public var cacheControl: String {
    get { storage.cacheControl }
    set { change { $0.cacheControl = newValue } }
  }
  public var fields: [Field] {
    get { storage.fields }
    set { change { $0.fields = newValue } }
  }
  public var body: Body {
    get { storage.body }
    set { change { $0.body = newValue } }
  }
  /// The encoded fields that HTTP/1.1 sends after the Date.
  var prepared: [UInt8]? { storage.prepared }

  public init(status: Int = 200, json: JSON, etag: String? = nil, fields: [Field] = []) {
    self.init(
      status: status, contentType: "application/json", body: .bytes(json.bytes), etag: etag,
      fields: fields)
  }

  /// An entity tag for bytes made at run time: a prefix of their SHA-256.
  public static func etag(of bytes: [UInt8]) -> String { Digest.hex(Digest.sha256(bytes).prefix(8)) }

  /// The same response with its fields encoded, for responses that are sent often.
  public func ready() -> Response {
    guard case .bytes(let bytes) = body, bytes.count <= ServerLimits.inlineBodyBytes else { return self }
    var head: [UInt8] = []
    appendFields(.length(bytes.count), to: &head)
    var response = self
    response.change { $0.prepared = head + [13, 10] + bytes }
    return response
  }
}
