import Capture

final class RootNames {
  private let images: [ELFImage]
  private let types: TypeReader
  /// Each variable once: libraries have thousands.
  private var variables: [String: (name: String, fields: BlockType?)] = [:]

  init(_ images: [ELFImage], _ types: TypeReader) { (self.images, self.types) = (images, types) }

  /// Splits a range of variables by library: zero-initialised variables are in no file, and are those of the library
  /// before them.
  func separated(_ range: RootRange) -> [RootRange] {
    guard range.kind == .anonymous else { return [range] }
    var parts: [RootRange] = []
    var start = range.start
    func add(_ kind: RootRange.Kind, to end: UInt64) {
      guard start < end else { return }
      var part = range
      (part.kind, part.start, part.end) = (kind, start, end)
      parts.append(part)
      start = end
    }
    for image in images.sorted(by: { $0.start < $1.start }) where image.end > start && image.start < range.end {
      add(.anonymous, to: image.start)
      add(.globals(image.path), to: min(range.end, image.end))
    }
    add(.anonymous, to: range.end)
    return parts
  }

  func label(_ kind: RootRange.Kind, _ address: UInt64) -> String {
    switch kind {
    case .stack(let thread): return "stack of thread \(thread)"
    case .anonymous: return "memory mapped by the program"
    case .globals(let path):
      let file = path.split(separator: "/").last ?? ""
      guard let image = images.first(where: { $0.path == path }), let symbol = image.symbol(at: address) else {
        return "global variable of \(file)"
      }
      return "\(variable(symbol.name, at: Int(address - symbol.address))), global variable of \(file)"
    }
  }

  /// True if a word is the cache of a generic type's instances (`GenericMetadataCache`).
  func isTableOfTypes(_ path: String, _ address: UInt64) -> Bool {
    guard let symbol = images.first(where: { $0.path == path })?.symbol(at: address) else { return false }
    return address - symbol.address == SwiftLayout.HashMap.place && symbol.name.hasSuffix("MI")
      && symbol.name.hasPrefix("$s")
  }

  /// The name of a variable with its field at an offset: "App.config.items".
  private func variable(_ symbol: String, at offset: Int) -> String {
    let variable = variables[symbol] ?? (SymbolNames.variable(symbol), content(symbol))
    variables[symbol] = variable
    guard let field = variable.fields?.field(at: offset)?.name, !field.isEmpty else { return variable.name }
    return "\(variable.name).\(field)"
  }

  private func content(_ symbol: String) -> BlockType? {
    SymbolNames.types(ofVariable: symbol).lazy.map { self.types.fields(ofMangled: $0) }.first { !$0.isEmpty }
      .map { BlockType(symbol, fields: $0) }
  }
}
