/// Numbers values in the order in which they are first met.
public struct Numbering<Value: Hashable & Sendable>: Sendable {
  public var all: [Value] = []
  @usableFromInline var numbers: [Value: UInt32] = [:]

  public init() {}

  @inlinable
  public mutating func number(of value: Value) -> UInt32 {
    if let known = numbers[value] { return known }
    let number = UInt32(all.count)
    numbers[value] = number
    all.append(value)
    return number
  }
}
