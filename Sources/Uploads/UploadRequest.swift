public import Crypto
public import Wire

/// The checksum of a request's body (extension checksum).
public struct UploadChecksum: Equatable, Sendable {
  public var kind: RunningDigest.Kind
  public var digest: [UInt8]
}

/// Some bytes to be added (PATCH, or the body of a creation).
public struct UploadPart: Equatable, Sendable {
  /// Where they belong.
  public var offset: Int
  /// Bytes, if the request says so.
  public var count: Int?
  public var checksum: UploadChecksum?

  package init(offset: Int, count: Int?, checksum: UploadChecksum?) {
    (self.offset, self.count, self.checksum) = (offset, count, checksum)
  }
}

/// An upload to be created (POST).
public struct UploadCreation: Equatable, Sendable {
  /// Bytes in all.
  public var length: Int
  public var metadata: UploadMetadata
  /// The first bytes, if they come along (extension creation-with-upload).
  public var part: UploadPart?

  package init(length: Int, metadata: UploadMetadata, part: UploadPart?) {
    (self.length, self.metadata, self.part) = (length, metadata, part)
  }
}

/// A request of a client of tus 1.0.0.
public enum UploadRequest: Equatable, Sendable {
  /// Asks for what the server offers (OPTIONS).
  case options
  case create(UploadCreation)
  /// Asks how much has come (HEAD).
  case state
  case append(UploadPart)
  /// Gives the upload up (DELETE).
  case terminate

  /// Reads a request by its head alone; its body is not needed.
  /// - Parameter isOnUpload: true at the address of one upload, false at that of all.
  public init(_ head: RequestHead, isOnUpload: Bool, offer: UploadOffer) throws(UploadRefusal) {
    let method = Self.method(of: head)
    if method == "OPTIONS" {
      self = .options
      return
    }
    guard head.fields["tus-resumable"] == Tus.version else {
      throw UploadRefusal(
        .version, "Tus-Resumable is \(head.fields["tus-resumable"]?.prefix(20) ?? "missing").",
        help: "This server speaks tus \(Tus.version).", fields: [UploadField("Tus-Version", Tus.version)])
    }
    switch (method, isOnUpload) {
    case ("POST", false): self = .create(try Self.creation(head, offer))
    case ("HEAD", true): self = .state
    case ("PATCH", true):
      try Self.demandType(head)
      self = .append(try Self.part(head, at: try Self.demand("upload-offset", head)))
    case ("DELETE", true): self = .terminate
    default:
      throw UploadRefusal(
        .malformed, "\(method.prefix(20)) is not served here.",
        help: "POST makes an upload; HEAD, PATCH and DELETE are for the address that its answer names.")
    }
  }

  /// The method, which X-HTTP-Method-Override replaces for clients behind proxies that know GET and POST only.
  private static func method(of head: RequestHead) -> String {
    guard head.method == .post, let other = head.fields["x-http-method-override"] else { return head.method.name }
    return other.uppercased()
  }

  private static func creation(_ head: RequestHead, _ offer: UploadOffer) throws(UploadRefusal) -> UploadCreation {
    for (name, isThere) in [
      ("Upload-Defer-Length", head.fields["upload-defer-length"] != nil),
      ("Upload-Concat", head.fields["upload-concat"] != nil),
    ] where isThere {
      throw UploadRefusal(
        .malformed, "\(name) is not offered.", help: "Say Upload-Length, and send the bytes of one upload in order.")
    }
    let length = try demand("upload-length", head)
    guard length > 0 else {
      throw UploadRefusal(.malformed, "Upload-Length is 0.", help: "An empty file is no upload.")
    }
    guard length <= offer.maxSize else {
      throw UploadRefusal(
        .tooLarge, "Upload-Length is \(length).", help: "\(offer.maxSize) bytes are accepted.",
        fields: [UploadField("Tus-Max-Size", "\(offer.maxSize)")])
    }
    let metadata = try UploadMetadata(head.fields["upload-metadata"] ?? "")
    guard head.framing != .none else { return UploadCreation(length: length, metadata: metadata, part: nil) }
    try demandType(head)
    let part = try part(head, at: 0)
    try part.demandRoom(in: length)
    return UploadCreation(length: length, metadata: metadata, part: part)
  }

  private static func demandType(_ head: RequestHead) throws(UploadRefusal) {
    let type = head.fields["content-type"] ?? ""
    let name = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    guard name == Tus.contentType else {
      throw UploadRefusal(
        .mediaType, "Content-Type is \(type.isEmpty ? "missing" : "\(type.prefix(60))").",
        help: "\(Tus.contentType) is accepted.")
    }
  }

  /// A number that must be there: digits only.
  private static func demand(_ name: StaticString, _ head: RequestHead) throws(UploadRefusal) -> Int {
    let text = head.fields.count(of: name) == 1 ? head.fields[name] : nil
    guard let text, !text.isEmpty, text.utf8.count <= TusLimits.digits,
      text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(text)
    else {
      let title = "\(name)".split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
      throw UploadRefusal(
        .malformed, "\(title.joined(separator: "-")) is \(text.map { "\"\($0.prefix(30))\"" } ?? "not said once").",
        help: "A number of bytes is accepted.")
    }
    return number
  }

  private static func part(_ head: RequestHead, at offset: Int) throws(UploadRefusal) -> UploadPart {
    let count: Int? =
      switch head.framing {
      case .none: 0
      case .length(let length): length
      case .chunked: nil
      }
    guard let text = head.fields["upload-checksum"] else {
      return UploadPart(offset: offset, count: count, checksum: nil)
    }
    let words = text.split(separator: " ")
    let kind = Tus.checksums.first { $0.key == words.first.map(String.init) }?.value
    var decoder = Base64Decoder()
    guard words.count == 2, let kind, let digest = decoder.decode(words[1].utf8), decoder.isComplete,
      digest.count == kind.bytes
    else {
      throw UploadRefusal(
        .malformed, "Upload-Checksum is \"\(text.prefix(80))\".",
        help: "Send sha1 or sha256, a space, and the digest in base64.")
    }
    return UploadPart(offset: offset, count: count, checksum: UploadChecksum(kind: kind, digest: digest))
  }
}

extension UploadPart {
  /// Checks the part against what has come.
  public func demandPlace(after received: Int, of length: Int) throws(UploadRefusal) {
    guard offset == received else {
      throw UploadRefusal(
        .wrongOffset, "Upload-Offset is \(offset), but \(received) bytes have come.",
        help: "Ask with HEAD and go on there.",
        fields: [UploadField("Upload-Offset", "\(received)")])
    }
    try demandRoom(in: length)
  }

  func demandRoom(in length: Int) throws(UploadRefusal) {
    if let count, count > length - offset { throw .longerThanAnnounced }
  }
}

extension UploadRefusal {
  public static let longerThanAnnounced = UploadRefusal(
    .tooLarge, "More bytes come than were announced.", help: "Upload-Length says how many there are in all.")
  public static let gone = UploadRefusal(
    .gone, "The upload has ended, was removed or has expired.", help: "Make a new one.")
  public static let locked = UploadRefusal(
    .locked, "Another request is adding to this upload.", help: "Try again in a moment.",
    fields: [UploadField("Retry-After", "2")])
  public static let checksum = UploadRefusal(
    .checksum, "The bytes that came are not those that were sent: the checksum differs.",
    help: "They were dropped. Ask with HEAD, and send them again.")
}
