/// A file beside a notification's text: its id, where it is, and of which type its sender says it is.
public struct Attachment: Equatable, Sendable {
  public let json: JSONValue

  public var id: String { json["id"]?.string ?? "" }
  /// The file's address; either this or `blob` is there.
  public var url: String? { json["url"]?.string }
  /// The name of a blob of the hub.
  public var blob: String? { json["blob"]?.string }
  public var hint: MediaHint? { json["type"]?.utf8Text.flatMap { MediaHint(named: $0) } }

  /// The type of a file, or why it is refused.
  /// - Parameter prefix: its first `NotificationLimits.attachmentPrefix` bytes, or all.
  /// - Parameter size: bytes of the whole file.
  /// - Parameter hint: a media type, such as "image/png".
  public static func check(prefix: [UInt8], size: Int64, hint: String?) -> Result<MediaType, Refusal> {
    check(prefix: prefix, size: size, hint: hint.map { .string(Array($0.utf8)) })
  }

  static func check(prefix: [UInt8], size: Int64, hint: JSONValue?) -> Result<MediaType, Refusal> {
    var faults = Faults()
    let named = hint?.utf8Text.flatMap { MediaHint(named: $0) }
    if let hint, named == nil {
      faults.refuse(utf8("type"), seen: hint.text, .words(MediaHint.accepted))
      return .failure(faults.refusal)
    }
    guard let type = MediaType(of: prefix, hint: named) else {
      faults.refuse(
        utf8("content"), seen: utf8("of another type"),
        .words("AIFF, WAV, MP3, MPEG-4, JPEG, GIF, PNG, MPEG, MPEG-2 or AVI is accepted"))
      return .failure(faults.refusal)
    }
    if let named, !named.types.contains(type) {
      faults.refuse(utf8("type"), seen: hint?.text ?? [], .type(type))
    }
    if size > Int64(type.kind.bytes) {
      faults.refuse(utf8("size"), seen: digits(size) + utf8(" bytes"), .bytes(type.kind.bytes))
    }
    return faults.isEmpty ? .success(type) : .failure(faults.refusal)
  }
}
