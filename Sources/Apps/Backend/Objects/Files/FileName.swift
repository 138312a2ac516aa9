import Crypto
import Wire

/// The name of an app's file: what the client called it, behind 32 digits that nobody guesses.
struct FileName: Hashable, Sendable {
  let text: String

  enum Fault: Error, Equatable {
    case empty, tooLong, characters
    /// A page would run on the hub's own address.
    case page
  }

  /// A new name.
  /// - Parameter given: the name by the client.
  init(given: String) throws(Fault) {
    guard !given.isEmpty else { throw .empty }
    guard given.count <= AppsLimits.fileName else { throw .tooLong }
    guard Self.isPlain(given) else { throw .characters }
    guard !Self.pages.contains(FileType.ending(of: given) ?? "") else { throw .page }
    text = "\(Digest.hex(Digest.random(16)))_\(given)"
  }

  /// A name in an address or an object; nil for what is none.
  init?(_ text: String) {
    let digits = text.utf8.prefix(33)
    guard digits.count == 33, digits.last == UInt8(ascii: "_"), text.utf8.count <= AppsLimits.fileName + 33,
      digits.dropLast().allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }), Self.isPlain(text)
    else { return nil }
    self.text = text
  }

  /// Parse's rule: `^[_a-zA-Z0-9][a-zA-Z0-9@. ~_-]*$`.
  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, !"@. ~-".utf8.contains(first) else { return false }
    return text.isAlphanumeric(or: "@. ~_-")
  }

  private static let pages: Set = ["htm", "html", "shtml", "xhtml", "xht", "mhtml", "mht"]
}
