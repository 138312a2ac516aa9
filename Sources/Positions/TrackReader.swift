/// The formats of recorded tracks.
package enum TrackFormat: String, Equatable, Sendable, CaseIterable {
  case nmea = "NMEA 0183"
  case gpx = "GPX"
  case gpsd = "gpsd JSON"
  case signalK = "Signal K"
  case csv = "CSV"

  /// The format of a file by its beginning, whatever its name; nil for none of these.
  package static func recognised(_ beginning: [UInt8]) -> TrackFormat? {
    var bytes = beginning.prefix(PositionLimits.recognitionBytes)[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    bytes = bytes.drop { $0 <= 32 }
    if bytes.first == UInt8(ascii: "<") {
      return String(decoding: bytes, as: UTF8.self).contains("<gpx") || contains(bytes, ":gpx") ? .gpx : nil
    }
    for line in bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
      if let format = ofLine(line) { return format }
    }
    // An object on several lines.
    if bytes.contains(UInt8(ascii: "{")) {
      if contains(bytes, "\"updates\"") { return .signalK }
      if contains(bytes, "\"class\"") { return .gpsd }
    }
    return nil
  }

  private static func ofLine(_ line: ArraySlice<UInt8>) -> TrackFormat? {
    if line.contains(UInt8(ascii: "{")) {
      if contains(line, "\"class\"") { return .gpsd }
      if contains(line, "\"updates\"") || contains(line, "\"self\"") && contains(line, "\"roles\"") { return .signalK }
      return nil
    }
    if let dollar = line.lastIndex(of: UInt8(ascii: "$")) {
      let sentence = line[(dollar + 1)...]
      let address = sentence.prefix { $0 != UInt8(ascii: ",") }
      let isSentence = (4...10).contains(address.count) && address.count < sentence.count
      if isSentence, address.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) }) { return .nmea }
    }
    return CSVReader.understands(line) ? .csv : nil
  }

  private static func contains(_ bytes: ArraySlice<UInt8>, _ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard bytes.count >= wanted.count else { return false }
    return (bytes.startIndex...bytes.endIndex - wanted.count).contains { start in
      bytes[start] == wanted[0] && bytes[start...].starts(with: wanted)
    }
  }
}

/// Reads a recorded track of any of the formats, which it recognises by its content.
package struct TrackReader {
  package let format: TrackFormat
  private var reader: any PositionReader

  /// - Parameter beginning: the first bytes of the file, which have to be fed nevertheless.
  /// - Returns: nil for something else.
  package init?(recognising beginning: [UInt8]) {
    guard let format = TrackFormat.recognised(beginning) else { return nil }
    self.format = format
    reader =
      switch format {
      case .nmea: NMEAReader(near: Self.firstDate(beginning))
      case .gpx: GPXReader()
      case .gpsd: GPSDReader()
      case .signalK: SignalKReader()
      case .csv: CSVReader()
      }
  }

  package mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>, _ take: (Reading) -> Void) {
    reader.feed(bytes, received: nil, take)
  }

  package mutating func finish(_ take: (Reading) -> Void) { reader.finish(take) }

  /// The first date of a recording of NMEA 0183, for the sentences before it, which have a time of day alone.
  private static func firstDate(_ beginning: [UInt8]) -> Double? {
    var reader = NMEAReader()
    reader.feed(beginning.prefix(PositionLimits.recognitionBytes)) { _ in }
    return reader.dated
  }
}
