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
    var low = 0
    var high = code.count
    while low < high {
      let middle = (low + high) / 2
      if code[middle].upperBound <= address { low = middle + 1 } else { high = middle }
    }
    return low < code.count && code[low].lowerBound <= address
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
