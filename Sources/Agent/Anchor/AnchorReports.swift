import Device
import Wire

/// The reports to the hub's second watch: the fixes, the events, battery and charger, each of them a sign of life too.
/// They are kept until the hub has them; what it had is in `anchor-reports.json`. Confined to its loop.
final class AnchorReports {
  private static let file = "anchor-reports.json"
  private static let path = "/api/v1/anchor/positions"

  /// The members of a report besides its fixes and events, the state that they tell, and the time by the clock of the
  /// fixes, if it is known. That is the request's date, which an older hub passes over; it refuses an unknown member.
  typealias Message = (members: [JSON.Member], state: AnchorState, at: Double?)

  private let folder: StateFolder
  private let requests: HubRequests
  private let note: (String) -> Void
  private let compose: () -> Message
  private let answered: (JSON?, AnchorState) -> Void
  private var queue: ReportQueue
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
    queue = ReportQueue(folder.json(Self.file, atMost: AgentWatchLimits.eventsBytes), track: track)
  }

  var waiting: Int { queue.waiting }

  func add(_ record: TrackRecord) {
    queue.add(record)
    guard !hasPlace else { return }
    // Somebody may wait for it, to drop the anchor on the hub's page.
    hasPlace = true
    send()
  }

  func add(event: JSON) {
    queue.add(event: event)
    keep()
  }

  func clockWasSet(by step: Double) {
    queue.clockWasSet(by: step)
    keep()
  }

  private func keep() { folder.keep("reports", queue.json, in: Self.file, note) }

  /// Sends what waits, also if nothing does: the hub misses a watch that says nothing.
  func send() {
    guard !isSending else { return isWanted = true }
    isSending = true
    isWanted = false
    let (members, state, at) = compose()
    let (fixes, events) = queue.report()
    let body = JSON.object(members + [.init("fixes", .array(fixes)), .init("events", .array(events))])
    requests.send(Self.path, json: body, at: at) { [weak self] answer in
      guard let self else { return }
      isSending = false
      switch answer {
      case .answered(200...299, let bytes):
        isLate = false
        settle()
        if let json = try? JSON(parsing: bytes) { answered(json, state) }
        if isWanted || queue.fillsReport { send() }
      // The order may be what is wrong: it stays here, and the report goes without it.
      case .answered(400, let body) where state.toldOrder != nil && HubAnswer.isRefusal(400, body):
        note("order refused by the hub")
        answered(nil, state)
        send()
      case .answered(let status, let body) where HubAnswer.isRefusal(status, body):
        if !isLate { note("report refused: the hub answered \(status)") }
        isLate = true
        settle()
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

  private func settle() {
    if queue.settle() { keep() }
  }
}
