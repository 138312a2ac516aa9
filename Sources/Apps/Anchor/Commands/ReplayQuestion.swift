import AnchorWatch
import Settings
import Terminal

/// The options of a replay.
struct ReplayQuestion {
  enum Anchor: Equatable {
    case place(Position)
    /// The median of so many positions; one is the first.
    case median(Int)
  }

  let radius: Double
  let anchor: Anchor
  let warning: Double
  let isRaw: Bool

  /// Metres of a radius: arithmetic may be checked with any, unlike a watch.
  private static let radii = 0.1...100_000
  /// Positions of a median: an hour at one a second.
  private static let positions = 1...3_600

  init(_ arguments: Arguments) throws(CommandError) {
    guard let radius = arguments["radius"] else { throw CommandError(usage: "--radius M is missing: metres.") }
    self.radius = try Self.metres("radius", radius, Self.radii)
    let most = Self.radii.lowerBound...self.radius
    warning =
      try arguments["warning"].map { text throws(CommandError) in try Self.metres("warning", text, most) }
      ?? self.radius * 0.8
    anchor = try Self.anchor(arguments["anchor"] ?? "median:60")
    isRaw = arguments.has("raw")
  }

  func settings(around anchor: Position) -> WatchSettings {
    var settings = WatchSettings(anchor: anchor, alarm: .circle(radius: radius))
    settings.warning = warning / radius
    return settings
  }

  private static func metres(
    _ name: String, _ text: String, _ accepted: ClosedRange<Double>
  ) throws(CommandError) -> Double {
    guard let metres = Double(text), accepted.contains(metres) else {
      throw CommandError(
        usage:
          "--\(name) \(text.prefix(80)): metres from \(accepted.lowerBound) to \(accepted.upperBound) are accepted.")
    }
    return metres
  }

  private static func anchor(_ text: String) throws(CommandError) -> Anchor {
    if text == "first" { return .median(1) }
    let median = text.split(separator: ":", omittingEmptySubsequences: false)
    if median.count == 2, median[0] == "median", let count = Int(median[1]), positions.contains(count) {
      return .median(count)
    }
    let pair = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    if pair.count == 2, let latitude = pair[0], let longitude = pair[1],
      let place = Position(latitude: latitude, longitude: longitude)
    {
      return .place(place)
    }
    throw CommandError(
      usage: "--anchor \(text.prefix(80)): degrees such as 54.1,10.2 are accepted, first, and median:N with 1 to "
        + "\(positions.upperBound) positions.")
  }
}
