import AnchorWatch
import CivilTime

/// Reads NMEA 0183: positions of RMC, GGA, GLL and GNS of any talker; dilution, errors, heading, depth and wind of
/// other sentences beside them.
///
/// The first sentence of an instant that has a position makes the fix; what other sentences tell of the same instant is
/// joined to the next one, so that a fix never waits. Receivers are told apart by their talkers.
package struct NMEAReader: ReceiverReader {
  private var lines = LineCutter()
  private var beside = Beside()
  private var receivers = Receivers()
  /// Time and place of the last fix, and the sentences that told of that instant.
  private var time: Double?
  private var place: Position?
  private var told: Set<String> = []
  /// The talker that was the first to tell a position from satellites at the last instant that one of them told.
  private var spoke: (talker: String, time: Double, place: Position)?
  /// DBT sentences to leave out yet, since DPT has told a depth, which is from the waterline. Many sounders send both:
  /// DBT is from the transducer.
  private var leftOut = 0
  /// A time near the ones to come, for sentences without a date.
  private var near: Double?
  /// The first time with a date that a sentence told.
  private(set) var dated: Double?

  /// - Parameter near: a time near the first sentence, in seconds since 1970, for a recording without dates.
  package init(near: Double? = nil) { self.near = near }

  package mutating func restart() {
    var receivers = receivers
    receivers.pause()
    self = NMEAReader()
    self.receivers = receivers
  }

  package mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>, received: Double?, _ take: (Reading) -> Void) {
    // A receiver knows the date better than a small computer without a battery for its clock.
    if dated == nil, let received { near = received }
    var cutter = lines
    cutter.feed(bytes) { read($0, take) }
    lines = cutter
  }

  package mutating func finish(_ take: (Reading) -> Void) {
    var cutter = lines
    cutter.end { read($0, take) }
    lines = cutter
  }

  private mutating func read(_ piece: LineCutter.Piece, _ take: (Reading) -> Void) {
    guard case .line(let line) = piece else { return take(.refused(.tooLong)) }
    do throws(Refused) {
      guard let sentence = try NMEASentence(line), let reading = try reading(of: sentence) else { return }
      take(reading)
    } catch {
      take(.refused(error.refusal))
    }
  }

  private mutating func reading(of sentence: NMEASentence) throws(Refused) -> Reading? {
    switch sentence.kind {
    case "RMC":
      if let date = Self.date(sentence.text(8)), let second = sentence.secondOfDay(0) {
        tell(date, second)
      }
      try check(status: sentence.text(1), mode: sentence.text(11))
      let course = sentence.number(7)
      let speed = sentence.number(6).map { $0 * knot }
      return try fix(sentence, time: 0, latitude: 2) { fix in
        fix.speed = speed
        fix.course = course
      }
    case "GGA":
      // 6 is estimated (dead reckoning), 7 typed by hand: neither would ever show a drag.
      guard let quality = Int(sentence.text(5)), quality > 0, quality != 6, quality != 7 else { throw Refused(.noFix) }
      tellDilution(sentence.number(7))
      return try fix(sentence, time: 0, latitude: 1) { _ in }
    case "GNS":
      guard sentence.text(5).contains(where: { "ADFPRS".contains($0) }) else { throw Refused(.noFix) }
      tellDilution(sentence.number(7))
      return try fix(sentence, time: 0, latitude: 1) { _ in }
    case "GLL":
      try check(status: sentence.text(5), mode: sentence.text(6))
      return try fix(sentence, time: 4, latitude: 0) { _ in }
    case "ZDA":
      if let day = Int(sentence.text(1)), let month = Int(sentence.text(2)), let year = Int(sentence.text(3)),
        (1980...9998).contains(year), let date = CivilDate(validYear: year, month: month, day: day),
        let second = sentence.secondOfDay(0)
      {
        tell(date, second)
      }
    default: tell(sentence)
    }
    return nil
  }

  /// Status "A" is valid and "V" is not; an empty one of GLL before version 2 is no word. The mode of later versions
  /// says more: "N" is none, "E" estimated, "M" typed by hand.
  private func check(status: Substring, mode: Substring) throws(Refused) {
    guard status == "A", !["N", "E", "M"].contains(mode) else { throw Refused(.noFix) }
  }

  private mutating func fix(
    _ sentence: NMEASentence, time timeField: Int, latitude: Int, _ add: (inout Fix) -> Void
  ) throws(Refused) -> Reading? {
    let position = try position(
      latitude: try sentence.angle(latitude, degreeDigits: 2),
      longitude: try sentence.angle(latitude + 2, degreeDigits: 3))
    guard let second = sentence.secondOfDay(timeField) else { throw Refused(.timeMissing) }
    let time = nearest(second)
    var fix = Fix(time: time, position: position)
    add(&fix)
    let talker = String(sentence.address.dropLast(3))
    let counts = receivers.counts(talker, at: time)
    if Self.satelliteTalkers.contains(talker) {
      if let spoke, time == spoke.time, position.distance(to: spoke.place) < Self.oneReceiverMetres {
        // One receiver by two names, as of those that tell GNRMC beside GPGGA: it is no witness of itself.
        if talker != spoke.talker, !counts { return nil }
        if counts { receivers.rename(to: spoke.talker) }
      } else {
        spoke = (talker, time, position)
      }
    }
    guard counts else { return .witness(fix, of: talker) }
    if time == self.time, let place, position.distance(to: place) < PositionLimits.apartMetres,
      told.insert(sentence.address).inserted
    {
      // Another sentence of the same instant: only what it tells beside the position is new.
      return nil
    }
    (self.time, self.place, near, told) = (time, position, time, [sentence.address])
    return .fix(beside.join(fix))
  }

  /// The time of that second of a day, on the day that brings it nearest to the last one.
  private func nearest(_ second: Double) -> Double {
    guard let near else { return second }
    let days = ((near - second) / secondsOfDay).rounded()
    return max(0, days) * secondsOfDay + second
  }

  /// "221126" is 22 November 2026.
  private static func date(_ text: Substring) -> CivilDate? {
    guard text.utf8.count == 6, let number = Int(text), number >= 0 else { return nil }
    let year = number % 100
    return CivilDate(validYear: year < 80 ? 2000 + year : 1900 + year, month: number / 100 % 100, day: number / 10_000)
  }

  private mutating func tell(_ date: CivilDate, _ second: Double) {
    let time = Double(WallTime(date: date, secondOfDay: 0).seconds) + second
    near = time
    if dated == nil { dated = time }
  }

  // MARK: Beside positions

  private mutating func tellDilution(_ hdop: Double?) {
    guard let hdop, hdop > 0, hdop < Self.noDilution else { return beside.forget(\.hdop) }
    beside.tell(\.hdop, hdop)
  }

  private mutating func tell(_ sentence: NMEASentence) {
    switch sentence.kind {
    case "GSA": tellDilution(sentence.number(15))
    case "GST":
      guard let north = sentence.number(5), let east = sentence.number(6) else { return beside.forget(\.accuracy) }
      beside.tell(\.accuracy, (north * north + east * east).squareRoot())
    case "HDT": if let heading = sentence.number(0) { beside.tell(\.heading, heading) }
    case "DPT":
      // A positive offset is from the transducer up to the waterline, a negative one down to the keel.
      guard let depth = sentence.number(0) else { return }
      leftOut = Self.leftOutAfterDPT
      beside.tell(\.depth, depth + max(0, sentence.number(1) ?? 0))
    case "DBT":
      if leftOut > 0 {
        leftOut -= 1
      } else if let depth = sentence.number(2) {
        beside.tell(\.depth, depth)
      }
    case "MWD":
      if let direction = sentence.number(0) { beside.tell(\.windDirection, direction) }
      if let speed = sentence.number(6) ?? sentence.number(4).map({ $0 * knot }) { beside.tell(\.windSpeed, speed) }
    default: break
    }
  }

  /// Talkers of satellite receivers: GPS, GLONASS, Galileo, BeiDou, QZSS, NavIC, and several of them together.
  private static let satelliteTalkers: Set = ["GP", "GL", "GA", "GB", "BD", "GQ", "GI", "GN"]
  /// Metres within which two talkers tell one place at one instant: sentences of one receiver are rounded differently,
  /// and two receivers seldom agree so well.
  private static let oneReceiverMetres = 2.0
  /// After so many DBT without a DPT there is another sounder, or it was set up anew.
  private static let leftOutAfterDPT = 30
  /// Receivers without a fix write 99.99.
  private static let noDilution = 99.0
}
