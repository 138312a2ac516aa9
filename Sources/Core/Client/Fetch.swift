import Wire

/// A request to another server.
public struct FetchRequest: Sendable {
  public var url: String
  /// GET, HEAD, POST or another method's name.
  public var method: String
  public var fields: [(name: String, value: String)]
  public var body: [UInt8]
  /// A file whose bytes are sent instead of `body`, as they are read.
  public var bodyFile: String?
  /// A file, made or emptied before, into which the body of a response with a status 2xx is written as it comes,
  /// instead of into the response.
  public var savesTo: String?
  /// The validators of the copy that the caller has; the server answers 304 if that copy is still current.
  public var validators: Validators
  /// Seconds for everything together, redirects included.
  public var timeout: Double
  /// Whole seconds without bytes, or with hardly any, after which the transfer is given up.
  public var stallTimeout: Double
  /// The largest body accepted, in bytes after decompression; a larger one is an error.
  public var bodyLimit: Int
  /// True where the head of an answer says all: a body past `bodyLimit`, or one that breaks off or takes too long, is
  /// no error then.
  public var countsStatusAlone = false
  /// The number of redirects followed; 0 when the address holds a secret that is meant for one server alone.
  public var redirects: Int
  /// False to accept any certificate. Only for the own machine: a server there has a certificate for its public name.
  public var checksCertificate = true
  /// The envelope, if the body is a mail; then method and fields mean nothing, and a `FetchResponse` has the status of
  /// SMTP: 250, or 4xx and 5xx if the server has refused it.
  public var mail: MailEnvelope?

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

  /// The header fields as lines for libcurl.
  /// - Throws: for a name or value with characters that would end the line early (RFC 9110 section 5.5).
  func lines() throws(FetchError) -> [String] {
    guard isToken(method) else { throw .malformed("the method \"\(method)\" is no token") }
    var fields = fields
    if let etag = validators.etag { fields.append(("If-None-Match", etag)) }
    if let modified = validators.lastModified { fields.append(("If-Modified-Since", modified)) }
    var lines: [String] = []
    for (name, value) in fields {
      guard isToken(name) else { throw .malformed("the field's name \"\(name)\" is no token") }
      // The value is not named: it may be a secret.
      guard !value.utf8.contains(where: { $0 < 32 && $0 != 9 || $0 == 127 }) else {
        throw .malformed("the value of \(name) has control characters in it")
      }
      // libcurl takes "Name:" as an order to leave that field out, and "Name;" as an empty field.
      lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
    }
    return lines
  }

  /// The address that a redirect leads to (RFC 9110 section 10.2.2), for those who follow it themselves; nil for other
  /// schemes, and for addresses relative to a folder.
  public func resolved(_ location: String) -> String? {
    let start = location.prefix(8).lowercased()
    if start.hasPrefix("https://") || start.hasPrefix("http://") { return location }
    guard let scheme = url.firstRange(of: "://") else { return nil }
    if location.hasPrefix("//") { return "\(url[..<scheme.lowerBound]):\(location)" }
    guard location.hasPrefix("/") else { return nil }
    let host = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
    return "\(url[..<scheme.upperBound])\(host)\(location)"
  }
}

/// The fields that tell whether a copy is current without sending it again (RFC 9110 section 8.8).
public struct Validators: Equatable, Sendable {
  /// As the server wrote it, quotes included.
  public var etag: String?
  /// As the server wrote it, since servers compare it as text.
  public var lastModified: String?

  public init(etag: String? = nil, lastModified: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
  }

  public var isEmpty: Bool { etag == nil && lastModified == nil }
}

/// A server's response, whatever its status.
public struct FetchResponse: Sendable {
  public var status: Int
  /// The header fields of the last response, after redirects.
  public var fields: [(name: String, value: String)]
  public var body: [UInt8]
  /// True when a 304 says that the copy which the request's validators belong to is current; false for a 304 to a
  /// request without validators.
  public var isUnchanged = false
  /// True when a mail server refuses this mail, for its recipient or its text; false when it refuses the hub or the
  /// sender, and so every mail.
  public var refusesMail = false

  /// The value of the last field of that name; upper and lower case are the same.
  public subscript(_ name: String) -> String? {
    fields.last { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The validators for the next request.
  public var validators: Validators { Validators(etag: self["etag"], lastModified: self["last-modified"]) }
}

/// True when the text is a token (RFC 9110 section 5.6.2), as method and field names must be.
func isToken(_ text: String) -> Bool {
  !text.isEmpty && text.isAlphanumeric(or: "!#$%&'*+-.^_`|~")
}
