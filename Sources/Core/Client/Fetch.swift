/// What to ask another server for.
public struct FetchRequest: Sendable {
  public var url: String
  /// GET, HEAD, POST or another method's name.
  public var method: String
  public var fields: [(name: String, value: String)]
  public var body: [UInt8]
  /// What is known of the copy one has: the server answers 304 if it is still the right one.
  public var validators: Validators
  /// Seconds for everything together, redirects included.
  public var timeout: Double
  /// Whole seconds of waiting, or of bytes that only drip.
  public var stallTimeout: Double
  /// Bytes of the body after decompression; more is an error.
  public var bodyLimit: Int
  /// Redirects that are followed. None where the address holds a secret that is for one server alone.
  public var redirects: Int

  public init(
    _ url: String, method: String = "GET", fields: [(name: String, value: String)] = [], body: [UInt8] = [],
    validators: Validators = Validators(), timeout: Double = ClientLimits.timeout,
    stallTimeout: Double = ClientLimits.stallSeconds, bodyLimit: Int = ClientLimits.bodyBytes,
    redirects: Int = ClientLimits.redirects
  ) {
    self.url = url
    self.method = method
    self.fields = fields
    self.body = body
    self.validators = validators
    self.timeout = timeout
    self.stallTimeout = stallTimeout
    self.bodyLimit = bodyLimit
    self.redirects = redirects
  }

  /// What goes over the wire, in C's words: lines for libcurl.
  /// - Throws: for what would end its line early, and so say something else than was meant (RFC 9110 section 5.5).
  func lines() throws(FetchError) -> [String] {
    guard isToken(method) else { throw .malformed("the method \"\(method)\" is no token") }
    var fields = fields
    if let etag = validators.etag { fields.append(("If-None-Match", etag)) }
    if let modified = validators.lastModified { fields.append(("If-Modified-Since", modified)) }
    var lines: [String] = []
    for (name, value) in fields {
      guard isToken(name) else { throw .malformed("the field's name \"\(name)\" is no token") }
      // Not the value: it may be a secret.
      guard !value.utf8.contains(where: { $0 < 32 && $0 != 9 || $0 == 127 }) else {
        throw .malformed("the value of \(name) has control characters in it")
      }
      // For libcurl, "Name:" would mean: leave that field out.
      lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
    }
    return lines
  }
}

/// How two copies of the same thing are told apart without sending them (RFC 9110 section 8.8).
public struct Validators: Equatable, Sendable {
  /// As the server wrote it, quotes and all.
  public var etag: String?
  /// As the server wrote it, since it is compared by letters.
  public var lastModified: String?

  public init(etag: String? = nil, lastModified: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
  }

  public var isEmpty: Bool { etag == nil && lastModified == nil }
}

/// What another server answered, whatever its status.
public struct FetchResponse: Sendable {
  public var status: Int
  /// The fields of the last answer, after redirects.
  public var fields: [(name: String, value: String)]
  public var body: [UInt8]
  /// Whether the copy that the request's validators are of is still the right one. A 304 that nobody asked for is not.
  public var isUnchanged = false

  /// The last field of that name, without regard to case.
  public subscript(_ name: String) -> String? {
    fields.last { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// What to ask with the next time.
  public var validators: Validators { Validators(etag: self["etag"], lastModified: self["last-modified"]) }
}

/// Whether a text is a token of RFC 9110 section 5.6.2, as methods and fields' names are.
func isToken(_ text: String) -> Bool {
  !text.isEmpty
    && text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"):
        true
      default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
    }
}
