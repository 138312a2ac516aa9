/// The receivers whose positions come in one stream. The first one that tells a position counts, and another one when
/// that has told nothing for a while; the others are witnesses. Mixed together, one that has stopped would hide a boat
/// that moves: each position of either would look like an error of the other.
struct Receivers {
  private var chosen: String?
  /// The first times that the others have told since the chosen one did. Each is measured by its own clock, for one of
  /// them may be years off.
  private var since: [String: Double] = [:]

  /// True for a position that counts, false for one of a witness.
  mutating func counts(_ name: String, at time: Double) -> Bool {
    if let chosen, name != chosen {
      guard since.count < PositionLimits.receivers || since[name] != nil else { return false }
      let first = since[name] ?? time
      since[name] = first
      guard abs(time - first) >= PositionLimits.besideSeconds else { return false }
    }
    (chosen, since) = (name, [:])
    return true
  }

  /// The stream begins again after a pause, in which nobody could tell anything.
  mutating func pause() { since = [:] }
}
