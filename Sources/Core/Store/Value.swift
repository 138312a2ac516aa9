import CSQLite

/// A value as SQLite stores it.
public enum Value: Equatable, Sendable {
  case null
  case int(Int)
  case double(Double)
  case text(String)
  case blob([UInt8])
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .text(value) }
  public init(integerLiteral value: Int) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(nilLiteral: ()) { self = .null }

  /// Nil becomes null.
  public init(_ value: String?) { self = value.map { .text($0) } ?? .null }
  public init(_ value: Int?) { self = value.map { .int($0) } ?? .null }
  public init(_ value: Double?) { self = value.map { .double($0) } ?? .null }
  public init(_ value: Bool?) { self = value.map { .int($0 ? 1 : 0) } ?? .null }
  public init(_ value: [UInt8]?) { self = value.map { .blob($0) } ?? .null }
}

/// One row of a result, read by the position of its columns. Only valid while it is being read.
public struct Row {
  let statement: OpaquePointer

  public func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL }
  public func int(_ column: Int) -> Int { Int(sqlite3_column_int64(statement, Int32(column))) }
  public func double(_ column: Int) -> Double { sqlite3_column_double(statement, Int32(column)) }
  public func bool(_ column: Int) -> Bool { int(column) != 0 }

  public func text(_ column: Int) -> String {
    guard let text = sqlite3_column_text(statement, Int32(column)) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, Int32(column)))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  /// Bytes of a text or blob.
  public func byteCount(_ column: Int) -> Int { Int(sqlite3_column_bytes(statement, Int32(column))) }

  public func blob(_ column: Int) -> [UInt8] {
    guard let bytes = sqlite3_column_blob(statement, Int32(column)) else { return [] }
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, Int32(column)))))
  }

  public func optionalInt(_ column: Int) -> Int? { isNull(column) ? nil : int(column) }
  public func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }
}
