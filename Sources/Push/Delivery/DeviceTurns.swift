/// The order in which messages are sent to devices: push services take turns, and the limits on messages under way
/// hold. One device is served by one task at a time, so that its messages keep their order.
package struct PushSchedule {
  /// Devices that share a push service; those of strangers apart, as they have a limit of their own.
  private struct Lane: Hashable {
    var origin: String
    var isStranger: Bool
  }
  private struct Entry {
    var lane: Lane
    var isRunning = false
    /// A message was written while others were being sent to the device.
    var isWantedAgain = false
  }
  private var entries: [Int: Entry] = [:]
  /// The devices of each lane that wait, and the lanes that have some in the order of their turns.
  private var waiting: [Lane: [Int]] = [:]
  private var turns: [Lane] = []
  private var running: [Lane: Int] = [:]
  private var runningStrangers = 0
  /// Devices that are being sent to.
  package private(set) var runningCount = 0

  package init() {}

  /// Devices that wait or are being sent to.
  package var count: Int { entries.count }

  /// Adds a device to which messages are to be sent.
  package mutating func add(_ device: Int, origin: String, isStranger: Bool) {
    let lane = Lane(origin: origin, isStranger: isStranger)
    if entries[device] == nil {
      entries[device] = Entry(lane: lane)
      line(up: device, lane)
    } else if entries[device]!.isRunning {
      entries[device]!.isWantedAgain = true
    }
  }

  /// The next device that may be sent to, which counts as being sent to from now on.
  package mutating func next() -> Int? {
    guard runningCount < WebPushLimits.sending else { return nil }
    // The search is short: a lane without room has messages under way, or is a stranger's while strangers have used up
    // their share.
    guard let place = turns.firstIndex(where: { hasRoom($0) }) else { return nil }
    let lane = turns.remove(at: place)
    let device = waiting[lane]!.removeFirst()
    if waiting[lane]!.isEmpty { waiting[lane] = nil } else { turns.append(lane) }
    entries[device]!.isRunning = true
    running[lane, default: 0] += 1
    runningCount += 1
    if lane.isStranger { runningStrangers += 1 }
    return device
  }

  /// The task of the device has ended.
  package mutating func finish(_ device: Int) {
    guard let entry = entries[device], entry.isRunning else { return }
    let lane = entry.lane
    running[lane]! -= 1
    if running[lane] == 0 { running[lane] = nil }
    runningCount -= 1
    if lane.isStranger { runningStrangers -= 1 }
    entries[device] = entry.isWantedAgain ? Entry(lane: lane) : nil
    if entry.isWantedAgain { line(up: device, lane) }
  }

  private mutating func line(up device: Int, _ lane: Lane) {
    if waiting[lane] == nil { turns.append(lane) }
    waiting[lane, default: []].append(device)
  }

  private func hasRoom(_ lane: Lane) -> Bool {
    let other = Lane(origin: lane.origin, isStranger: !lane.isStranger)
    let own = running[lane] ?? 0
    guard own + (running[other] ?? 0) < WebPushLimits.sendingToOne else { return false }
    guard lane.isStranger else { return true }
    return own < WebPushLimits.sendingToStrangersOfOne && runningStrangers < WebPushLimits.sendingToStrangers
  }
}
