import AnchorWatch

/// Reads a table of fixes: `time,lat,lon`, or any columns that a first line names. Times are seconds (or milliseconds)
/// since 1970, or RFC 3339; commas, semicolons and tabs separate.
package struct CSVReader: PositionReader {
  private var lines = LineCutter()
  private var columns: [Column?]?

  private enum Column: String {
    case time, latitude, longitude, accuracy, hdop, speed, course, heading, depth

    init?(header: String) {
      switch header.lowercased() {
      case "time", "timestamp", "at", "datetime": self = .time
      case "lat", "latitude": self = .latitude
      case "lon", "lng", "long", "longitude": self = .longitude
      case "accuracy", "accuracy_m", "eph": self = .accuracy
      case let name: self.init(rawValue: name)
      }
    }
  }

  package init() {}

  package mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>, received: Double?, _ take: (Reading) -> Void) {
    var cutter = lines
    cutter.feed(bytes) { read($0, take) }
    lines = cutter
  }

  package mutating func finish(_ take: (Reading) -> Void) {
    var cutter = lines
    cutter.end { read($0, take) }
    lines = cutter
  }

  /// True for a line that this reader understands: a head with the three columns that are needed, or a fix.
  static func understands(_ line: some Sequence<UInt8>) -> Bool {
    let cells = cells(line)
    return columns(cells) != nil || (try? fix(cells, usual)) != nil
  }

  private mutating func read(_ piece: LineCutter.Piece, _ take: (Reading) -> Void) {
    guard case .line(let line) = piece else { return take(.refused(.tooLong)) }
    let cells = Self.cells(line)
    if cells.allSatisfy(\.isEmpty) || cells[0].hasPrefix("#") { return }
    if let found = Self.columns(cells) { return columns = found }
    do throws(Refused) {
      take(.fix(try Self.fix(cells, columns ?? Self.usual)))
    } catch {
      take(.refused(error.refusal))
    }
  }

  private static let usual: [Column?] = [.time, .latitude, .longitude]

  private static func cells(_ line: some Sequence<UInt8>) -> [String] {
    let bytes = Array(line)
    let separators: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: ";"), 9]
    return bytes.split(omittingEmptySubsequences: false) { separators.contains($0) }.map { cell in
      trimmed(
        String(
          decoding: cell.filter { $0 != UInt8(ascii: "\"") && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF },
          as: UTF8.self))
    }
  }

  /// The columns that a head names; nil if it does not name the three that are needed.
  private static func columns(_ cells: [String]) -> [Column?]? {
    let found = cells.map(Column.init(header:))
    return [.time, .latitude, .longitude].allSatisfy(found.contains) ? found : nil
  }

  private static func fix(_ cells: [String], _ columns: [Column?]) throws(Refused) -> Fix {
    func text(_ column: Column) -> String? {
      columns.firstIndex(of: column).flatMap { $0 < cells.count && !cells[$0].isEmpty ? cells[$0] : nil }
    }
    func value(_ column: Column) -> Double? { text(column).flatMap(number(in:)) }
    guard let latitude = text(.latitude), let longitude = text(.longitude) else { throw Refused(.positionMissing) }
    // Words such as "nan" are a position that cannot be, not one that is missing.
    guard let latitude = number(in: latitude), let longitude = number(in: longitude) else {
      throw Refused(.positionImpossible)
    }
    let position = try position(latitude: latitude, longitude: longitude)
    guard let time = text(.time).flatMap(time) else { throw Refused(.timeMissing) }
    var fix = Fix(time: time, position: position, accuracy: value(.accuracy), hdop: value(.hdop))
    (fix.speed, fix.course, fix.heading) = (value(.speed), value(.course), value(.heading))
    fix.depth = value(.depth)
    return fix
  }

  private static func time(_ text: String) -> Double? {
    if let number = number(in: text), !text.contains(":") { return plausible(fromMilliseconds(number)) }
    return plausible(seconds(ofTimestamp: text))
  }
}
