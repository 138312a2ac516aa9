public import Store

/// What is told after a commit to those who send, in this hub and in others on the same database server.
extension Touch {
  /// Something was written for devices at the gateway, by device.
  static let gateway = Touch("push.gateway")
  /// A device has connected to the gateway of one hub, by device.
  package static let connected = Touch("push.connected")
  static let removed = Touch("push.removed")
  /// Something is due sooner.
  static let times = Touch("push.times")

  /// Something was sent to topics, by its number: for those who listen to topics without being devices.
  static let topics = Touch("push.topics")

  /// Something was written for a channel that sends by itself.
  static func channel(_ kind: ChannelKind) -> Touch { kind == .gateway ? gateway : Touch("push.\(kind.name)") }
}

extension Database {
  /// The most devices that are told by their numbers; above it every hub looks for all of its own.
  private static let namedDevices = 64

  func touch(_ wakes: [Wake]) {
    for wake in wakes {
      let isFew = wake.channel == .gateway && wake.devices.count <= Self.namedDevices
      if isFew { for device in wake.devices { touch(.gateway, device) } } else { touch(.channel(wake.channel)) }
    }
  }
}

extension Delivery {
  /// Has what was submitted sent after the commit.
  public func announce(_ submitted: [Submitted], after database: Database) {
    for one in submitted {
      database.touch(one.wakes)
      if let news = one.news { database.touch(.topics, news.message.id) }
    }
    database.afterCommit { [self] in announce(submitted) }
  }

  /// Has those who listen to topics told after the commit of what a command beside the hub has sent.
  public func announce(sentBeside id: Int, after database: Database) throws(StoreError) {
    guard let news = try database.topicNews(id) else { return }
    announce(
      [Submitted(id: id, isScheduled: false, devices: 0, persons: [], wakes: [], news: news)], after: database)
  }

  /// Has messages that the transaction has written sent after the commit.
  public func wake(_ wakes: [Wake], after database: Database) {
    database.touch(wakes)
    database.afterCommit { [self] in wake(wakes) }
  }

  /// Ends the connections of devices that the transaction removes, after the commit.
  public func removed(_ devices: [Int], after database: Database) {
    for device in devices { database.touch(.removed, device) }
    database.afterCommit { [self] in removed(devices) }
  }

  /// Works out again after the commit when the next thing is due.
  public func timesChanged(after database: Database) {
    database.touch(.times)
    database.afterCommit { [self] in timesChanged() }
  }
}
