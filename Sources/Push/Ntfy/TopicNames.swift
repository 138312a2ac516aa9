import Wire

/// The names of topics in addresses.
public enum TopicNames {
  /// Bytes of a name, as the hub's topics have them.
  static let longest = 64
  static let accepted =
    "1 to \(longest) letters, digits, \"-\", \"_\" and \".\" are accepted, beginning with a letter or a digit"

  /// True for the name of a topic.
  public static func isName(_ name: String) -> Bool {
    (1...longest).contains(name.utf8.count) && name.utf8.first?.isAlphanumeric == true && name.isAlphanumeric(or: "-._")
  }

  /// True for a name, or several with commas between them, that may stand right behind the first slash. A name with a
  /// dot may not, since it could be that of a file.
  /// - Parameter reserved: the names in lower case that have another meaning there.
  public static func areAtRoot(_ text: String, reserved: Set<String>) -> Bool {
    text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { part in
      let name = String(part)
      return isName(name) && !name.contains(".") && !reserved.contains(name.lowercased())
    }
  }

  /// The topics of a subscription, such as "a,b".
  public static func list(_ text: String) throws(NtfyFault) -> [String] {
    var names: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let name = String(part)
      guard isName(name) else { throw .topic(name) }
      if !names.contains(name) { names.append(name) }
    }
    guard names.count <= NtfyLimits.topics else { throw .tooManyTopics }
    return names
  }
}
