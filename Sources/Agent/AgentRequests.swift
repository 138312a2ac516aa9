import Device
import EventLoop
import Lifecycle
import Notifications
import Observe
import Wire

/// The requests of the device's own, which ring without a hub.
extension Agent {
  func takeRequests() {
    guard !hasEnded else { return }
    switch position.look() {
    case .unchanged: break
    case .at(let fix): requests.moved(to: fix, now: loop.time.now)
    case .refused(let fault): perform([.tell(.ignored("\(DevicePosition.file): \(fault)"))])
    }
    let taking = requests.takeNew(moment)
    do throws(DeviceError) {
      for one in taking.taken { try tell(one) }
    } catch {
      return fail(error.message)
    }
    if let failure = taking.failure { postponeRequests(failure) }
    // A new request has to know first on which side of its circle the device is.
    let fix = taking.taken.contains(where: \.waitsForPlace) ? position.last : nil
    if let fix { requests.moved(to: fix, now: loop.time.now) }
    if taking.hasMore || fix != nil { loop.atNextTurn { [unowned self] in takeRequests() } }
    fireRequests()
  }

  /// To be called when something cannot be written, as on a full disk: it is tried again. All that is known rings
  /// meanwhile, since the space of the record of what was shown is taken already.
  private func postponeRequests(_ error: DeviceError) {
    flight.note("requests wait: \(error.message)")
    guard retry == nil else { return }
    log.error("requests wait", ["reason": error.message])
    retry = loop.schedule(after: AgentLimits.retrySeconds) { [weak self] in
      self?.retry = nil
      self?.takeRequests()
    }
  }

  /// Somebody has set the machine's clock, such as a network that tells a small computer the time.
  func clockWasSet() {
    guard !hasEnded else { return }
    flight.note("clock set")
    requests.clockWasSet(moment)
    perform(session.tick(moment))
    takeRequests()
  }

  private func tell(_ taken: PendingRequests.Taken) throws(DeviceError) {
    let members = Output.members(of: taken)
    if case .refused(let name, let reason) = taken {
      log.error("a request cannot be used", ["name": name, "reason": reason])
    }
    flight.note(members.map { "\($0.name)=\($0.value.string ?? "")" }.joined(separator: " "))
    try writeLine(.object(members + [.init("at", .string(instant(loop.time.now)))]))
  }

  /// Shows what is due, and waits for the next.
  func fireRequests() {
    while !hasEnded, let next = requests.next(now: loop.time.now) {
      if let content = requests.content(of: next) {
        let fired = session.fire(id: next.id, content: content, due: Double(next.due), moment)
        if !fired.isDone {
          perform(fired.effects)
          // Ask again: only a request that was shown just now is done. One that waits for the command stays.
          guard session.fire(id: next.id, content: content, due: Double(next.due), moment).isDone else { return }
        }
      }
      do throws(DeviceError) {
        try requests.settle(next)
      } catch {
        postponeRequests(error)
      }
    }
    guard !hasEnded else { return }
    alarm.set(at: requests.due) { [weak self] in self?.fireRequests() }
  }
}
