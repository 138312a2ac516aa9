import Capture

/// Distinguishes functions from other addresses.
struct CodePointers {
  /// In order.
  private let code: [Range<UInt64>]
  private let images: [ELFImage]

  init(_ mappings: [Mapping], _ images: [ELFImage]) {
    code = mappings.filter(\.isExecutable).map { $0.start..<$0.end }
    self.images = images
  }

  func isCode(_ address: UInt64) -> Bool {
    let place = firstPlace(in: code) { $0.upperBound > address }
    return place < code.count && code[place].lowerBound <= address
  }

  func image(at address: UInt64) -> ELFImage? { images.first { $0.start <= address && address < $0.end } }

  /// True if a word refers to a function: its code, or an `AsyncFunctionPointer`, which begins with the relative
  /// address of its code.
  func isFunction(_ word: UInt64) -> Bool {
    if isCode(word) { return true }
    guard word & 3 == 0, let distance = image(at: word)?.half(at: word) else { return false }
    return distance != 0 && isCode(word &+ UInt64(bitPattern: Int64(Int32(bitPattern: distance))))
  }
}
