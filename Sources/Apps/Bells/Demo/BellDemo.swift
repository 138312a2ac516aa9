import CivilTime
import Delivery
import Hub
import Wire

/// The last days of the demonstration's club, as they rang for whoever becomes its owner.
enum BellDemo {
  /// How one ended.
  private enum End {
    case new, seen, withdrawn
    case answered(DemoClub.Somebody, String)
    /// The workshop's bell was off, so that it was too late there.
    case late
  }

  private struct Told {
    var hoursAgo: Double
    var room: String
    var bell: Bell
    var end: End
    var topic: String? { ["anchor", "programme", "space"].contains(room) ? room : nil }
  }

  /// Fills the list of a new owner, and hangs a bell in the workshop.
  static func welcome(_ person: Int, _ role: Role, in change: Change) throws {
    let (database, now) = (change.database, change.now)
    guard role == .owner, try database.isDemo() == true, try database.inbox(ofPerson: person, limit: 1).isEmpty,
      try database.pushDevices(ofPerson: person).isEmpty
    else { return }
    let club = try DemoClub(database)
    let name = club("Bell in the workshop", german: "Glocke in der Werkstatt")
    var device = PushDevice(
      name: name, kind: .agent, person: person, zone: nil, channels: [.gateway], createdAt: now - 40 * 86_400)
    device.seenAt = now - 1_200
    let zone = try database.place()?.zone ?? .utc
    let today = DemoClub.feast(before: zone.wall(at: Int(now)).date)
    guard let workshop = try database.addPushDevice(device) else { return }
    for told in days(club, on: today, to: ["person": JSON(id: person)]) {
      let at = now - told.hoursAgo * 3_600
      let submission = Submission(
        to: [.person(person)], content: told.bell.content(in: club.isGerman ? .german : .english),
        collapseID: told.bell.collapseID, expiresAt: told.bell.lifetime == 0 ? nil : at + told.bell.lifetime,
        sender: "room \(told.room)", room: told.room,
        topic: told.topic, topics: told.topic.map { [$0] } ?? [])
      let id = try database.submit(submission, now: at).id
      if case .late = told.end {
        _ = try database.expire(now: at + told.bell.lifetime + 1)
        _ = try database.markSeen(ofPerson: person, [id])
        continue
      }
      let shown = Receipt(notification: id, version: 1, what: .shown, at: at + 0.3, sentAt: at + 0.1)
      _ = try database.record(shown, device: workshop, channel: .gateway, now: at + 0.4)
      switch told.end {
      case .new, .late: break
      case .seen: _ = try database.markSeen(ofPerson: person, [id])
      case .withdrawn: _ = try database.withdraw(notification: id, now: at + 900)
      case .answered(let somebody, let action):
        guard let who = try club.person(somebody, in: database) else { continue }
        _ = try database.answer(id, by: .person(who), action: action, at: at + 70, now: at + 71)
      }
    }
  }

  /// The oldest first.
  private static func days(_ club: DemoClub, on today: CivilDate, to: JSON) -> [Told] {
    func told(
      _ hoursAgo: Double, _ room: String, _ title: Bell.Words, _ body: Bell.Words, lifetime: Double = 0,
      actions: [Bell.Action] = [], level: Bell.Level = .active, end: End
    ) -> Told {
      let bell = Bell(
        to: to, title: title, body: body, actions: actions, thread: room, level: level, lifetime: lifetime,
        path: "/\(room)")
      return Told(hoursAgo: hoursAgo, room: room, bell: bell, end: end)
    }
    let (jonas, lena, tjark) = (DemoClub.Somebody.jonas.name, DemoClub.Somebody.lena.name, DemoClub.Somebody.tjark.name)
    let boat = DemoClub.boat
    let feast = club.feastName(on: today)
    return [
      told(
        74, "programme", Bell.Words("New in the programme", german: "Neu im Programm"),
        Bell.Words("Hackathon: sixty hours, one theme", german: "Hackathon: sechzig Stunden, ein Thema"), end: .seen),
      told(
        69, "anchor", Bell.Words("\(boat) drifts: 41 m", german: "\(boat) treibt: 41 m"),
        Bell.Words("She lies 9 m outside of her zone.", german: "Das Boot liegt 9 m außerhalb seines Bereichs."),
        actions: [Bell.Action("on-it", Bell.Words("I’m on it", german: "Ich kümmere mich"))], level: .critical,
        end: .answered(.tjark, "on-it")),
      told(
        50, "space", Bell.Words("Soup tonight", german: "Heute Suppe"),
        Bell.Words("\(jonas) cooks, for whoever comes", german: "\(jonas) kocht, für alle, die kommen"),
        lifetime: 7_200, end: .late),
      told(
        31, "programme",
        Bell.Words("No visit to the harbour’s radar", german: "Der Besuch beim Hafenradar fällt aus"),
        Bell.Words("The gate stays closed that day.", german: "Das Tor bleibt an dem Tag zu."), end: .withdrawn),
      told(
        26, "albums", Bell.Words("2 new pictures", german: "2 neue Bilder"),
        Bell.Words("\(lena), in “\(feast)”", german: "\(lena), in „\(feast)“"), end: .seen),
      told(
        5, "space",
        Bell.Words("\(lena) needs the key to the attic", german: "\(lena) sucht den Schlüssel zum Dachboden"),
        Bell.Words("Who had it last?", german: "Wer hatte ihn zuletzt?"),
        actions: [Bell.Action("mine", Bell.Words("I have it", german: "Ich habe ihn"))], level: .timeSensitive,
        end: .answered(.ada, "mine")),
      told(
        2, "apps", Bell.Words("\(tjark) leads", german: "\(tjark) führt"),
        Bell.Words("A word of seven letters at the kitchen table", german: "Sieben Buchstaben am Küchentisch"),
        end: .new),
      told(
        0.6, "space", Bell.Words("The lock is silent", german: "Das Schloss meldet sich nicht"),
        Bell.Words(
          "In the attic, since this morning. Its battery?",
          german: "Auf dem Dachboden, seit heute Morgen. Die Batterie?"), end: .new),
    ]
  }
}
