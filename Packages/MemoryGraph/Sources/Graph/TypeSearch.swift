extension ObjectGraph {
  /// The names of block types that a word may stand for, with the number of blocks of each, most first. The first of
  /// these that matches counts: the whole name; without the module; without all enclosing types ("Holder<Chat>"); the
  /// end of a name; the same without generic arguments and remarks ("Node" of `App.Node<Int>`, "task" of `task
  /// (suspended)`).
  public func types(named word: String) -> [(name: String, count: Int)] {
    var counts: [String: Int] = [:]
    for (type, count) in zip(types, countsOfTypes) where count > 0 { counts[type.name, default: 0] += count }
    let readings: [(String) -> Bool] = [
      { $0 == word }, { BlockType.withoutModule($0) == word }, { BlockType.unqualified($0) == word },
      { $0.hasSuffix(".\(word)") }, { BlockType.bare($0) == word },
      { BlockType.bare($0).hasSuffix(".\(word)") },
    ]
    for isMeant in readings {
      let found = counts.filter { isMeant($0.key) }
      if !found.isEmpty { return found.map { ($0.key, $0.value) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) } }
    }
    return []
  }
}

extension BlockType {
  /// "App.Holder<App.Chat>" becomes `Holder<Chat>`.
  fileprivate static func unqualified(_ name: String) -> String {
    var result = ""
    var part = ""
    for character in name {
      if character == "." {
        part = ""
      } else if character.isLetter || character.isNumber || character == "_" {
        part.append(character)
      } else {
        result += part
        result.append(character)
        part = ""
      }
    }
    return result + part
  }

  /// "App.Tree.Node" becomes `Tree.Node`.
  fileprivate static func withoutModule(_ name: String) -> Substring {
    let module = name.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.dropFirst(module.count).first == "." ? name.dropFirst(module.count + 1) : name[...]
  }

  /// "App.Node<Int>" becomes `App.Node`, "task (suspended)" becomes `task`.
  fileprivate static func bare(_ name: String) -> String {
    let end = name.firstIndex(of: "<") ?? name.endIndex
    let bare = name[..<end]
    return String(bare.firstRange(of: " (").map { bare[..<$0.lowerBound] } ?? bare)
  }
}
