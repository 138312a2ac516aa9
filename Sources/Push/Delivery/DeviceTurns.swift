/// A device for which something is due, and what decides on its turn.
public struct DueDevice: Sendable {
  /// The number of the device.
  public var device: Int
  /// The service through which it is reached, or a name for its own server; empty where all have one, or none.
  public var service: String
  /// True for the device of somebody who has not signed in, and for one whose server failed last.
  public var isStranger: Bool

  public init(_ device: Int, service: String = "", isStranger: Bool = false) {
    (self.device, self.service, self.isStranger) = (device, service, isStranger)
  }
}

/// How many devices are served at once.
public struct DeviceShares: Sendable {
  public var all: Int
  /// Those of one service.
  public var ofService: Int
  public var strangers: Int
  /// Strangers' devices of one service.
  public var strangersOfService: Int

  public init(all: Int, ofService: Int, strangers: Int, strangersOfService: Int) {
    (self.all, self.ofService) = (all, ofService)
    (self.strangers, self.strangersOfService) = (strangers, strangersOfService)
  }

  /// So many, whoever they are.
  public init(_ all: Int) { self.init(all: all, ofService: all, strangers: all, strangersOfService: all) }
}

/// The order in which devices are served: services take turns, and the limits on what is under way hold. One device is
/// served by one task at a time, so that its messages keep their order. Slow services have the places of strangers.
package struct DeviceTurns {
  /// Devices that share a service; those of strangers apart, as they have a limit of their own.
  private struct Lane: Hashable {
    var service: String
    var isStranger: Bool
  }
  private struct Entry {
    var lane: Lane
    var isRunning = false
    /// The lane in which it waits next, if more has come while it was being served.
    var next: Lane?
  }
  private let shares: DeviceShares
  private var entries: [Int: Entry] = [:]
  /// The devices of each lane that wait, and the lanes that have some in the order of their turns.
  private var waiting: [Lane: [Int]] = [:]
  private var turns: [Lane] = []
  private var running: [Lane: Int] = [:]
  /// The services whose last answer was long in coming.
  private var slow: Set<String> = []
  /// Devices that are being served.
  package private(set) var runningCount = 0

  package init(_ shares: DeviceShares) { self.shares = shares }

  /// Devices that wait or are being served.
  package var count: Int { entries.count }

  package mutating func add(_ due: DueDevice) {
    let (device, lane) = (due.device, Lane(service: due.service, isStranger: due.isStranger))
    if entries[device] == nil {
      entries[device] = Entry(lane: lane)
      line(up: device, lane)
    } else if entries[device]!.isRunning {
      entries[device]!.next = lane
    }
  }

  /// The next device, which counts as being served from now on.
  package mutating func next() -> Int? {
    guard runningCount < shares.all else { return nil }
    let strangers = running.reduce(0) { $0 + (hasPlacesOfStrangers($1.key) ? $1.value : 0) }
    // The search is short: a lane without room has messages under way, or is a stranger's or slow while these have used
    // up their share.
    guard let place = turns.firstIndex(where: { hasRoom($0, strangers) }) else { return nil }
    let lane = turns.remove(at: place)
    let device = waiting[lane]!.removeFirst()
    if waiting[lane]!.isEmpty { waiting[lane] = nil } else { turns.append(lane) }
    entries[device]!.isRunning = true
    running[lane, default: 0] += 1
    runningCount += 1
    return device
  }

  /// The task of the device has ended.
  package mutating func finish(_ device: Int) {
    guard let entry = entries[device], entry.isRunning else { return }
    let lane = entry.lane
    running[lane]! -= 1
    if running[lane] == 0 { running[lane] = nil }
    runningCount -= 1
    entries[device] = entry.next.map { Entry(lane: $0) }
    if let next = entry.next { line(up: device, next) }
  }

  /// Notes whether the service of a device that is being served is slow.
  package mutating func note(_ device: Int, isSlow: Bool) {
    guard let service = entries[device]?.lane.service else { return }
    guard isSlow else {
      slow.remove(service)
      return
    }
    if slow.count >= DeliveryLimits.slowServices { slow.removeFirst() }
    slow.insert(service)
  }

  /// Has a device that is being served wait for another turn, behind the others of its service, if that is slow.
  /// - Returns: false if it is not.
  package mutating func lineUpIfSlow(_ device: Int) -> Bool {
    guard let entry = entries[device], slow.contains(entry.lane.service) else { return false }
    entries[device]!.next = entry.next ?? entry.lane
    return true
  }

  private mutating func line(up device: Int, _ lane: Lane) {
    if waiting[lane] == nil { turns.append(lane) }
    waiting[lane, default: []].append(device)
  }

  private func hasPlacesOfStrangers(_ lane: Lane) -> Bool { lane.isStranger || slow.contains(lane.service) }

  /// - Parameter strangers: places of strangers that are taken.
  private func hasRoom(_ lane: Lane, _ strangers: Int) -> Bool {
    let other = Lane(service: lane.service, isStranger: !lane.isStranger)
    let own = running[lane] ?? 0
    guard own + (running[other] ?? 0) < shares.ofService else { return false }
    guard hasPlacesOfStrangers(lane) else { return true }
    return own < shares.strangersOfService && strangers < shares.strangers
  }
}
