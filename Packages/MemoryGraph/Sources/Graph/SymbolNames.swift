import CRemoteMirror
import Glibc

/// Demangles symbols, with the runtime's demanglers for Swift and C++. (`FrameNames` does so through the toolchain's
/// `Runtime`, which leaves modules out.)
package enum SymbolNames {
  /// A demangled Swift symbol, such as "App.(hidden in _8E3C…) : App.Holder<Swift.Int>"; nil for any other.
  static func swift(_ symbol: String) -> String? {
    guard symbol.hasPrefix("$s") else { return nil }
    return text(swift_demangle(symbol, UInt(symbol.utf8.count), nil, nil, 0)).flatMap { $0 == symbol ? nil : $0 }
  }

  /// A demangled C++ symbol, such as "vtable for icu_76::BMPSet"; nil for any other.
  private static func cPlusPlus(_ symbol: String) -> String? {
    guard symbol.hasPrefix("_Z") else { return nil }
    return text(_swift_backtrace_demangle(symbol, UInt(symbol.utf8.count), nil, nil))
  }

  private static func text(_ answer: UnsafeMutablePointer<CChar>?) -> String? {
    guard let answer else { return nil }
    defer { free(answer) }
    return String(cString: answer)
  }

  /// The name of a function, as the toolchain's `Runtime` tells it: "makeRing(_:)"; C's stay as they are.
  static func function(_ symbol: String) -> String {
    text(_swift_backtrace_demangle(symbol, UInt(symbol.utf8.count), nil, nil)) ?? symbol
  }

  /// The name of a type of C++ or libdispatch, by its vtable's symbol: `_ZTVN6icu_766BMPSetE` is "icu_76::BMPSet".
  package static func type(_ symbol: String) -> String {
    guard let name = cPlusPlus(symbol) else { return symbol }
    let table = "vtable for "
    return name.hasPrefix(table) ? String(name.dropFirst(table.count)) : name
  }

  /// The name of a variable: "App.hidden", "App.f.S.inner" of a type in a function, "type metadata instantiation cache
  /// for App.Holder"; unmangled names stay as they are.
  package static func variable(_ symbol: String) -> String {
    guard let full = swift(symbol) else { return cPlusPlus(symbol) ?? symbol }
    guard isVariable(symbol) else { return TypeNames.short(full) }
    let (name, type) = parts(withoutExtensions(full))
    let plain = TypeNames.short(name)
    // "static inner : Swift.Int in S #1 in closure #1 () -> () in App.f() -> ()": the function comes last.
    let places = type.split(separator: " in ")
    guard let place = places.last.map(TypeNames.function), !plain.hasPrefix(place.prefix { $0 != "." } + "."),
      let owner = places.last(where: { $0.contains(" #") && !$0.hasPrefix("closure ") })
    else { return plain }
    return "\(place).\(owner.prefix { $0 != " " }).\(plain)"
  }

  /// Removes extensions: "(extension in App):Swift.String.mine" becomes "Swift.String.mine".
  private static func withoutExtensions(_ name: String) -> String {
    name.split(separator: "(extension in ", omittingEmptySubsequences: false).enumerated().reduce(into: "") {
      guard $1.offset > 0, let end = $1.element.firstRange(of: "):") else { return $0 += $1.element }
      $0 += $1.element[end.upperBound...]
    }
  }

  /// The mangled names that a variable's type may have, for `Mirror`: several, since a name does not distinguish
  /// structures from enumerations. Empty if it has no such name.
  static func types(ofVariable symbol: String) -> [String] {
    guard isVariable(symbol), var type = swift(symbol).map({ parts($0).type }) else { return [] }
    // An Optional's payload is at its start.
    let optional = "Swift.Optional<"
    while type.hasPrefix(optional), type.last == ">" { type = type.dropFirst(optional.count).dropLast() }
    // "App.(Config in _8E3C…)": a private type's name is followed by its file.
    let words = type.replacing("(", with: "").replacing(")", with: "").split(separator: ".").map {
      $0.split(separator: " in ").map(String.init)
    }
    guard words.count > 1, words.count <= deepest, words.joined().allSatisfy(isIdentifier) else { return [] }
    let heads = words.dropFirst().dropLast().reduce([mangled(words[0])]) { names, word in
      ["V", "O", "C"].flatMap { kind in names.map { $0 + mangled(word) + kind } }
    }
    return heads.map { "$s\($0)\(mangled(words[words.count - 1]))VD" }
  }

  private static let deepest = 4

  private static func isVariable(_ symbol: String) -> Bool { symbol.hasSuffix("vp") || symbol.hasSuffix("vpZ") }

  /// The name and the type in "static App.Store.shared : App.Store".
  private static func parts(_ full: String) -> (name: String, type: Substring) {
    guard let colon = full.firstRange(of: " : ") else { return (full, "") }
    let name = full[..<colon.lowerBound]
    return (String(name.hasPrefix("static ") ? name.dropFirst(7) : name), full[colon.upperBound...])
  }

  private static func mangled(_ words: [String]) -> String {
    words.map { "\($0.utf8.count)\($0)" }.joined() + (words.count > 1 ? "LL" : "")
  }

  private static func isIdentifier(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        $0 == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 32)
      }
  }
}
