import Settings
import Terminal
import Wire

/// The commands that change notifications before they are shown, by the categories that they are for.
struct ExtensionCommands: Sendable {
  private var byCategory: [String: String] = [:]
  /// The one for all other categories.
  private var rest: String?

  var all: [String] { byCategory.values + [rest].compactMap { $0 } }

  init() {}

  /// Reads `--extension CMD` and each `--extension-for CATEGORY,CATEGORY=CMD`.
  /// - Throws: for a category with two commands, too.
  init(_ arguments: Arguments, _ verb: Verb) throws(CommandError) {
    rest = arguments["extension"]
    for text in arguments.all("extension-for") {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let categories = parts[0].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !categories.contains(""), !parts[1].allSatisfy(\.isWhitespace) else {
        throw verb.misused("--extension-for: \"\(text)\"; CATEGORY=CMD is accepted, such as news,chat=./attach.sh.")
      }
      for category in categories {
        guard byCategory.updateValue(parts[1], forKey: category) == nil else {
          throw verb.misused("--extension-for: the category \(category) has two commands; one is accepted.")
        }
      }
    }
  }

  /// The command for a content; nil for one that may not be changed, has nothing to show, or is nobody's.
  func command(for content: JSON) -> String? {
    guard content["mutable"]?.bool == true, content["silent"]?.bool != true else { return nil }
    return content["category"]?.string.flatMap { byCategory[$0] } ?? rest
  }
}
