/// Whose pictures and films are made next: albums take turns, and in an album its guests, by the time that was spent on
/// theirs; for sizes and for films apart. Else whoever sends most, or what takes longest, would hold up everybody.
struct Turns: Sendable {
  /// A guest of whom something waits.
  struct Waiting: Sendable {
    let album: Int
    let guest: Int
    /// The first stage of theirs, since small sizes of all come before large ones; 3 for all that is converted.
    let stage: Int
    /// The key of their newest picture.
    let newest: Int
  }

  /// Those who take turns: the albums, or the guests of one.
  private struct Line: Hashable {
    let isOfFilms: Bool
    var album: Int?
  }

  /// Seconds spent on each of a line. Nobody has less than whoever's turn began last had then: for old turns of others
  /// a newcomer gets none.
  private struct Spent {
    var seconds: [Int: Double] = [:]
    var least = 0.0

    subscript(key: Int) -> Double { max(seconds[key] ?? 0, least) }
  }
  private var spent: [Line: Spent] = [:]

  /// A picture's turn begins.
  mutating func begin(_ picture: Picture) { change(picture) { spent, key in spent.least = spent[key] } }

  mutating func note(_ seconds: Double, on picture: Picture) {
    change(picture) { spent, key in spent.seconds[key] = spent[key] + seconds }
  }

  private mutating func change(_ picture: Picture, _ update: (inout Spent, Int) -> Void) {
    let isOfFilms = picture.stage >= 3
    update(&spent[Line(isOfFilms: isOfFilms), default: Spent()], picture.album)
    update(&spent[Line(isOfFilms: isOfFilms, album: picture.album), default: Spent()], picture.guest)
  }

  /// The guests in the order of their turns; where no time was spent, whoever has sent the newest is first.
  func inOrder(_ waiting: [Waiting]) -> [Waiting] { waiting.sorted { key($0) < key($1) } }

  private func key(_ one: Waiting) -> (Int, Double, Double, Int) {
    let isOfFilms = one.stage >= 3
    let album = spent[Line(isOfFilms: isOfFilms)]?[one.album] ?? 0
    let guest = spent[Line(isOfFilms: isOfFilms, album: one.album)]?[one.guest] ?? 0
    return (one.stage, album, guest, -one.newest)
  }
}
