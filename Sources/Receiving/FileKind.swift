/// The kind of a file by its first bytes, whatever its sender calls it: so nothing is served as a page.
public struct FileKind: Equatable, Sendable {
  public let type: String

  public static let unknown = FileKind("application/octet-stream")

  private init(_ type: String) { self.type = type }

  /// - Parameter beginning: the first bytes, 64 are enough.
  public init(_ beginning: [UInt8]) {
    func has(_ text: String, at place: Int = 0) -> Bool { beginning.dropFirst(place).starts(with: text.utf8) }
    if beginning.starts(with: [0xFF, 0xD8, 0xFF]) {
      self.init("image/jpeg")
    } else if beginning.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self.init("image/png")
    } else if has("GIF87a") || has("GIF89a") {
      self.init("image/gif")
    } else if has("RIFF"), has("WEBP", at: 8) {
      self.init("image/webp")
    } else if has("RIFF"), has("WAVE", at: 8) {
      self.init("audio/wav")
    } else if has("RIFF"), has("AVI ", at: 8) {
      self.init("video/x-msvideo")
    } else if has("OggS") {
      self.init("audio/ogg")
    } else if has("ID3") || beginning.starts(with: [0xFF, 0xFB]) {
      self.init("audio/mpeg")
    } else if beginning.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
      self.init("video/webm")
    } else if beginning.starts(with: [0x49, 0x49, 0x2A, 0]) || beginning.starts(with: [0x4D, 0x4D, 0, 0x2A]) {
      self.init("image/tiff")
    } else if has("ftyp", at: 4) {
      self = Self.brand(String(decoding: beginning.dropFirst(8).prefix(4), as: UTF8.self))
    } else if ["wide", "mdat", "moov"].contains(where: { has($0, at: 4) }) {
      self.init("video/quicktime")
    } else if [0, 4].contains(where: { has("G@\0", at: $0) || has("G@\u{11}", at: $0) }) {
      // A transport stream begins with its programmes' or services' table; camcorders write four bytes of time before.
      self.init("video/mp2t")
    } else {
      self = .unknown
    }
  }

  /// The kind of an ISO base media file by its major brand.
  private static func brand(_ name: String) -> FileKind {
    switch name {
    case "heic", "heix", "heim", "heis", "hevc", "mif1", "msf1": FileKind("image/heic")
    case "avif", "avis": FileKind("image/avif")
    case "qt  ": FileKind("video/quicktime")
    case "M4A ": FileKind("audio/mp4")
    case "crx ": FileKind("image/x-canon-cr3")
    default: FileKind("video/mp4")
    }
  }

  /// The ending, with its full stop, of a picture's or video's type that this names; empty for any other.
  public static func ending(ofType type: String?) -> String {
    switch type {
    case "image/jpeg": ".jpg"
    case "image/png": ".png"
    case "image/gif": ".gif"
    case "image/webp": ".webp"
    case "image/tiff": ".tiff"
    case "image/heic": ".heic"
    case "image/avif": ".avif"
    case "image/x-canon-cr3": ".cr3"
    case "video/webm": ".webm"
    case "video/quicktime": ".mov"
    case "video/mp4": ".mp4"
    case "video/x-msvideo": ".avi"
    case "video/mp2t": ".mts"
    default: ""
    }
  }

  public var isVideo: Bool { type.hasPrefix("video/") }

  /// The same for a sound, whose containers are those of videos too.
  public var asSound: FileKind {
    switch type {
    case "video/webm": FileKind("audio/webm")
    case "video/mp4", "video/quicktime": FileKind("audio/mp4")
    default: type.hasPrefix("audio/") ? self : .unknown
    }
  }
}
