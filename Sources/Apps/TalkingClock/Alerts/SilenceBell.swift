import CivilTime
import Delivery
import Hub
import Store
import Wire

/// Rings when a device that should speak has fallen silent, and when it is back.
struct SilenceBell {
  private let device: Int
  private let name: String
  /// Its person; for one of the house, those who look after it.
  private let people: [Int]

  init(_ device: PushDevice, in database: Database) throws(StoreError) {
    (self.device, name) = (device.id, device.name)
    if let person = device.person { people = [person] } else { people = try database.personIDs(with: .manage) }
  }

  func silent(since last: Int?, now: Int, zone: Zone) -> Bell {
    let body =
      last.map { last in
        let when = Bell.Words.moment(last, now: now, zone: zone)
        return Bell.Words(
          "Nothing has been heard of it since \(when.english).", german: "Seit \(when.german) kam nichts von ihr.")
      } ?? Bell.Words("Nothing has been heard of it yet.", german: "Bisher kam nichts von ihr.")
    return bell(Bell.Words("The clock “\(name)” is silent", german: "Die Uhr „\(name)“ schweigt"), body)
  }

  func back() -> Bell {
    bell(
      Bell.Words("The clock “\(name)” is back", german: "Die Uhr „\(name)“ ist wieder da"),
      Bell.Words("It says the time again.", german: "Sie sagt die Uhrzeit wieder an."))
  }

  private func bell(_ title: Bell.Words, _ body: Bell.Words) -> Bell {
    Bell(
      to: .array(people.map { ["person": JSON(id: $0)] }), title: title, body: body, category: "clock",
      thread: TalkingClockRoom.id, collapseID: "clock.silence.\(device)",
      lifetime: ClockLimits.silenceLifetime, path: "/\(TalkingClockRoom.id)")
  }
}
