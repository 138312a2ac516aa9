package import AnchorWatch

/// Reads the points of GPX tracks (1.0 and 1.1), and the named places beside them.
package struct GPXReader: PositionReader {
  package struct Place: Equatable, Sendable {
    package var name: String
    package var position: Position
    package var time: Double?
  }

  /// The waypoints (wpt), such as the anchor of an own export; only so many are kept.
  package private(set) var places: [Place] = []
  /// True once the document is known to be GPX.
  package private(set) var isGPX = false

  private struct Point {
    var latitude: Double?
    var longitude: Double?
    var time: Double?
    var name = ""
    var hdop: Double?
    var speed: Double?
    var course: Double?
  }
  private var scanner = TagScanner()
  private var point: Point?
  /// The element whose text comes next.
  private var element = ""
  private var text = ""

  package init() {}

  package mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>, received: Double?, _ take: (Reading) -> Void) {
    var scanner = self.scanner
    scanner.feed(bytes) { read($0, take) }
    self.scanner = scanner
  }

  package mutating func finish(_ take: (Reading) -> Void) {
    if point != nil || scanner.isUnfinished { take(.refused(.unfinished)) }
    (scanner, point) = (TagScanner(), nil)
  }

  private mutating func read(_ piece: TagScanner.Piece, _ take: (Reading) -> Void) {
    switch piece {
    case .tooLong: take(.refused(.tooLong))
    case .text(let bytes): if point != nil { text = String(decoding: bytes, as: UTF8.self) }
    case .tag(let bytes): read(Tag(bytes), take)
    }
  }

  private mutating func read(_ tag: Tag, _ take: (Reading) -> Void) {
    switch tag.name {
    case "gpx": isGPX = true
    case "trkpt", "wpt":
      if !tag.isEnd {
        if point != nil { take(.refused(.unfinished)) }
        point = Point(
          latitude: tag["lat"].flatMap(number(in:)), longitude: tag["lon"].flatMap(number(in:)))
      }
      if tag.isEnd || tag.isEmpty, let point {
        self.point = nil
        if tag.name == "wpt" { keep(point) } else { take(Self.reading(point)) }
      }
    default:
      if tag.isEnd, tag.name == element { tell(trimmed(text)) }
      element = tag.isEnd ? "" : tag.name
      text = ""
    }
  }

  private mutating func tell(_ text: String) {
    switch element {
    // All times of GPX are in UTC; some programs leave the "Z" out.
    case "time": point?.time = plausible(seconds(ofTimestamp: text) ?? seconds(ofTimestamp: text + "Z"))
    case "name": point?.name = text
    case "hdop": point?.hdop = number(in: text)
    case "speed": point?.speed = number(in: text)
    case "course": point?.course = number(in: text)
    default: break
    }
  }

  private mutating func keep(_ point: Point) {
    guard places.count < PositionLimits.places, let latitude = point.latitude, let longitude = point.longitude,
      let position = Position(latitude: latitude, longitude: longitude)
    else { return }
    places.append(Place(name: point.name, position: position, time: point.time))
  }

  private static func reading(_ point: Point) -> Reading {
    do throws(Refused) {
      let position = try position(latitude: point.latitude, longitude: point.longitude)
      guard let time = point.time else { throw Refused(.timeMissing) }
      return .fix(Fix(time: time, position: position, hdop: point.hdop, speed: point.speed, course: point.course))
    } catch {
      return .refused(error.refusal)
    }
  }
}

/// A decimal number of a text; nil for words such as "nan", too, which would not be a number.
func number(in text: some StringProtocol) -> Double? {
  let text = trimmed(text)
  guard !text.isEmpty, let first = text.utf8.first, (48...57).contains(first) || "+-.".utf8.contains(first) else {
    return nil
  }
  guard let number = Double(text), number.isFinite else { return nil }
  return number
}

func trimmed(_ text: some StringProtocol) -> String {
  let bytes = text.utf8.drop { $0 <= 32 }
  return String(decoding: bytes.reversed().drop { $0 <= 32 }.reversed(), as: UTF8.self)
}
