/// The bounds and fixed numbers of the anchor watch.
public enum AnchorLimits {
  /// Metres within which the plane around the anchor is used, and the latitude beyond which it never is.
  public static let planeMetres = 1_000.0
  public static let planeLatitude = 85.0
  /// Metres of a radius that is accepted.
  public static let radius = 5.0...5_000
  /// Corners of a polygon, and sectors that are kept out.
  public static let corners = 3...64
  public static let excluded = 16
  /// The worst quality that makes a confirmation longer: four times the grace.
  public static let mostPatience = 4.0
  /// Metres of error that go with an HDOP of 1, for receivers that tell metres alone.
  public static let metresPerHDOP = 5.0
  /// Metres of error beyond which a fix is only used when it decides in spite of it.
  public static let coarse = 100.0
  /// Seconds by which a fix may be ahead of the clock that is passed.
  public static let ahead = 600.0
  /// Seconds by which the clock may go back without having been set.
  public static let clockBack = 5.0
  /// Seconds between two samples of the creep's hour, the fewest that say something, and seconds between two looks.
  public static let creepStep = 10.0
  public static let creepLeast = 12
  public static let creepLook = 600.0
  /// Seconds over which a told wind is smoothed.
  public static let windSeconds = 60.0
  /// Metres a second at which a boat is thought to be able to reach the edge.
  public static let driftSpeed = 1.0
  /// Seconds between two checks when the boat is far from the edge: with a good battery, and with an empty one as a
  /// share of the gap.
  public static let usualCheck = 30.0
  public static let rarestCheck = 0.9
  /// Positions that a circle is fitted to, the steps of it, the degrees of arc that it needs, and the metres by which
  /// an anchor must lie elsewhere to be offered.
  public static let swingPlaces = 30...2_000
  public static let swingRounds = 20
  public static let swingArc = 80.0
  public static let swingLeast = 3.0
  /// Things that a replay lists; more are counted.
  public static let replayEvents = 10_000
}
