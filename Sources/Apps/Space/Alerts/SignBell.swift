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
  /// The topic of those who want to know only while they are near, as their phone tells.
  static let near = BellTopic(
    nearTopic, Bell.Words("Open, and I am near", german: "Offen, und ich bin in der Nähe"), isForAll: false)
  private static let nearTopic = "space.near"
  /// Seconds for which it is worth knowing: whoever turns their phone on the next day looks at the sign.
  static let lifetime = 12 * 3600.0

  /// Rings that the sign's state is another than before.
  static func ring(
    _ sign: Sign, opens: Int?, zone: Zone, here: Place.Coordinates?, in change: Change
  ) throws(StoreError) {
    let word = sign.open.map { $0 ? "opened" : "closed" } ?? "unknown"
    let bell = bell(sign, opens: opens, now: Int(change.now), zone: zone)
    try change.ring("space.\(word)", bell.json)
    if sign.open == true, let here { try change.ring("space.near", nearBell(bell, around: here).json) }
  }

  /// The same for those who are near the space, or come near while the sign stays as it is; not for those who are told
  /// in any case.
  package static func nearBell(_ bell: Bell, around here: Place.Coordinates) -> Bell {
    var near = bell
    (near.to, near.exceptTopic) = (["topic": .string(nearTopic)], topic)
    near.title = Bell.Words("Open, and you are near", german: "Offen, und du bist in der Nähe")
    near.near = Bell.Circle(latitude: here.latitude, longitude: here.longitude, radius: SpaceLimits.nearMetres)
    return near
  }

  /// - Parameter opens: when a closed space opens next, in seconds since 1970.
  package static func bell(_ sign: Sign, opens: Int? = nil, now: Int, zone: Zone) -> Bell {
    let (title, said) = words(sign, now: now, zone: zone)
    var body = said
    if sign.open == false, let opens {
      let when = Bell.Words.moment(opens, now: now, zone: zone)
      body.english += body.english.hasSuffix(".") ? " Opens \(when.english)" : "; opens \(when.english)"
      body.german += body.german.hasSuffix(".") ? " Öffnet \(when.german)" : "; öffnet \(when.german)"
    }
    return Bell(
      to: ["topic": .string(topic)], title: title, body: body, category: "sign", thread: topic, collapseID: "sign",
      lifetime: lifetime, path: "/space", parts: sign.open.map { [$0 ? "open" : "closed"] } ?? [])
  }

  private static func words(_ sign: Sign, now: Int, zone: Zone) -> (title: Bell.Words, body: Bell.Words) {
    guard let open = sign.open else {
      // None where the very first turn was undone.
      let since = sign.lastChange.map { Bell.Words.moment($0, now: now, zone: zone) }
      return (
        Bell.Words("Open or closed?", german: "Offen oder zu?"),
        Bell.Words(
          since.map { "Unknown since \($0.english): the contact on the door is silent." }
            ?? "Nobody has turned the sign yet.",
          german: since.map { "Unbekannt seit \($0.german): Der Kontakt an der Tür meldet sich nicht." }
            ?? "Noch hat niemand das Schild gedreht.")
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
    if let until = sign.until.map({ Bell.Words.moment($0, now: now, zone: zone) }) {
      english += ", until \(until.english)"
      german += ", bis \(until.german)"
    }
    if let message = sign.message {
      english += ": \(message)"
      german += ": \(message)"
    }
    let title = open ? Bell.Words("Open", german: "Offen") : Bell.Words("Closed", german: "Geschlossen")
    return (title, Bell.Words(english, german: german))
  }
}
