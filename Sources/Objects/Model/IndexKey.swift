public import Wire

/// A value as bytes that are in order as the values are: what indexes of fields are made of. A longer text than
/// `ObjectsLimits.keyBytes` has the key of its beginning, so whatever an index finds is compared once more.
public enum IndexKey {
  /// The key of a value; nothing is the same as null. Nil for values that no index has.
  public static func bytes(_ value: JSON?) -> [UInt8]? {
    switch value ?? .null {
    case .null: return [0]
    case .int(let number): return self.number(Double(number), Self.rest(number))
    case .double(let number): return self.number(number == 0 ? 0 : number, 0)
    case .string(let text): return [2] + text.utf8.prefix(ObjectsLimits.keyBytes)
    case .bool(let value): return [9, value ? 1 : 0]
    case .array: return nil
    case .object:
      if let time = value.flatMap(ObjectDate.milliseconds) {
        return [10] + Self.ordered(UInt64(bitPattern: Int64(time)) ^ (1 << 63))
      }
      if value?["__type"]?.string == "Pointer", let target = value?["className"]?.string,
        let id = value?["objectId"]?.string
      {
        return [8] + target.utf8 + [0] + id.utf8.prefix(ObjectsLimits.keyBytes)
      }
      return nil
    }
  }

  /// A number's nearest double, and what an integer beyond 2^53 is away from it.
  private static func number(_ number: Double, _ rest: Int) -> [UInt8] {
    let bits = number.bitPattern
    let key = bits >> 63 == 0 ? bits | (1 << 63) : ~bits
    let biased = UInt16(rest + 0x8000)
    return [1] + ordered(key) + [UInt8(biased >> 8), UInt8(biased & 0xFF)]
  }

  private static func rest(_ number: Int) -> Int {
    guard let rounded = Int(exactly: Double(number)) else { return number - Int.max - 1 }
    return number - rounded
  }

  private static func ordered(_ bits: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
  }
}
