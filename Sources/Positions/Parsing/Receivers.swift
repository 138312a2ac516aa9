/// The receivers whose positions come in one stream. The first one that tells a position counts, and another one when
/// that has told nothing new for a while; the others are witnesses. Mixed together, one that has stopped would hide a
/// boat that moves: each position of either would look like an error of the other.
struct Receivers {
  private var chosen: String?
  /// The time that the chosen one told last. To repeat it is no sign of life: a receiver that has lost its antenna may
  /// do so for ever.
  private var last: Double?
  /// The first times that the others have told since the chosen one did. Each is measured by its own clock, for one of
  /// them may be years off.
  private var since: [String: Double] = [:]

  /// True for a position that counts, false for one of a witness.
  mutating func counts(_ name: String, at time: Double) -> Bool {
    if name == chosen, time == last { return true }
    if let chosen, name != chosen {
      guard since.count < PositionLimits.receivers || since[name] != nil else { return false }
      let first = since[name] ?? time
      since[name] = first
      guard abs(time - first) >= PositionLimits.besideSeconds else { return false }
    }
    (chosen, last, since) = (name, time, [:])
    return true
  }

  /// The receiver that counts has this name, too, and tells its positions by it first.
  mutating func rename(to name: String) { chosen = name }

  /// The stream begins again after a pause, in which nobody could tell anything.
  mutating func pause() { since = [:] }
}
