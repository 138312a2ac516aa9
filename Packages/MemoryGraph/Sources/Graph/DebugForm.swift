enum DebugValue {
  case number(UInt64)
  case address(UInt64)
  /// An index of the unit's addresses.
  case addressIndex(UInt64)
  case text(DebugText)
  /// An index of the unit's texts.
  case textIndex(UInt64)
  /// The place of an entry in `.debug_info`.
  case entry(UInt64)
  /// An index of the unit's lists of ranges.
  case rangesIndex(UInt64)
  case other
}

/// A text that is read only when it is needed.
struct DebugText {
  var section: UnsafeRawBufferPointer
  var place: Int

  var string: String {
    var from = DebugBytes(section, from: place)
    return from.text()
  }
}

/// The form of an attribute's value (DWARF 5, section 7.5.6).
enum DebugForm {
  /// The data that a value's form depends on.
  struct Context {
    /// The section that is read, and the ones with texts.
    var own: UnsafeRawBufferPointer
    var texts: UnsafeRawBufferPointer
    var lineTexts: UnsafeRawBufferPointer
    var version: UInt64
    var offsetSize: Int
    var addressSize: Int
    /// The place of the unit that references are relative to.
    var unit: UInt64 = 0
  }

  /// The bytes of a value; nil when they vary or the form is unknown.
  static func size(_ form: UInt64, _ context: Context) -> Int? {
    switch form {
    case 0x19, 0x21: 0
    case 0x0B, 0x0C, 0x11, 0x25, 0x29: 1
    case 0x05, 0x12, 0x26, 0x2A: 2
    case 0x27, 0x2B: 3
    case 0x06, 0x13, 0x1C, 0x28, 0x2C: 4
    case 0x07, 0x14, 0x20, 0x24: 8
    case 0x1E: 16
    case 0x01: context.addressSize
    case 0x0E, 0x17, 0x1D, 0x1F: context.offsetSize
    case 0x10: context.version < 3 ? context.addressSize : context.offsetSize
    default: nil
    }
  }

  /// - Parameter constant: the value that an abbreviation holds itself.
  /// - Returns: nil for an unknown form, of which the length is unknown, too.
  static func read(
    _ form: UInt64, constant: Int64 = 0, _ from: inout DebugBytes, _ context: Context
  ) -> DebugValue? {
    func skipped(_ count: UInt64) -> DebugValue {
      from.skip(Int(truncatingIfNeeded: count))
      return .other
    }
    func text(_ section: UnsafeRawBufferPointer) -> DebugValue {
      .text(DebugText(section: section, place: Int(truncatingIfNeeded: from.fixed(context.offsetSize))))
    }
    let size = size(form, context)
    switch form {
    case 0x01: return .address(from.fixed(context.addressSize))
    case 0x03: return skipped(from.fixed(2))
    case 0x04: return skipped(from.fixed(4))
    case 0x09, 0x0A, 0x18: return skipped(form == 0x0A ? from.fixed(1) : from.number())
    case 0x05, 0x06, 0x07, 0x0B, 0x0C, 0x17: return .number(from.fixed(size ?? 0))
    case 0x08: return .text(DebugText(section: context.own, place: from.skipText()))
    case 0x0D: return .number(UInt64(bitPattern: from.signedNumber()))
    case 0x0F: return .number(from.number())
    case 0x0E: return text(context.texts)
    case 0x1F: return text(context.lineTexts)
    case 0x10: return .entry(from.fixed(size ?? 0))
    case 0x11, 0x12, 0x13, 0x14: return .entry(context.unit &+ from.fixed(size ?? 0))
    case 0x15: return .entry(context.unit &+ from.number())
    case 0x19: return .number(1)
    case 0x21: return .number(UInt64(bitPattern: constant))
    case 0x1A: return .textIndex(from.number())
    case 0x25...0x28: return .textIndex(from.fixed(size ?? 0))
    case 0x1B: return .addressIndex(from.number())
    case 0x29...0x2C: return .addressIndex(from.fixed(size ?? 0))
    case 0x22:
      _ = from.number()
      return .other
    case 0x23: return .rangesIndex(from.number())
    default: return size.map { skipped(UInt64($0)) }
    }
  }
}
