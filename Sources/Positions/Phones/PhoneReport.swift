package import AnchorWatch

/// A report of a phone's app: positions, and the phone's own state.
package struct PhoneReport: Equatable, Sendable {
  /// In the order in which they were sent.
  package var fixes: [Fix] = []
  /// Positions that cannot be.
  package var refused = 0
  /// From 0 to 1.
  package var battery: Double?
  package var isCharging: Bool?
  /// True when the app only reports when something changes a lot: OwnTracks' significant mode.
  package var isSparing: Bool?
  /// The app's own name of the device, at most 64 bytes.
  package var device: String?
  /// The region or the words that the phone sent along, such as OwnTracks' trigger.
  package var trigger: String?

  package init() {}

  package struct Fault: Error, Equatable, Sendable {
    /// A sentence with what was seen and what is accepted.
    package var message: String
  }

  /// Adds a position, or counts it as one that cannot be.
  mutating func add(latitude: Double?, longitude: Double?, time: Double?, _ change: (inout Fix) -> Void) {
    guard let latitude, let longitude, let position = Position(latitude: latitude, longitude: longitude),
      let time = plausible(time), fixes.count < PositionLimits.fixesOfReport
    else { return refused += 1 }
    var fix = Fix(time: time, position: position)
    change(&fix)
    fixes.append(fix)
  }

  mutating func name(_ text: String?) {
    guard let text, !text.isEmpty, text.utf8.count <= 64 else { return }
    device = text
  }
}

/// A share of 0 to 1; nil for anything else, such as the -1 of a phone that does not know.
func share(_ number: Double?) -> Double? { number.flatMap { (0...1).contains($0) ? $0 : nil } }

/// A number of 0 or more; apps send -1 for what they do not know.
func known(_ number: Double?) -> Double? { number.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } }
