import CPq
import CSQLite
import Glibc

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
  enum Source {
    case sqlite(OpaquePointer)
    /// The result, and the row's number in it.
    case server(OpaquePointer, Int32)
  }
  private let source: Source

  init(_ source: Source) { self.source = source }

  public func isNull(_ column: Int) -> Bool {
    switch source {
    case .sqlite(let statement): sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
    case .server(let result, let row): PQgetisnull(result, row, Int32(column)) == 1
    }
  }

  public func int(_ column: Int) -> Int {
    switch source {
    case .sqlite(let statement): Int(sqlite3_column_int64(statement, Int32(column)))
    case .server(let result, let row): ServerValue.int(bytes(result, row, column))
    }
  }

  public func double(_ column: Int) -> Double {
    switch source {
    case .sqlite(let statement): sqlite3_column_double(statement, Int32(column))
    case .server(let result, let row): PQgetvalue(result, row, Int32(column)).map { strtod($0, nil) } ?? 0
    }
  }

  public func bool(_ column: Int) -> Bool { int(column) != 0 }

  public func text(_ column: Int) -> String {
    switch source {
    case .sqlite(let statement):
      guard let text = sqlite3_column_text(statement, Int32(column)) else { return "" }
      let count = Int(sqlite3_column_bytes(statement, Int32(column)))
      return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    case .server(let result, let row): return String(decoding: bytes(result, row, column), as: UTF8.self)
    }
  }

  /// Bytes of a text or blob.
  public func byteCount(_ column: Int) -> Int {
    switch source {
    case .sqlite(let statement): Int(sqlite3_column_bytes(statement, Int32(column)))
    case .server(let result, let row): ServerValue.byteCount(bytes(result, row, column), PQftype(result, Int32(column)))
    }
  }

  public func blob(_ column: Int) -> [UInt8] {
    switch source {
    case .sqlite(let statement):
      guard let bytes = sqlite3_column_blob(statement, Int32(column)) else { return [] }
      return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, Int32(column)))))
    case .server(let result, let row):
      return ServerValue.blob(bytes(result, row, column), PQftype(result, Int32(column)))
    }
  }

  /// The value, whatever its kind.
  func value(_ column: Int) -> Value {
    if isNull(column) { return .null }
    switch source {
    case .sqlite(let statement):
      switch sqlite3_column_type(statement, Int32(column)) {
      case SQLITE_INTEGER: return .int(int(column))
      case SQLITE_FLOAT: return .double(double(column))
      case SQLITE_BLOB: return .blob(blob(column))
      default: return .text(text(column))
      }
    case .server(let result, _):
      switch ServerValue.kind(of: PQftype(result, Int32(column))) {
      case .whole: return .int(int(column))
      case .fraction: return .double(double(column))
      case .bytes: return .blob(blob(column))
      case .text: return .text(text(column))
      }
    }
  }

  public func optionalInt(_ column: Int) -> Int? { isNull(column) ? nil : int(column) }
  public func optionalDouble(_ column: Int) -> Double? { isNull(column) ? nil : double(column) }
  public func optionalBool(_ column: Int) -> Bool? { isNull(column) ? nil : bool(column) }
  public func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }
  public func optionalBlob(_ column: Int) -> [UInt8]? { isNull(column) ? nil : blob(column) }

  private func bytes(_ result: OpaquePointer, _ row: Int32, _ column: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: PQgetvalue(result, row, Int32(column)), count: Int(PQgetlength(result, row, Int32(column))))
  }
}
