import Device
import Playback
import SpeakingClock
import Wire

/// The reports on announcements, kept until the hub has them: `clock-reports.json` in the agent's folder. The oldest go
/// when there are too many. Confined to its loop.
final class ClockReports {
  private static let file = "clock-reports.json"

  private let folder: StateFolder
  private let requests: HubRequests
  private let note: (String) -> Void
  private var waiting: [JSON]
  private var isSending = false

  init(_ folder: StateFolder, _ requests: HubRequests, note: @escaping (String) -> Void) {
    (self.folder, self.requests, self.note) = (folder, requests, note)
    let kept = folder.json(Self.file, atMost: ClockLimits.reportsBytes)
    waiting = kept?.array?.filter { $0["at"]?.int != nil }.suffix(ClockLimits.reports) ?? []
  }

  static func json(_ report: AnnouncementReport) -> JSON {
    [
      "at": .int(Int(report.announcement.at)), "what": .string(report.what.rawValue),
      "late_ms": JSON(report.lateMilliseconds), "by": .string(report.source.rawValue),
    ]
  }

  func add(_ report: AnnouncementReport) {
    waiting.append(Self.json(report))
    if waiting.count > ClockLimits.reports { waiting.removeFirst(waiting.count - ClockLimits.reports) }
    keep()
  }

  /// Sends what waits; to be called when the hub can be reached.
  func send() {
    guard !isSending, !waiting.isEmpty else { return }
    isSending = true
    let sent = waiting
    requests.send("/api/v1/clock/reports", json: ["announcements": .array(sent)]) { [self] answer in
      isSending = false
      switch answer {
      case .answered(200...299, _): break
      case .answered(let status, let body) where HubAnswer.isRefusal(status, body):
        note("clock reports refused: the hub answered \(status)")
      case .answered(let status, _): return note("clock reports wait: the hub answered \(status)")
      case .failed(let reason): return note("clock reports wait: \(reason)")
      }
      waiting.removeAll { sent.contains($0) }
      keep()
      if !waiting.isEmpty { send() }
    }
  }

  private func keep() { folder.keep("clock reports", .array(waiting), in: Self.file, note) }
}
