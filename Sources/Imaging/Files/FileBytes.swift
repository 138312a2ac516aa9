/// A file in memory, of which nothing may be believed: what lies outside of it is nil.
public struct FileBytes {
  let bytes: UnsafeRawBufferPointer
  /// True for numbers whose lowest byte is first.
  var isLittle = false

  public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var count: Int { bytes.count }

  func number(_ offset: Int, bytes width: Int) -> Int? {
    guard offset >= 0, offset <= count - width else { return nil }
    var value = 0
    for index in 0..<width { value = value << 8 | Int(bytes[offset + (isLittle ? width - 1 - index : index)]) }
    return value
  }

  func short(_ offset: Int) -> Int? { number(offset, bytes: 2) }
  func long(_ offset: Int) -> Int? { number(offset, bytes: 4) }

  func holds(_ text: StaticString, at offset: Int) -> Bool {
    let text = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    return part(offset, text.count)?.elementsEqual(text) ?? false
  }

  func part(_ offset: Int, _ length: Int) -> UnsafeRawBufferPointer? {
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
  }

  /// ASCII up to its first zero byte.
  func text(_ offset: Int, _ length: Int) -> String? {
    guard let part = part(offset, length) else { return nil }
    let letters = part.prefix { $0 != 0 }
    return letters.allSatisfy { (0x20..<0x7f).contains($0) } ? String(decoding: letters, as: UTF8.self) : nil
  }

  /// A box of ISO/IEC 14496-12 at `offset`, before `end`: where its content begins and where it ends.
  func box(at offset: Int, before end: Int) -> (content: Int, end: Int)? {
    guard offset <= end - 8, var size = long(offset) else { return nil }
    var content = offset + 8
    if size == 1 {
      guard let large = number(offset + 8, bytes: 8), large >= 0, content + 8 <= end else { return nil }
      (size, content) = (large, content + 8)
    } else if size == 0 {
      size = end - offset
    }
    guard size >= content - offset, size <= end - offset else { return nil }
    return (content, offset + size)
  }
}
