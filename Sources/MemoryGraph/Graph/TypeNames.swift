/// Names of types as their authors write them.
package enum TypeNames {
  /// "Victim.(Node in _8F3A…)" and "Victim.(Node in $55d0…)" are `Victim.Node`: what tells private types apart changes
  /// with every build or start.
  package static func normalised(_ name: String) -> String {
    guard name.contains(" in ") else { return name }
    var result = ""
    var rest = name[...]
    while let open = rest.firstIndex(of: "(") {
      result += rest[..<open]
      let inside = rest[rest.index(after: open)...]
      // The parenthesis that belongs to this one.
      var depth = 1
      let close = inside.firstIndex { character in
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        return depth == 0
      }
      guard let close else { return result + rest[open...] }
      let words = normalised(String(inside[..<close]))
      let parts = words.split(separator: " ", omittingEmptySubsequences: false)
      if parts.count > 2, parts[parts.count - 2] == "in", parts.last!.hasPrefix("_") || parts.last!.hasPrefix("$") {
        result += parts.dropLast(2).joined(separator: " ")
      } else {
        result += "(\(words))"
      }
      rest = inside[inside.index(after: close)...]
    }
    return result + rest
  }

  /// A variable that is captured, "<> { var Swift.Int } <>", is "var Swift.Int".
  private static func unboxed(_ name: String) -> String {
    guard name.hasPrefix("<"), name.hasSuffix(">"), let open = name.firstIndex(of: "{"),
      let close = name.lastIndex(of: "}"), open < close
    else { return name }
    return name[name.index(after: open)..<close].split(separator: " ").joined(separator: " ")
  }

  /// Without the module of the standard library, which everybody knows: "Array<Int>".
  package static func short(_ name: String) -> String {
    unboxed(normalised(name)).split(separator: "Swift.", omittingEmptySubsequences: false).enumerated()
      .reduce(into: "") { result, part in
        // "MySwift.Type" keeps its module.
        if part.offset > 0, let last = result.last, last.isLetter || last.isNumber || last == "_" { result += "Swift." }
        result += part.element
      }
  }
}
