import Device
import Wire

/// The reports to the hub's second watch: the fixes, the events, battery and charger, each of them a sign of life too.
/// They are kept until the hub has them; what it had is in `anchor-reports.json`. Confined to its loop.
final class AnchorReports {
  private static let file = "anchor-reports.json"
  private static let path = "/api/v1/anchor/positions"

  private let folder: StateFolder
  private let requests: HubRequests
  private let note: (String) -> Void
  private let answered: (JSON) -> Void
  private var fixes: [TrackRecord] = []
  private var events: [JSON] = []
  /// The time of the last fix that the hub has.
  private var reported = 0.0
  private var isSending = false
  /// The report to be sent as soon as the one on its way is answered.
  private var next: [JSON.Member]?
  /// True if the hub did not take the last report.
  private(set) var isLate = false

  /// - Parameters:
  ///   - track: what the log has at its end.
  ///   - answered: called with each answer of the hub: the settings as it has them.
  init(
    _ folder: StateFolder, _ requests: HubRequests, track: [TrackRecord], note: @escaping (String) -> Void,
    answered: @escaping (JSON) -> Void
  ) {
    (self.folder, self.requests, self.note, self.answered) = (folder, requests, note, answered)
    let kept = folder.read(Self.file, atMost: AgentWatchLimits.eventsBytes).flatMap { try? JSON(parsing: $0) }
    reported = kept?["reported"]?.number ?? 0
    events = kept?["events"]?.array?.suffix(AgentWatchLimits.waitingEvents) ?? []
    fixes = track.filter { $0.time > reported }
  }

  var waiting: Int { fixes.count + events.count }

  func add(_ record: TrackRecord) {
    fixes.append(record)
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
  /// - Parameter members: those besides the fixes and the events.
  func send(_ members: [JSON.Member]) {
    guard !isSending else { return next = members }
    isSending = true
    let sent = Array(fixes.prefix(AgentWatchLimits.reportedFixes))
    let told = Array(events.prefix(AgentWatchLimits.reportedEvents))
    let rows = sent.map { one -> JSON in
      [.double(one.time), .double(one.latitude), .double(one.longitude), JSON(one.accuracy), JSON(one.hdop)]
    }
    let body = JSON.object(members + [.init("fixes", .array(rows)), .init("events", .array(told))])
    requests.send(Self.path, json: body) { [weak self] answer in
      guard let self else { return }
      isSending = false
      switch answer {
      case .answered(200...299, let bytes):
        isLate = false
        settle(sent, told)
        if let json = try? JSON(parsing: bytes) { answered(json) }
        if let next = next ?? (fixes.count >= AgentWatchLimits.reportedFixes ? members : nil) {
          self.next = nil
          send(next)
        }
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
    next = nil
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
