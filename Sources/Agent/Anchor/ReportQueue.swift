package import Wire

/// The fixes and events that the hub does not have yet, in the order in which they came: their times go back when
/// somebody sets the clock. A value without a disk and a hub.
package struct ReportQueue: Sendable {
  /// Each with its time by the clock as it is now.
  private var fixes: [(time: Double, record: TrackRecord)] = []
  private var events: [JSON] = []
  /// The time in the track log of the last fix that the hub has.
  private var reported = 0.0
  /// How many of those at the front are on their way.
  private var sent = (fixes: 0, events: 0)

  /// - Parameters:
  ///   - kept: as `json` was.
  ///   - track: what the log has at its end.
  package init(_ kept: JSON? = nil, track: [TrackRecord] = []) {
    let reported = kept?["reported"]?.number ?? 0
    self.reported = reported
    events = kept?["events"]?.array?.suffix(AgentWatchLimits.waitingEvents) ?? []
    // The log has hundredths of a second.
    let last = track.lastIndex { abs($0.time - reported) < 0.01 }
    let waiting = last.map { Array(track[($0 + 1)...]) } ?? track.filter { $0.time > reported }
    fixes = waiting.map { (time: $0.time, record: $0) }
  }

  package var json: JSON { ["reported": .double(reported), "events": .array(events)] }

  package var waiting: Int { fixes.count + events.count }

  /// True if another report can be filled.
  package var fillsReport: Bool { fixes.count >= AgentWatchLimits.reportedFixes }

  package mutating func add(_ record: TrackRecord) {
    fixes.append((time: record.time, record: record))
    guard fixes.count > AgentWatchLimits.waitingFixes else { return }
    // A long night without a network becomes coarser, and loses no hour.
    let last = fixes.count - 1
    fixes = fixes.enumerated().filter { $0.offset % 2 == 0 || $0.offset == last }.map(\.element)
    sent.fixes = (sent.fixes + 1) / 2
  }

  package mutating func add(event: JSON) {
    events.append(event)
    guard events.count > AgentWatchLimits.waitingEvents else { return }
    events.removeFirst()
    sent.events = max(0, sent.events - 1)
  }

  /// The clock of the records was set: a report has one time, by which all that it tells is.
  package mutating func clockWasSet(by step: Double) {
    for index in fixes.indices { fixes[index].time += step }
    events = events.map { event in
      .object(
        (event.members ?? []).map { member in
          guard member.name == "at", let at = member.value.number else { return member }
          return JSON.Member(member.name, .double(at + step))
        })
    }
  }

  /// Those of the next report; `settle` says that the hub has them.
  package mutating func report() -> (fixes: [JSON], events: [JSON]) {
    sent = (
      min(fixes.count, AgentWatchLimits.reportedFixes), min(events.count, AgentWatchLimits.reportedEvents)
    )
    let rows = fixes.prefix(sent.fixes).map { fix -> JSON in
      let one = fix.record
      let row: [JSON] = [
        .double(fix.time), .double(one.latitude), .double(one.longitude), JSON(one.accuracy), JSON(one.hdop),
      ]
      return .array(row + (one.heading.map { [.double($0)] } ?? []))
    }
    return (rows, Array(events.prefix(sent.events)))
  }

  /// Removes those of the last report.
  /// - Returns: true if there were some.
  package mutating func settle() -> Bool {
    let gone = sent
    sent = (0, 0)
    if gone.fixes > 0 { reported = fixes[gone.fixes - 1].record.time }
    fixes.removeFirst(gone.fixes)
    events.removeFirst(gone.events)
    return gone.fixes + gone.events > 0
  }
}
