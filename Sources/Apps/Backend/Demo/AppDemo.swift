import Hub
import Objects
import Wire

/// The word game that the demonstration's members play, with a lively evening and its rounds.
enum AppDemo {
  /// The letters of a round, then the words that were found in them.
  private static let english = [
    ["lanternsu", "lantern", "saunter", "nature", "learnt", "rental"],
    ["harbourts", "harbour", "throb", "hours", "boats", "abhor"],
  ]
  private static let german = [
    ["laternenb", "laterne", "albern", "banner", "tanne", "beten"],
    ["hafenbars", "hafen", "haben", "sahne", "fahne", "basar"],
  ]

  /// Does nothing if there are apps already.
  static func fill(_ hub: Hub) async throws {
    let made = try await hub.commit(as: .room(BackendRoom.id)) { change -> (App, DemoClub, Double)? in
      let database = change.database
      guard try database.appCount() == 0 else { return nil }
      let club = try DemoClub(database)
      var (app, _) = try AppChange.make(club("Word game", german: "Wörterspiel"), in: change)
      app.options.subscriptionCount = true
      app.options.connections = 500
      try database.save(app)
      let now = Int(change.now / 3600)
      // The same each time, so that pictures of it stay comparable: a quiet night and a lively evening.
      let hours = (1...AppUsage.days * 24).map { ago in
        let wave = max(0, 12 - abs((now - ago) % 24 - 20)) * 37 + ago % 7 * 11
        return (app: app.id, hour: AppHour(hour: now - ago, messages: wave * wave / 40, connections: wave / 6))
      }
      try database.add(hours)
      return (app, club, change.now)
    }
    guard let (app, club, now) = made else { return }
    try await AppObjects(hub).write(app, as: .master) { writer in try play(writer, club, now: now) }
  }

  /// Rounds at the kitchen table, with the words that each player took.
  private static func play(_ writer: ObjectWriter, _ club: DemoClub, now: Double) throws {
    let players: [DemoClub.Somebody] = [.lena, .tjark, .jonas, .mira]
    let rounds = club.isGerman ? german : english
    for (number, round) in rounds.enumerated() {
      let time = Int(now - Double(rounds.count - number) * 86_400) * 1_000
      let table = try writer.create(
        "Round",
        ObjectEdit([
          "table": .string(club("Kitchen", german: "Küche")), "letters": .string(round[0]),
          "language": .string(club("en", german: "de")),
        ]), createdAt: time
      ).object
      for (place, word) in round.dropFirst().enumerated() {
        let edit = try ObjectEdit([
          "word": .string(word), "player": .string(players[(place + number) % players.count].name),
          "points": .int(word.count),
          "round": ["__type": "Pointer", "className": "Round", "objectId": .string(table.id)],
        ])
        _ = try writer.create("Word", edit, createdAt: time + 7_000 * (place + 1))
      }
    }
  }
}
