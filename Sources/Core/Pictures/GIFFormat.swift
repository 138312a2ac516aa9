import Wire

/// GIF (version 89a, sections 18 to 27): a screen descriptor, then blocks up to the trailer.
struct GIFFormat: PictureFormat {
  private enum State { case screen, block, image, label, applicationLength, application, code, subBlock, data }
  private var state = State.screen
  /// True while the current extension's blocks are left out.
  private var isLeftOut = false

  var first: PictureFilter.Step { .take(13) }

  mutating func next(_ bytes: [UInt8], _ kept: inout [UInt8]) throws(PictureFilter.Fault) -> PictureFilter.Step {
    switch state {
    case .screen:
      try PictureFilter.check(width: bytes.little(6, 2), height: bytes.little(8, 2))
      kept += bytes
      return block(behind: Self.tableBytes(bytes[10]))
    case .block: return try begin(bytes, &kept)
    case .image:
      try PictureFilter.check(width: bytes.little(4, 2), height: bytes.little(6, 2))
      kept += bytes
      state = .code
      return .keep(Self.tableBytes(bytes[8]) + 1)
    case .label: return extend(bytes[0], &kept)
    case .applicationLength:
      guard bytes[0] == Self.applicationBytes else {
        isLeftOut = true
        state = .subBlock
        return try next(bytes, &kept)
      }
      state = .application
      return .take(Int(Self.applicationBytes))
    case .application:
      isLeftOut = !Self.isNeeded(application: bytes)
      if !isLeftOut { kept += [0x21, 0xff, Self.applicationBytes] + bytes }
      state = .subBlock
      return .take(1)
    case .code, .data:
      state = .subBlock
      return .take(1)
    case .subBlock:
      if !isLeftOut { kept += bytes }
      guard bytes[0] > 0 else { return block(behind: 0) }
      state = .data
      return isLeftOut ? .drop(Int(bytes[0])) : .keep(Int(bytes[0]))
    }
  }

  private mutating func block(behind count: Int) -> PictureFilter.Step {
    isLeftOut = false
    // After a step `keep` this is called again without bytes.
    state = .block
    return count > 0 ? .keep(count) : .take(1)
  }

  private mutating func begin(
    _ bytes: [UInt8], _ kept: inout [UInt8]
  ) throws(PictureFilter.Fault) -> PictureFilter.Step {
    switch bytes.first {
    case nil: return .take(1)
    case 0x3b:
      kept += bytes
      return .end
    case 0x2c:
      kept += bytes
      state = .image
      return .take(9)
    case 0x21:
      state = .label
      return .take(1)
    default: throw PictureFilter.Fault(reason: Reason(.pictureBroken))
    }
  }

  private mutating func extend(_ label: UInt8, _ kept: inout [UInt8]) -> PictureFilter.Step {
    if label == 0xff {
      state = .applicationLength
      return .take(1)
    }
    // Kept: graphic control (how long a frame stays) and plain text; comments are not.
    isLeftOut = label != 0xf9 && label != 0x01
    if !isLeftOut { kept += [0x21, label] }
    state = .subBlock
    return .take(1)
  }

  /// Bytes of an application extension's identifier and code.
  private static let applicationBytes: UInt8 = 11

  /// True for the extensions for animation and colour profiles; false for XMP and others.
  private static func isNeeded(application: [UInt8]) -> Bool {
    ["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"].contains(String(decoding: application, as: UTF8.self))
  }

  /// Bytes of a colour table, by the flags that announce it.
  private static func tableBytes(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
}
