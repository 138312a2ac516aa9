import Capture

/// Names of the places from which a program reaches its heap.
package final class RootNames {
  private let images: [ELFImage]

  init(_ images: [ELFImage]) { self.images = images }

  func label(_ kind: RootRange.Kind, _ address: UInt64) -> String {
    switch kind {
    case .stack(let thread): return "stack of thread \(thread)"
    case .anonymous: return "memory mapped by the program"
    case .globals(let path):
      let file = path.split(separator: "/").last ?? ""
      guard let image = images.first(where: { $0.path == path }), let symbol = image.symbol(at: address) else {
        return "global variable of \(file)"
      }
      return "\(Self.readable(symbol)), global variable of \(file)"
    }
  }

  /// "$s6Victim10controllerAA14ViewControllerCSgvp" is `Victim.controller`. Only the commonest forms are taken apart: a
  /// module's variable and a type's own, whose names stand there with their lengths.
  package static func readable(_ symbol: String) -> String {
    guard symbol.hasPrefix("$s") else { return symbol }
    var rest = symbol.dropFirst(2)
    var parts: [Substring] = []
    while rest.first?.isNumber == true {
      let digits = rest.prefix { $0.isNumber }
      guard let length = Int(digits), length > 0, length <= rest.count - digits.count else { return symbol }
      parts.append(rest.dropFirst(digits.count).prefix(length))
      rest = rest.dropFirst(digits.count + length)
      // A structure, a class or an enumeration, in which more may follow.
      if let kind = rest.first, "VCO".contains(kind), rest.dropFirst().first?.isNumber == true { rest.removeFirst() }
    }
    return parts.count > 1 ? parts.joined(separator: ".") : symbol
  }
}
