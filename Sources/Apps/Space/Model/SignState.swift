package import Hub
package import Wire

/// The last report of the contact on the door.
package struct DoorContact: Equatable, Sendable {
  package var open: Bool
  /// Seconds within which it promised the next report.
  package var heartbeat: Double
  /// Seconds since 1970.
  package var heardAt: Double
  /// The number of the report, which tells if another one has come since.
  package var report: Int

  /// Seconds of silence that are tolerated: one report may be lost; after two the state is unknown.
  package var patience: Double { 2 * heartbeat }

  /// The time from which it counts as silent, in seconds since 1970.
  package var silentAt: Double { heardAt + patience }
}

/// The sign and the door contact, and their transitions for each event. A pure state machine: it is given the time, and
/// others store the results.
///
/// A person's turn takes precedence over the contact until the contact reports another state than before; its first
/// report counts as such. The sign becomes unknown if its state came from the contact and the contact is silent; a
/// person's turn does not depend on the contact.
package struct SignState: Equatable, Sendable {
  package var sign: Sign
  package var contact: DoorContact?

  package init(sign: Sign = .unknown, contact: DoorContact? = nil) {
    self.sign = sign
    self.contact = contact
  }

  /// A person turns the sign.
  package mutating func turn(_ turn: SignTurn, now: Int) { sign = sign.turned(turn, now: now) }

  /// The contact reports, which it does repeatedly.
  package mutating func hear(open: Bool, heartbeat: Double, now: Double) {
    let changed = contact?.open != open
    contact = DoorContact(open: open, heartbeat: heartbeat, heardAt: now, report: (contact?.report ?? 0) + 1)
    guard changed || sign.source != .person else { return }
    if sign.open == open {
      // The report confirms the sign's state: the person's message stays.
      sign.source = .contact
    } else {
      sign = Sign(open: open, lastChange: Int(now), source: .contact)
    }
  }

  /// No report has come since the given one, for the tolerated time.
  package mutating func fallSilent(since report: Int, now: Double) {
    guard let contact, contact.report == report, restsOnContact else { return }
    // A hub that was off notices it late. Never before the sign's last change, nor in the future.
    let at = max(Int(min(contact.silentAt, now)), sign.lastChange ?? 0)
    sign = Sign(lastChange: at, source: .contact)
  }

  /// A turn is undone: the earlier state is restored, with the contact's reports since then applied.
  package mutating func restore(_ before: Sign, now: Double) {
    sign = before
    guard let contact, contact.silentAt > now, before.source == .contact, before.open != contact.open else { return }
    sign = Sign(open: contact.open, lastChange: Int(contact.heardAt), source: .contact)
  }

  /// True if the sign's state depends on further reports of the contact.
  package var restsOnContact: Bool { sign.open != nil && sign.source == .contact }

  /// True if the sign's state depends on a contact that counts as silent.
  package func isOverdue(now: Double) -> Bool { restsOnContact && contact.map { $0.silentAt <= now } ?? false }

  /// Seconds from now until the contact counts as silent; nil if the sign does not depend on it.
  package func patience(now: Double) -> Double? {
    guard restsOnContact, let contact else { return nil }
    // The clock may have been set back meanwhile: never longer than promised.
    return min(max(0, contact.silentAt - now), contact.patience)
  }
}

/// A door contact's report: `{"open": true, "heartbeat_s": 30}`.
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
