import CivilTime
import Hub
import Wire

/// Rings when a device that should speak has fallen silent, and when it is back.
struct SilenceBell {
  /// The device's number and name, and its person; nil for one of the house, of which the owners are told.
  let device: Int
  let name: String
  let person: Int?

  func silent(since last: Int?, now: Int, zone: Zone) -> Bell {
    let body =
      last.map { last in
        let when = Bell.Words.moment(last, now: now, zone: zone)
        return Bell.Words("Nothing was heard of it since \(when.english).", german: "Seit \(when.german) kam nichts.")
      } ?? Bell.Words("Nothing was heard of it yet.", german: "Bisher kam nichts von ihr.")
    return bell(Bell.Words("The clock \"\(name)\" is silent", german: "Die Uhr „\(name)“ schweigt"), body)
  }

  func back() -> Bell {
    bell(
      Bell.Words("The clock \"\(name)\" is back", german: "Die Uhr „\(name)“ ist wieder da"),
      Bell.Words("It says the time again.", german: "Sie sagt wieder die Zeit."))
  }

  private func bell(_ title: Bell.Words, _ body: Bell.Words) -> Bell {
    Bell(
      to: person.map { ["person": JSON(id: $0)] } ?? ["role": .string(Role.owner.rawValue)], title: title, body: body,
      category: "clock", thread: TalkingClockRoom.id, collapseID: "clock.silence.\(device)",
      lifetime: ClockLimits.silenceLifetime, path: "/\(TalkingClockRoom.id)")
  }
}
