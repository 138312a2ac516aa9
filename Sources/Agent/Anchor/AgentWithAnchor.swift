import Device
import EventLoop
import Lifecycle
import Notifications
import Observe
import Wire

extension FlightRecorder {
  /// The recorder of the watch.
  static let anchorName = "anchor-flight"
}

extension AgentAnchor {
  /// True from setting the anchor until it is weighed.
  var isWatching: Bool { state.isArmed }

  /// The watch's needs of its agent.
  struct Surroundings {
    /// A line of output, and of the log.
    var tell: (JSON) -> Void
    /// Shows a notification on this device by a request of its own.
    var show: (_ id: String, _ title: String, _ body: String, _ isAlarm: Bool) -> Void
    var warn: (String) -> Void
    /// The device is at a place.
    var moved: (_ latitude: Double, _ longitude: Double, _ accuracy: Double) -> Void
    /// Nil while there is none.
    var clock: () -> AgentClock?
  }
}

extension Agent {
  func startAnchor() {
    guard let told = options.anchor, let anchorFiles else { return }
    let log = log
    anchor = AgentAnchor(
      options, told, folder, anchorFiles, HubRequests(connector, options.home, loop: loop),
      sources: told.sources.map { one in
        one.source(connector, loop) { log.warning("no positions", ["reason": $0]) }
      }, loop: loop,
      AgentAnchor.Surroundings(
        tell: { [unowned self] in tellAnchor($0) },
        show: { [unowned self] in request($0, title: $1, body: $2, isAlarm: $3) },
        warn: { log.warning("anchor watch", ["reason": $0]) },
        moved: { [unowned self] in moved(to: Fix(latitude: $0, longitude: $1, accuracy: $2)) },
        clock: { [unowned self] in clock }))
    anchor?.start()
  }

  /// Writes an event's line. A watch goes on when nobody reads it: its alarm is heard all the same.
  /// - Returns: the reason why nobody has read it; nil if it is written.
  /// - Throws: that reason, while no anchor is watched.
  @discardableResult
  func writeLine(_ event: JSON) throws(DeviceError) -> String? {
    let isWatching = anchor?.isWatching == true
    do throws(DeviceError) {
      // The watch stands still while a reader is waited for, so a missing one is waited for once.
      try output.write(event, seconds: isWatching && output.isUnread ? 0 : AgentLimits.readerSeconds)
      return nil
    } catch {
      guard isWatching else { throw error }
      flight.note("output: \(error.message)")
      return error.message
    }
  }

  private func tellAnchor(_ event: JSON) {
    do throws(DeviceError) {
      try output.write(event, seconds: output.isUnread ? 0 : AgentLimits.readerSeconds)
    } catch {
      // The watch goes on when nobody reads what it writes.
      flight.note("output: \(error.message)")
    }
  }

  /// A notification of the device's own, as a request that fires at once.
  private func request(_ id: String, title: String, body: String, isAlarm: Bool) {
    let level = isAlarm ? "critical" : "active"
    let content: JSON = [
      "title": .string(title), "body": .string(body), "interruption_level": .string(level), "sound": "default",
    ]
    folder.keep("request", ["content": content], in: "\(PendingRequests.requests)/\(id).json") { flight.note($0) }
  }

  /// The device's own requests wait for places too.
  private func moved(to fix: Fix) {
    requests.moved(to: fix, now: loop.time.now)
    if requests.hasFired { fireRequests() }
  }
}
