package import CivilTime
package import Hub
import Server
import Store
import Wire

/// The bell of the sign: it rings when the sign opens, closes or becomes unknown, and not when only its words change.
package enum SignBell {
  /// The topic that people subscribe to, strangers too, since everybody may read the sign.
  static let told = BellTopic(
    topic, Bell.Words("The sign at the door", german: "Das Schild an der Tür"), isForAll: true)
  private static let topic = "space"
  /// Seconds for which it is worth knowing: whoever turns their phone on the next day looks at the sign.
  static let lifetime = 12 * 3600.0

  /// Rings if the sign's state is another than before.
  static func ring(_ sign: Sign, after before: Sign, place: Place?, in change: Change) throws(StoreError) {
    guard sign.open != before.open else { return }
    let word = sign.open.map { $0 ? "opened" : "closed" } ?? "unknown"
    try change.ring("space.\(word)", bell(sign, zone: place?.zone ?? .utc).json)
  }

  package static func bell(_ sign: Sign, zone: Zone) -> Bell {
    let (title, body) = words(sign, zone: zone)
    return Bell(
      to: ["topic": .string(topic)], title: title, body: body, category: "sign", thread: topic, collapseID: "sign",
      lifetime: lifetime, path: "/space")
  }

  private static func words(_ sign: Sign, zone: Zone) -> (title: Bell.Words, body: Bell.Words) {
    guard let open = sign.open else {
      let since = sign.lastChange.map { clock($0, zone) }
      return (
        Bell.Words("Open or closed?", german: "Offen oder zu?"),
        Bell.Words(
          since.map { "Unknown since \($0): the contact on the door is silent." }
            ?? "Unknown: the contact on the door is silent.",
          german: since.map { "Unbekannt seit \($0): der Kontakt an der Tür schweigt." }
            ?? "Unbekannt: der Kontakt an der Tür schweigt.")
      )
    }
    var english: String
    var german: String
    switch (open, sign.by) {
    case (true, let by?): (english, german) = ("\(by) has opened", "\(by) hat aufgemacht")
    case (false, let by?): (english, german) = ("\(by) has closed", "\(by) hat zugemacht")
    case (true, nil): (english, german) = ("The space is open", "Der Space ist offen")
    case (false, nil): (english, german) = ("The space is closed", "Der Space ist zu")
    }
    if let until = sign.until.map({ clock($0, zone) }) {
      english += ", until \(until)"
      german += ", bis \(until)"
    }
    if let message = sign.message {
      english += ": \(message)"
      german += ": \(message)"
    }
    let title = open ? Bell.Words("Open", german: "Offen") : Bell.Words("Closed", german: "Geschlossen")
    return (title, Bell.Words(english, german: german))
  }

  /// The time of day at the space: "18:40".
  private static func clock(_ instant: Int, _ zone: Zone) -> String {
    let text = timestamp(EpochSeconds(instant), in: zone)
    return String(text.dropFirst(11).prefix(5))
  }
}
