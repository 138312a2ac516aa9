package import Hub
package import Wire

/// The contact on the door, as it was last heard.
package struct DoorContact: Equatable, Sendable {
  package var open: Bool
  /// Seconds after which it promised to speak again.
  package var heartbeat: Double
  /// Seconds since 1970.
  package var heardAt: Double
  /// Counts what was heard, so that "nothing came since" can be told from "something came just now".
  package var report: Int

  package init(open: Bool, heartbeat: Double, heardAt: Double, report: Int = 1) {
    self.open = open
    self.heartbeat = heartbeat
    self.heardAt = heardAt
    self.report = report
  }

  /// One report may be lost on its way; after two that did not come, nobody knows.
  package var patience: Double { 2 * heartbeat }

  /// When it counts as silent, in seconds since 1970.
  package var silentAt: Double { heardAt + patience }
}

/// The sign and the contact on the door, and what each thing that can happen makes of them. A pure state machine: the
/// time is given to it, and what it decides is kept by others.
///
/// A person's word stands over the contact's until the contact changes, that is, says another thing than it said
/// before. What the contact says for the first time is such a change. The sign becomes unknown when it rests on the
/// contact's word and the contact is silent; a person's word needs no contact.
package struct SignState: Equatable, Sendable {
  package var sign: Sign
  package var contact: DoorContact?

  package init(sign: Sign = .unknown, contact: DoorContact? = nil) {
    self.sign = sign
    self.contact = contact
  }

  /// What somebody said who turned the sign.
  package mutating func turn(_ turn: SignTurn, now: Int) { sign = sign.turned(turn, now: now) }

  /// What the contact says, over and over again.
  package mutating func hear(open: Bool, heartbeat: Double, now: Double) {
    let changed = contact?.open != open
    contact = DoorContact(open: open, heartbeat: heartbeat, heardAt: now, report: (contact?.report ?? 0) + 1)
    guard changed || sign.source != .person else { return }
    if sign.open == open {
      // It bears out what the sign says anyway: the words that somebody put there stay true.
      sign.source = .contact
    } else {
      sign = Sign(open: open, lastChange: Int(now), source: .contact)
    }
  }

  /// Nothing came since that report, for as long as one waits.
  package mutating func fallSilent(since report: Int, now: Double) {
    guard let contact, contact.report == report, restsOnContact else { return }
    // A hub that was off learns of it late. Never before the sign's own last change, nor in the future.
    let at = max(Int(min(contact.silentAt, now)), sign.lastChange ?? 0)
    sign = Sign(lastChange: at, source: .contact)
  }

  /// A turn was taken back: the sign is what it was before, but for what the contact has said meanwhile.
  package mutating func restore(_ before: Sign, now: Double) {
    sign = before
    guard let contact, contact.silentAt > now, before.source == .contact, before.open != contact.open else { return }
    sign = Sign(open: contact.open, lastChange: Int(contact.heardAt), source: .contact)
  }

  /// The sign says something, and the contact has to go on saying it.
  package var restsOnContact: Bool { sign.open != nil && sign.source == .contact }

  /// Whether the sign rests on a contact whose time is over.
  package func isOverdue(now: Double) -> Bool { restsOnContact && contact.map { $0.silentAt <= now } ?? false }

  /// Seconds from now until the contact counts as silent; nil when nothing hangs on it.
  package func patience(now: Double) -> Double? {
    guard restsOnContact, let contact else { return nil }
    // The clock may have been set back meanwhile: never longer than what was promised.
    return min(max(0, contact.silentAt - now), contact.patience)
  }
}

/// What a door contact sends: `{"open": true, "heartbeat_s": 30}`.
package struct ContactReport: Equatable, Sendable {
  package var open: Bool
  package var heartbeat: Double

  package init(_ json: JSON) throws(FieldErrors) {
    var check = FieldCheck(json, known: ["open", "heartbeat_s"], nullIsNothing: true)
    let open = check.flag("open")
    let heartbeat = check.number("heartbeat_s", in: SpaceLimits.heartbeat)
    guard check.errors.isEmpty, let open, let heartbeat else { throw FieldErrors(check.errors) }
    self.open = open
    self.heartbeat = heartbeat
  }
}
