import Notifications
public import Wire

/// What the hub and the device itself want to be shown, one after the other.
extension DeviceSession {
  mutating func show(_ shown: Showing, _ at: Moment) -> [Effect] {
    let known = record[shown.id]
    // Whoever shows it now acknowledges it once it is seen; the hub may have lost an earlier acknowledgement.
    if current?.recordID == shown.id, current?.version ?? 0 >= shown.version,
      preparation == .running || known?.isSettled != true
    {
      return []
    }
    if let known, known.version > shown.version || known.version == shown.version && known.isSettled {
      return [.send(acknowledgement(shown.id, shown.version, known.what, at, note: known.note))]
    }
    var next = shown
    next.isRepeat = known?.state == .showing
    next.isUpdate = !shown.isAgain && known?.wasShown ?? false
    var effects: [Effect] = []
    // An older one that still waits is not shown first.
    if let collapse = shown.collapse,
      let place = waiting.firstIndex(where: { $0.collapse == collapse && $0.id != shown.id && !$0.isLocal })
    {
      effects += drop(waiting.remove(at: place), "collapsed", at)
    }
    if let place = waiting.firstIndex(where: { $0.recordID == shown.id }) {
      // A change to a ring that has not begun does not silence it.
      if waiting[place].isAgain { (next.isAgain, next.isUpdate) = (true, false) }
      if waiting[place].version < shown.version { waiting[place] = next }
      return effects
    }
    if isMessage(next) {
      return effects + (isOver(next, at) ? drop(next, "expired", at) : record(next, at) + [.take(next)])
    }
    return effects + enqueue(next, at)
  }

  /// - Parameter place: its place among those with its collapse id, as the hub has sent them.
  mutating func withdraw(
    _ id: String, _ version: Int, _ reason: String, _ collapse: String?, _ place: Int?, _ at: Moment
  ) -> [Effect] {
    if let known = record[id], known.version >= version, known.state == .withdrawn {
      return [.send(acknowledgement(id, version, "withdrawn", at))]
    }
    waiting.removeAll { $0.recordID == id }
    var effects: [Effect] = []
    var isCurrent = current?.recordID == id
    if isCurrent, preparation != nil {
      // It was not shown, so nothing needs to be taken from the screen.
      effects = dropPreparation(id)
      isCurrent = false
    }
    let isShown = record[id].map { $0.state == .showing || $0.wasShown && $0.state != .withdrawn } ?? false
    guard isCurrent || isShown else {
      if let collapse, let older = older(than: place, collapse) {
        return effects + takeAway(older, Showing.Successor(id: id, version: version), reason, at)
      }
      return effects + write(.withdrawn(id, version: version), sync: true)
        + [.send(acknowledgement(id, version, "withdrawn", at))]
    }
    let next = Showing(kind: .withdraw(reason), id: id, version: version, content: nil)
    if isCurrent {
      guard current?.kind == .show else {
        // The hub has to hear of one that goes by our own clock just now.
        if current?.isLocal == true { current = next }
        return effects
      }
      effects.append(.stop(id: id))
    }
    waiting.insert(next, at: 0)
    return effects + presentNext(at)
  }

  /// Takes what has expired from the screen, also without the hub. The hub hears of it when it says so itself.
  mutating func takeExpired(_ at: Moment) -> [Effect] {
    var effects: [Effect] = []
    while let (id, time) = record.nextEnd, hubTime(at) >= time {
      record.setEnd(of: id, nil)
      if ([current].compactMap { $0 } + waiting).contains(where: { $0.id == id && $0.kind != .show }) { continue }
      if current?.recordID == id, preparation == nil { effects.append(.stop(id: id)) }
      let version = record[id]?.version ?? 1
      waiting.insert(Showing(kind: .withdraw("expired"), id: id, version: version, content: nil, isLocal: true), at: 0)
      effects += presentNext(at)
    }
    return effects
  }

  /// The older notification of a collapse id that the device shows, or is just showing.
  private func older(than place: Int?, _ collapse: String) -> String? {
    let isShowing = current?.kind == .show && current?.isLocal == false && current?.collapse == collapse
    guard let other = isShowing ? current?.id : record.shown(collapse: collapse), let older = Int(other),
      let place, older < place, isShowing || record[other]?.state == .shown
    else { return nil }
    return other
  }

  /// Takes away what a newer one was to replace. That counts as withdrawn only then, so that a kill in between loses
  /// nothing: the hub says it again.
  private mutating func takeAway(
    _ id: String, _ successor: Showing.Successor, _ reason: String, _ at: Moment
  ) -> [Effect] {
    if current?.successor?.id == successor.id || waiting.contains(where: { $0.successor?.id == successor.id }) {
      return []
    }
    var next = Showing(kind: .withdraw(reason), id: id, version: record[id]?.version ?? 1, content: nil)
    next.successor = successor
    var effects: [Effect] = []
    if current?.recordID == id, current?.kind == .show {
      effects += preparation == nil ? [.stop(id: id)] : dropPreparation(id)
    }
    waiting.insert(next, at: 0)
    return effects + presentNext(at)
  }

  /// Ends what is being prepared, which is not to be shown any more.
  private mutating func dropPreparation(_ id: String) -> [Effect] {
    guard preparation == .running else { return [] }
    preparation = .dropped
    return [.stop(id: id)]
  }

  private mutating func tell(_ successor: Showing.Successor, _ at: Moment) -> [Effect] {
    let effects = write(.withdrawn(successor.id, version: successor.version), sync: true)
    guard isLive else { return effects }
    return effects + [.send(acknowledgement(successor.id, successor.version, "withdrawn", at))]
  }

  /// Shows a request of the device's own.
  /// - Returns: also true if it was shown before, at this very time.
  public mutating func fire(id: String, content: JSON, due: Double, _ at: Moment) -> (effects: [Effect], isDone: Bool) {
    var next = Showing(id: id, version: 1, content: content, isLocal: true, due: due)
    let known = record[next.recordID]
    if let known, known.state != .showing, known.state != .next { return ([], true) }
    next.isRepeat = known?.state == .showing
    if current?.recordID == next.recordID || waiting.contains(where: { $0.recordID == next.recordID }) {
      return ([], false)
    }
    // The request stays on the disk, and is tried again later.
    guard waiting.count < DeviceLimits.waiting else { return ([], false) }
    return (enqueue(next, at), false)
  }

  private mutating func enqueue(_ next: Showing, _ at: Moment) -> [Effect] {
    guard waiting.count < DeviceLimits.waiting else {
      return [.disconnect(.policy)]
        + retry("the hub sent more than \(DeviceLimits.waiting) notifications at once", at)
    }
    waiting.append(next)
    return presentNext(at)
  }

  private mutating func presentNext(_ at: Moment) -> [Effect] {
    var effects: [Effect] = []
    while current == nil, !waiting.isEmpty {
      var next = waiting.removeFirst()
      if isOver(next, at) {
        effects += drop(next, "expired", at)
        continue
      }
      if next.kind == .show {
        if let collapse = next.collapse, let other = record.shown(collapse: collapse), other != next.id {
          next.replaces = other
        }
        if prepares(next) {
          (current, preparation) = (next, .running)
          // Nothing is recorded yet: what a kill or a power failure ends here was not shown, and rings the next time.
          return effects + [.prepare(next)]
        }
        effects += record(next, at)
      }
      current = next
      effects.append(.present(next))
    }
    return effects
  }

  /// Records that it is shown now.
  private mutating func record(_ next: Showing, _ at: Moment) -> [Effect] {
    // A repetition keeps its entry: it still may have been shown before.
    if next.isRepeat { return [] }
    return write(.next(next.recordID, version: next.version), sync: true)
      + write(.showing(next.recordID, version: next.version))
      // It is on the disk now, and what shows it may take its time.
      + acknowledge(next, "delivered", nil, at)
  }

  /// To be called when the preparation that `prepare` asked for has ended.
  /// - Parameters:
  ///   - content: the changed one; nil to show what was sent.
  ///   - note: the code and the detail that the trace at the hub is to have, such as "extension_failed:late".
  public mutating func prepared(_ content: JSON?, note: String? = nil, _ at: Moment) -> [Effect] {
    guard let preparation, var one = current else { return [] }
    self.preparation = nil
    if preparation == .dropped { return finished(at) }
    if isOver(one, at) { return drop(one, "expired", at) + finished(at) }
    if let content { one.content = content }
    one.note = note
    current = one
    return record(one, at) + [.present(one)]
  }

  private func isOver(_ one: Showing, _ at: Moment) -> Bool { one.expiresAt.map { hubTime(at) >= $0 } ?? false }

  private mutating func drop(_ one: Showing, _ reason: String, _ at: Moment) -> [Effect] {
    noted(one) + write(.failed(one.recordID, version: one.version)) + [.tell(.failed(id: one.id, reason: reason))]
      + acknowledge(one, "failed", reason, at)
  }

  /// Keeps what the trace is to have, since the acknowledgement may have to be repeated.
  private mutating func noted(_ one: Showing) -> [Effect] {
    one.note.map { write(.noted(one.recordID, version: one.version, $0)) } ?? []
  }

  /// To be called when the presentation that `present` asked for was shown, or taken away.
  /// - Parameter note: the code and the detail that the trace at the hub is to have, such as "new_data:1.2/30".
  public mutating func shown(note: String? = nil, _ at: Moment) -> [Effect] {
    guard var current else { return [] }
    if let note { current.note = note }
    switch current.kind {
    case .show: return wasShown(current, at)
    case .withdraw:
      let effects = write(.withdrawn(current.recordID, version: current.version), sync: true)
      // The hub has closed the older one and waits for the newer one alone.
      if let successor = current.successor { return effects + tell(successor, at) }
      return effects + acknowledge(current, "withdrawn", nil, at)
    }
  }

  /// To be called when the message that `take` asked for was taken.
  public mutating func taken(_ message: Showing, note: String?, _ at: Moment) -> [Effect] {
    var message = message
    message.note = note
    return wasShown(message, at)
  }

  private mutating func wasShown(_ one: Showing, _ at: Moment) -> [Effect] {
    // Nothing of a silent one is on the screen.
    let expires = one.stays || one.content["silent"]?.bool == true ? nil : one.expiresAt
    let entry = DeviceRecord.Entry.shown(one.recordID, version: one.version, collapse: one.collapse, expires: expires)
    return noted(one) + write(entry) + acknowledge(one, "shown", nil, at)
  }

  /// To be called when the presentation could not be shown, or its command has failed afterwards.
  public mutating func notShown(_ reason: String, note: String? = nil, _ at: Moment) -> [Effect] {
    guard var current else { return [] }
    if let note { current.note = note }
    return drop(current, reason, at) + (current.successor.map { tell($0, at) } ?? [])
  }

  /// To be called when the next presentation may be shown.
  public mutating func finished(_ at: Moment) -> [Effect] {
    current = nil
    return presentNext(at)
  }

  /// To be called when the person has answered.
  public mutating func respond(id: String, action: String, text: String?, _ at: Moment) -> [Effect] {
    let bytes = text?.utf8.count ?? 0
    guard (1...NotificationLimits.identifierBytes).contains(action.utf8.count), bytes <= NotificationLimits.answerBytes
    else {
      let accepted =
        "an action of 1 to \(NotificationLimits.identifierBytes) bytes and a text of at most "
        + "\(NotificationLimits.answerBytes) are accepted"
      return [.tell(.ignored("an answer of \(action.utf8.count) and \(bytes) bytes; \(accepted)", id: id))]
    }
    let response = DeviceResponse(
      id: id, version: record[id]?.version ?? 1, action: action, text: text, at: hubTime(at))
    var effects: [Effect] = []
    if record.responses.count == DeviceLimits.responses, !record.responses.contains(where: { $0.id == id }) {
      effects.append(.tell(.dropped(record.responses[0])))
    }
    effects += write(.responded(response), sync: true) + [.tell(.responded(response))]
    return isLive ? effects + [.send(response.message)] + probe(at) : effects
  }
}
