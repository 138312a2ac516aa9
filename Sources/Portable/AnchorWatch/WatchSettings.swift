/// The settings of an anchor watch. The numbers are those that are offered.
public struct WatchSettings: Equatable, Sendable {
  public var anchor: Position
  public var alarm: Shape
  /// The share of the way to the edge from which a warning comes.
  public var warning = 0.8
  /// Sectors that the boat must not enter, seen from the anchor: rocks, a fairway, a neighbour.
  public var excluded: [Sector] = []
  /// Seconds: a silence that is a gap, one after which the position is lost, and outside the zone before it counts.
  public var gap = 60.0
  public var lost = 120.0
  public var grace = 30.0
  /// The share of the zone's radius by which the middle of an hour's positions may move.
  public var creep = 0.3
  /// Metres a second beyond which a jump is a receiver's error, and how many such jumps in a row are believed.
  public var glitchSpeed = 15.4
  public var glitchCount = 5
  /// Degrees that the wind may shift, and metres of water, where these are told.
  public var windShift, depthMin, depthMax: Double?
  /// Metres from the antenna forward to the bow.
  public var bow = 0.0
  /// Seconds between two signs of life that are promised.
  public var beat = 60.0

  /// Metres within the zone's edge in which it warns: everywhere the same, also along what is kept out.
  public var warningRoom: Double {
    (1 - warning) * Zone(alarm, excluded: excluded, in: Plane(around: anchor)).depth
  }

  public init(anchor: Position, alarm: Shape) { (self.anchor, self.alarm) = (anchor, alarm) }
}
