import CLinux
import Glibc

/// The parameters of a run.
struct Plan {
  var port: UInt16 = 0
  var path = ""
  var channel: String?
  var publishPath = ""
  var token: String?
  /// The bodies to post, one after the other and then again from the first.
  var bodies: [[UInt8]] = []
  var connections = 0
  var messages = 0
  var publishers = 1
}

/// Many WebSockets and some publishers on one epoll descriptor.
struct Load {
  private let plan: Plan
  private let epoll = epoll_create1(0)
  private var listeners: [Listener] = []
  private var publishers: [Publisher] = []
  private var ready = 0
  private var delivered = 0
  private var answered = 0
  private var published = 0
  private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: Self.eventsPerTurn)
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferBytes, alignment: 16)

  private static let eventsPerTurn = 512
  private static let bufferBytes = 256 << 10
  /// Concurrent upgrades: fewer than a server's backlog.
  private static let upgradesAtOnce = 200
  /// Milliseconds within which some event must come.
  private static let patience: Int32 = 20_000

  init(_ plan: Plan) { self.plan = plan }

  /// Opens all connections; returns when all of them listen.
  mutating func open() {
    listeners.reserveCapacity(plan.connections)
    while listeners.count < plan.connections {
      listeners.append(Listener(port: plan.port, path: plan.path, channel: plan.channel))
      watch(listeners[listeners.count - 1].descriptor, as: listeners.count - 1)
      while listeners.count - ready >= Self.upgradesAtOnce { turn() }
    }
    while ready < plan.connections { turn() }
    for number in 0..<plan.publishers {
      publishers.append(Publisher(port: plan.port, path: plan.publishPath, token: plan.token))
      watch(publishers[number].descriptor, as: plan.connections + number)
    }
  }

  /// Publishes so many messages and waits until all listeners have all of them. Returns the messages delivered and the
  /// seconds.
  mutating func publish(_ count: Int) -> (delivered: Int, seconds: Double) {
    (delivered, answered, published) = (0, 0, 0)
    let start = seconds(of: CLOCK_MONOTONIC)
    for number in publishers.indices where published < count { publishNext(by: number) }
    while delivered < count * plan.connections || answered < count {
      let before = answered
      turn()
      guard answered > before, published < count else { continue }
      for number in publishers.indices where !publishers[number].isWaiting && published < count {
        publishNext(by: number)
      }
    }
    return (delivered, seconds(of: CLOCK_MONOTONIC) - start)
  }

  /// Bytes of all messages' payloads so far, greetings included.
  var payloadBytes: Int { listeners.reduce(0) { $0 + $1.counter.payloadBytes } }

  private mutating func publishNext(by number: Int) {
    publishers[number].publish(plan.bodies[published % plan.bodies.count])
    published += 1
  }

  private func watch(_ descriptor: Int32, as number: Int) {
    var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(number)))
    epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
  }

  private mutating func turn() {
    let count = epoll_wait(epoll, events, Int32(Self.eventsPerTurn), Self.patience)
    guard count > 0 else {
      stop("nothing for \(Self.patience / 1000) s: \(ready) ready, \(published) published, \(delivered) delivered")
    }
    for index in 0..<Int(count) {
      let number = Int(events[index].data.u64)
      if number < plan.connections {
        let bytes = received(listeners[number].descriptor)
        let wasReady = listeners[number].isReady
        delivered += listeners[number].take(bytes)
        if !wasReady, listeners[number].isReady { ready += 1 }
      } else {
        let publisher = number - plan.connections
        if publishers[publisher].take(received(publishers[publisher].descriptor)) { answered += 1 }
      }
    }
  }

  private func received(_ descriptor: Int32) -> UnsafeRawBufferPointer {
    let count = read(descriptor, buffer.baseAddress, buffer.count)
    guard count > 0 else { stop("a connection ended: error \(count < 0 ? errno : 0)") }
    return UnsafeRawBufferPointer(rebasing: buffer[..<count])
  }
}
