import Device
import Wire

/// The reports to the hub's second watch: the fixes, the events, battery and charger, each of them a sign of life too.
/// They are kept until the hub has them; what it had is in `anchor-reports.json`. Confined to its loop.
final class AnchorReports {
  private static let file = "anchor-reports.json"
  private static let path = "/api/v1/anchor/positions"

  /// The members of a report besides its fixes and events, and the state that they tell.
  typealias Message = (members: [JSON.Member], state: AnchorState)

  private let folder: StateFolder
  private let requests: HubRequests
  private let note: (String) -> Void
  private let compose: () -> Message
  private let answered: (JSON?, AnchorState) -> Void
  private var fixes: [TrackRecord] = []
  private var events: [JSON] = []
  /// The time of the last fix that the hub has.
  private var reported = 0.0
  /// True once there was a fix since the start.
  private var hasPlace = false
  private var isSending = false
  /// True if another report is to be sent as soon as the one that is on its way is answered.
  private var isWanted = false
  /// True if the hub did not take the last report.
  private(set) var isLate = false

  /// - Parameters:
  ///   - track: what the log has at its end.
  ///   - compose: called for each report.
  ///   - answered: called with each answer of the hub, the settings as it has them, and with the state that the report
  ///     told; without an answer if the hub has refused the order in it.
  init(
    _ folder: StateFolder, _ requests: HubRequests, track: [TrackRecord], note: @escaping (String) -> Void,
    compose: @escaping () -> Message, answered: @escaping (JSON?, AnchorState) -> Void
  ) {
    (self.folder, self.requests, self.note, self.compose, self.answered) = (folder, requests, note, compose, answered)
    let kept = folder.read(Self.file, atMost: AgentWatchLimits.eventsBytes).flatMap { try? JSON(parsing: $0) }
    reported = kept?["reported"]?.number ?? 0
    events = kept?["events"]?.array?.suffix(AgentWatchLimits.waitingEvents) ?? []
    fixes = track.filter { $0.time > reported }
  }

  var waiting: Int { fixes.count + events.count }

  func add(_ record: TrackRecord) {
    fixes.append(record)
    if !hasPlace {
      // Somebody may wait for it, to drop the anchor on the hub's page.
      hasPlace = true
      send()
    }
    guard fixes.count > AgentWatchLimits.waitingFixes else { return }
    // A long night without a network becomes coarser, and loses no hour.
    fixes = fixes.enumerated().filter { $0.offset % 2 == 0 || $0.offset == fixes.count - 1 }.map(\.element)
  }

  func add(event: JSON) {
    events.append(event)
    if events.count > AgentWatchLimits.waitingEvents { events.removeFirst() }
    keep()
  }

  private func keep() {
    let json: JSON = ["reported": .double(reported), "events": .array(events)]
    do throws(DeviceError) {
      try folder.write(Self.file, json.bytes)
    } catch {
      note("reports not kept: \(error.message)")
    }
  }

  /// Sends what waits, also if nothing does: the hub misses a watch that says nothing.
  func send() {
    guard !isSending else { return isWanted = true }
    isSending = true
    isWanted = false
    let (members, state) = compose()
    let sent = Array(fixes.prefix(AgentWatchLimits.reportedFixes))
    let told = Array(events.prefix(AgentWatchLimits.reportedEvents))
    let rows = sent.map { one -> JSON in
      let row: [JSON] = [
        .double(one.time), .double(one.latitude), .double(one.longitude), JSON(one.accuracy), JSON(one.hdop),
      ]
      return .array(row + (one.heading.map { [.double($0)] } ?? []))
    }
    let body = JSON.object(members + [.init("fixes", .array(rows)), .init("events", .array(told))])
    requests.send(Self.path, json: body) { [weak self] answer in
      guard let self else { return }
      isSending = false
      switch answer {
      case .answered(200...299, let bytes):
        isLate = false
        settle(sent, told)
        if let json = try? JSON(parsing: bytes) { answered(json, state) }
        if isWanted || fixes.count >= AgentWatchLimits.reportedFixes { send() }
      // The order may be what is wrong: it stays here, and the report goes without it.
      case .answered(400, _) where state.toldOrder != nil:
        note("order refused by the hub")
        answered(nil, state)
        send()
      // It has no anchor watch, or does not take these: they would never go.
      case .answered(let status, _) where [400, 404, 405, 410, 413, 422].contains(status):
        if !isLate { note("report refused: the hub answered \(status)") }
        isLate = true
        settle(sent, told)
      case .answered(let status, _): late("the hub answered \(status)")
      case .failed(let reason): late(reason)
      }
    }
  }

  private func late(_ reason: String) {
    isWanted = false
    if !isLate { note("reports wait: \(reason)") }
    isLate = true
  }

  private func settle(_ sent: [TrackRecord], _ told: [JSON]) {
    if let last = sent.last {
      reported = max(reported, last.time)
      // Fewer than were sent may be left, if the queue was thinned meanwhile.
      fixes.removeAll { $0.time <= reported }
    }
    events.removeAll { told.contains($0) }
    if !sent.isEmpty || !told.isEmpty { keep() }
  }
}
