import EventLoop
import Hub
import Lifecycle
import Realtime
import Server
import Synchronization
import Wire

/// The debug console of apps: what passes in their channels, for the owners' pages that look at it now.
final class Console: Sendable {
  private struct Watched {
    /// The uptime until which somebody looks.
    var until: Double
    var entries: [JSON] = []
    /// Entries beyond those.
    var dropped = 0
    var isDue = false
  }
  private let watched = Mutex<[String: Watched]>([:])
  private let hub: Hub

  init(_ hub: Hub) { self.hub = hub }

  /// Somebody looks at an app for a minute.
  /// - Throws: 409 if too many apps are looked at.
  func watch(_ app: String) throws(HTTPError) {
    sweep()
    let until = hub.time.uptime + AppsLimits.watchSeconds
    try watched.withLock { watched throws(HTTPError) in
      guard watched[app] != nil || watched.count < AppsLimits.watched else {
        throw HTTPError(
          .tooMany, "The events of \(AppsLimits.watched) apps are looked at already.",
          help: "Close the page of one of them; within a minute there is room.")
      }
      watched[app, default: Watched(until: until)].until = until
    }
    hub.channels.watchConsole(app, true)
  }

  /// Ends what nobody looks at any more.
  func sweep() {
    let uptime = hub.time.uptime
    let ended = watched.withLock { watched in
      let ended = watched.filter { $0.value.until <= uptime }.map(\.key)
      for app in ended { watched[app] = nil }
      return ended
    }
    for app in ended { hub.channels.watchConsole(app, false) }
  }

  /// May be called on any thread.
  func note(_ entry: ConsoleEntry, of app: String) {
    let now = hub.time.now
    let isFirst = watched.withLock { watched in
      guard var one = watched[app] else { return false }
      if one.entries.count < AppsLimits.consoleEntries {
        one.entries.append(entry.json(at: now))
      } else {
        one.dropped += 1
      }
      defer { watched[app] = one }
      let isFirst = !one.isDue
      one.isDue = true
      return isFirst
    }
    guard isFirst else { return }
    let loop = hub.loop
    loop.perform { [self] in _ = loop.schedule(after: AppsLimits.consoleSeconds) { [self] in show(app) } }
  }

  private func show(_ app: String) {
    let taken = watched.withLock { watched -> Watched? in
      guard let one = watched[app] else { return nil }
      watched[app] = Watched(until: one.until)
      return one
    }
    guard let taken else { return }
    let data: JSON = ["entries": .array(taken.entries), "dropped": .int(taken.dropped)]
    hub.publish("console", on: BackendRoom.channel.of(app), data)
  }
}

extension ConsoleEntry {
  /// The entry for a page: what there is too much of is cut.
  fileprivate func json(at now: Double) -> JSON {
    let text = data.map { data in
      data.utf8.count <= AppsLimits.consoleData
        ? data : String(decoding: data.utf8.prefix(AppsLimits.consoleData), as: UTF8.self) + "…"
    }
    return [
      "at": .double(now), "kind": .string(kind), "channel": JSON(channel), "event": JSON(event), "data": JSON(text),
      "socket_id": JSON(socketID), "reason": JSON(reason),
    ]
  }
}
