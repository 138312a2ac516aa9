/// Whose pictures and films are made next: albums take turns, and in an album its guests, by the time that was spent on
/// theirs. Else whoever sends most, or what takes longest, would hold up everybody.
struct Turns: Sendable {
  /// A guest of whom something waits.
  struct Waiting: Sendable {
    let album: Int
    let guest: Int
    /// The first stage of theirs, where small sizes of all guests of an album come before large ones; else 0.
    let stage: Int
    /// The key of their newest picture.
    let newest: Int
  }

  /// Seconds spent, by the keys of albums and of guests.
  private var albums: [Int: Double] = [:]
  private var guests: [Int: Double] = [:]

  mutating func note(_ seconds: Double, on picture: Picture) {
    albums[picture.album, default: 0] += seconds
    guests[picture.guest, default: 0] += seconds
  }

  /// The guests in the order of their turns; where no time was spent, whoever has sent the newest is first.
  func inOrder(_ waiting: [Waiting]) -> [Waiting] { waiting.sorted { key($0) < key($1) } }

  private func key(_ one: Waiting) -> (Double, Int, Double, Int) {
    (albums[one.album] ?? 0, one.stage, guests[one.guest] ?? 0, -one.newest)
  }
}
