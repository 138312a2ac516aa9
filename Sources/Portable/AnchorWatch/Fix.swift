/// A position as a receiver told it, with what it told beside it.
public struct Fix: Equatable, Sendable {
  /// Seconds since 1970, by the same clock as the times that are passed to the watch.
  public var time: Double
  public var position: Position
  /// Metres of error as the receiver estimates it (eph).
  @Told public var accuracy: Double?
  @Told public var hdop: Double?
  /// Metres a second.
  @Told public var speed: Double?
  /// Degrees true: over ground, of the bow, and of the wind (from where it blows).
  @Told public var course: Double?
  @Told public var heading: Double?
  @Told public var windDirection: Double?
  /// Metres a second.
  @Told public var windSpeed: Double?
  /// Metres of water.
  @Told public var depth: Double?

  public init(
    time: Double, position: Position, accuracy: Double? = nil, hdop: Double? = nil, speed: Double? = nil,
    course: Double? = nil, heading: Double? = nil, depth: Double? = nil, windDirection: Double? = nil,
    windSpeed: Double? = nil
  ) {
    (self.time, self.position, self.accuracy, self.hdop, self.speed) = (time, position, accuracy, hdop, speed)
    (self.course, self.heading, self.depth) = (course, heading, depth)
    (self.windDirection, self.windSpeed) = (windDirection, windSpeed)
  }

  /// The receiver's estimate of the fix as an HDOP: 1 is good, and an unknown one counts as good.
  public var quality: Double {
    let told = hdop ?? accuracy.map { $0 / AnchorLimits.metresPerHDOP } ?? 1
    return told > 1 ? min(told, AnchorLimits.mostPatience) : 1
  }
}

/// A number that a receiver may have told, in half the room: not a number is nothing told. A fix is copied a million
/// times a night.
@propertyWrapper public struct Told: Equatable, Sendable {
  private var number: Double

  public init(wrappedValue: Double?) { number = wrappedValue ?? .nan }

  public var wrappedValue: Double? {
    get { number.isNaN ? nil : number }
    set { number = newValue ?? .nan }
  }

  public static func == (left: Told, right: Told) -> Bool {
    left.number == right.number || left.number.isNaN && right.number.isNaN
  }
}
