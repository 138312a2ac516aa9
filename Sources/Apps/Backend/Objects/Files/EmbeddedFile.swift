import Crypto
import Wire

/// A file inside a JSON object, as Parse's JavaScript SDK sends it: `{"base64": "…", "_ApplicationId": "…"}`. It is
/// taken out while it arrives, so that the whole is never in memory.
struct EmbeddedFile {
  enum Fault: Error, Equatable {
    case base64, json
    /// The JSON around the file is too long.
    case tooLong
  }

  /// The part of the JSON that the next byte belongs to.
  private enum Place {
    case outside
    case text(isEscaped: Bool)
    case file
  }
  private var place = Place.outside
  private var depth = 0
  /// The JSON without the file's text.
  private var rest: [UInt8] = []
  /// The beginning of the text that was read last, in `rest`.
  private var textStart = 0
  /// The name of the member whose value is next, if it is one of the outermost object's.
  private var name: [UInt8]?
  private var lastText: [UInt8]?
  private var decoder = Base64Decoder()
  private var isFound = false

  /// The bytes of the file in the next piece.
  mutating func feed(_ piece: [UInt8]) throws(Fault) -> [UInt8] {
    var file: [UInt8] = []
    var position = 0
    while position < piece.count {
      if case .file = place {
        let end = piece[position...].firstIndex(of: UInt8(ascii: "\"")) ?? piece.count
        guard let bytes = decoder.decode(piece[position..<end]) else { throw .base64 }
        file += bytes
        guard end < piece.count else { break }
        rest.append(UInt8(ascii: "\""))
        place = .outside
        position = end + 1
        continue
      }
      try take(piece[position])
      position += 1
    }
    return file
  }

  /// The other members, after the last piece. A request to remove a file has none.
  func finish() throws(Fault) -> JSON {
    guard decoder.isComplete else { throw .base64 }
    guard let json = try? JSON(fromBrowser: rest), json.members != nil else { throw .json }
    guard isFound || json["_method"] != nil else { throw .base64 }
    return json
  }

  private mutating func take(_ byte: UInt8) throws(Fault) {
    guard rest.count < AppsLimits.fileDetailBytes else { throw .tooLong }
    rest.append(byte)
    switch place {
    case .file: return
    case .text(isEscaped: true): place = .text(isEscaped: false)
    case .text(isEscaped: false):
      if byte == UInt8(ascii: "\\") { place = .text(isEscaped: true) }
      guard byte == UInt8(ascii: "\"") else { return }
      place = .outside
      lastText = depth == 1 ? Array(rest[textStart..<rest.count - 1]) : nil
    case .outside:
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ":"): name = depth == 1 ? lastText : nil
      case UInt8(ascii: ","): name = nil
      case UInt8(ascii: "\"") where depth == 1 && name == Array("base64".utf8) && !isFound:
        place = .file
        isFound = true
      case UInt8(ascii: "\""):
        place = .text(isEscaped: false)
        textStart = rest.count
      default: break
      }
    }
  }
}
