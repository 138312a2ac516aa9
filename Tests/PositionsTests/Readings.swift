import AnchorWatch
import Testing

@testable import Positions

/// The readings that a reader makes of a text, whole or in pieces.
func readings(
  _ text: some StringProtocol, _ reader: some PositionReader, received: Double? = nil, pieces: Int = .max
) -> [Reading] {
  var reader = reader
  var found: [Reading] = []
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    reader.feed(rest.prefix(pieces), received: received) { found.append($0) }
    rest = rest.dropFirst(pieces)
  }
  reader.finish { found.append($0) }
  return found
}

/// The same whole, and byte by byte, which must be alike.
func bothWays(_ text: String, _ reader: some PositionReader, received: Double? = nil) -> [Reading] {
  let whole = readings(text, reader, received: received)
  #expect(readings(text, reader, received: received, pieces: 1) == whole)
  return whole
}

extension [Reading] {
  var fixes: [Fix] { compactMap { if case .fix(let fix) = $0 { fix } else { nil } } }
  var witnesses: [String] { compactMap { if case .witness(_, let receiver) = $0 { receiver } else { nil } } }
  var refusals: [Refusal] { compactMap { if case .refused(let refusal) = $0 { refusal } else { nil } } }
}

/// A sentence of NMEA 0183 with its checksum.
func sentence(_ body: String) -> String {
  let sum = body.utf8.reduce(0, ^)
  let digits = String(sum, radix: 16, uppercase: true)
  return "$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
}
