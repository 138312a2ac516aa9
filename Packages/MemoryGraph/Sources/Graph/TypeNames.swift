package enum TypeNames {
  /// "Victim.(Node in _8F3A…)" and "Victim.(Node in $55d0…)" become `Victim.Node`, since the discriminators of private
  /// types change with every build or start. So does "Victim.(unknown context at $55d0…).Node", a type within a
  /// function.
  package static func normalised(_ name: String) -> String {
    guard name.contains(" in ") || name.contains("(unknown context at $") else { return name }
    var result = ""
    var rest = name[...]
    while let open = rest.firstIndex(of: "(") {
      result += rest[..<open]
      let inside = rest[rest.index(after: open)...]
      // The matching parenthesis.
      var depth = 1
      let close = inside.firstIndex { character in
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        return depth == 0
      }
      guard let close else { return result + rest[open...] }
      rest = inside[inside.index(after: close)...]
      let words = normalised(String(inside[..<close]))
      let parts = words.split(separator: " ", omittingEmptySubsequences: false)
      if parts.count > 2, parts[parts.count - 2] == "in", parts.last!.hasPrefix("_") || parts.last!.hasPrefix("$") {
        result += parts.dropLast(2).joined(separator: " ")
      } else if words.hasPrefix("unknown context at $") {
        if rest.first == "." { rest.removeFirst() }
      } else {
        result += "(\(words))"
      }
    }
    return result + rest
  }

  /// "Work #1 in static Victim.Heaps.run(Int) -> ()", a type within a function, becomes `Victim.Heaps.run.Work`.
  private static func local(_ name: String) -> String {
    let words = name.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard words.count == 4, words[1].hasPrefix("#"), words[2] == "in" else { return name }
    return "\(function(words[3])).\(words[0])"
  }

  /// "static Victim.Heaps.run(Int) -> ()" becomes `Victim.Heaps.run`.
  static func function(_ words: Substring) -> String {
    let place = words.hasPrefix("static ") ? words.dropFirst(7) : words
    return String(place.prefix { $0 != "(" && $0 != " " })
  }

  /// A captured variable, "<> { var Swift.Int } <>", becomes "var Swift.Int".
  private static func unboxed(_ name: String) -> String {
    guard name.hasPrefix("<"), name.hasSuffix(">"), let open = name.firstIndex(of: "{"),
      let close = name.lastIndex(of: "}"), open < close
    else { return name }
    return name[name.index(after: open)..<close].split(separator: " ").joined(separator: " ")
  }

  /// The name without the standard library's module: "Array<Int>". A type in a generic one has no empty brackets:
  /// "App.Store<Int>.Item".
  package static func short(_ name: String) -> String {
    unboxed(local(normalised(name))).replacing("<>", with: "")
      .split(separator: "Swift.", omittingEmptySubsequences: false).enumerated().reduce(into: "") { result, part in
        // "MySwift.Type" keeps its module.
        if part.offset > 0, let last = result.last, last.isLetter || last.isNumber || last == "_" { result += "Swift." }
        result += part.element
      }
  }
}
