import Crypto
import Synchronization

/// The identifiers of a calendar's series: the first 12 hexadecimal digits of the SHA-256 of calendar, NUL, key.
struct SeriesIDs: Sendable {
  let calendarID: String
  /// In the order of the series.
  private let numbers: [UInt64]
  /// The indices of the series, ascending by number.
  private let order: [Int32]

  init(calendarID: String, series: [Series]) {
    self.calendarID = calendarID
    let numbers = series.map { SeriesIDs.number(calendar: calendarID, key: $0.key) }
    self.numbers = numbers
    order = series.indices.map { Int32($0) }.sorted { numbers[Int($0)] < numbers[Int($1)] }
  }

  func text(_ place: Int) -> String {
    let number = numbers[place]
    return String(unsafeUninitializedCapacity: 12) { buffer in
      for index in 0..<12 {
        let digit = UInt8(truncatingIfNeeded: number >> UInt64(44 - 4 * index)) & 15
        buffer[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      }
      return 12
    }
  }

  /// The indices of the series with an identifier: one or none, unless somebody has constructed keys for a collision.
  func places(of text: String) -> [Int] {
    guard text.utf8.count == 12, let number = UInt64(text, radix: 16) else { return [] }
    let first = countOfFirst(order) { numbers[Int($0)] < number }
    return order[first...].prefix { numbers[Int($0)] == number }.map { Int($0) }
  }

  private static func number(calendar: String, key: String) -> UInt64 {
    var text = Array(calendar.utf8)
    text.append(0)
    text += key.utf8
    return Digest.sha256(text)[..<6].reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// The identifiers of the calendar used last, so that they are hashed once.
final class SeriesIDCache: Sendable {
  private let known = Mutex<SeriesIDs?>(nil)

  func ids(calendarID: String, of series: [Series]) -> SeriesIDs {
    known.withLock { known in
      if let known, known.calendarID == calendarID { return known }
      let ids = SeriesIDs(calendarID: calendarID, series: series)
      known = ids
      return ids
    }
  }
}
