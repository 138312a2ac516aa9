import CLinux
public import EventLoop
import Glibc
public import Observe
import Synchronization

/// The hub's side of the program that decodes: starts it, hands it jobs, and starts it again when it dies.
///
/// What waits and what runs is confined to its loop; its functions may be called from anywhere.
public final class PictureWorkshop: @unchecked Sendable {
  public enum State: Equatable, Sendable {
    case starting
    /// With the level of protection that this machine gave, and the reason if there are no videos.
    case ready(sandbox: String, videoProblem: String?)
    /// With what to install or to build.
    case missing(String)
    /// It is there and does not run.
    case failing(String)
  }
  typealias Made = Result<MadePicture, PictureError>
  private struct Waiter {
    var job: PictureJob
    var done: (Made) -> Void
  }

  let loop: EventLoop
  private let log: Log
  private let given: String?
  private let count: Int
  private let current = Mutex(State.starting)
  private var workers: [PictureWorker] = []
  private var previews: [Waiter] = []
  private var urgent: [Waiter] = []
  private var ordinary: [Waiter] = []
  /// Previews that were handed out without a picture between them.
  private var previewsInRow = 0
  private var isRunning = false
  /// Nobody has asked for a decoder yet, and its time has not come.
  private var isResting = false
  /// Starts that failed in a row.
  private var failures = 0
  private var timer: LoopTimer?
  let looks = Lane()
  let conversions = Lane()
  var tools: [ObjectIdentifier: VideoTool] = [:]

  /// - Parameters:
  ///   - program: the path of `eightbells-pictures`; nil: beside this program, then in /usr/bin.
  ///   - workers: the pictures that are made at a time.
  public init(program: String?, workers: Int = 2, loop: EventLoop, log: Log) {
    (given, count, self.loop, self.log) = (program, workers, loop, log)
  }

  /// For the doctor and for pages.
  public var state: State { current.withLock { $0 } }

  /// The program's path; nil if there is none.
  var program: String? {
    var paths = given.map { [$0] } ?? []
    if given == nil, let own = realpath("/proc/self/exe", nil) {
      defer { free(own) }
      let folder = String(cString: own).split(separator: "/").dropLast().map { "/" + $0 }.joined()
      paths = ["\(folder)/eightbells-pictures", "/usr/bin/eightbells-pictures"]
    }
    return paths.first { access($0, X_OK) == 0 }
  }

  /// Runs the workers until the task is cancelled.
  /// - Parameter rest: the seconds until they are started, unless there is a job before, or `prepare` is called.
  public func run(after rest: Double = 0) async throws {
    loop.perform { [self] in begin(after: rest) }
    defer { loop.perform { [self] in end() } }
    while true { try await loop.pause(for: 3600) }
  }

  /// Starts workers that rest: there will be jobs, or somebody waits for the state.
  public func prepare() {
    loop.perform { [self] in if isResting { startWorkers() } }
  }

  // MARK: Jobs

  /// Makes a picture's sizes; of a video, those of one of its pictures. Jobs wait in a room that is bounded: previews,
  /// which take milliseconds and for whose answer somebody waits, come first, then urgent ones.
  public func make(_ job: PictureJob, urgent: Bool) async throws(PictureError) -> MadePicture {
    let made = try await decode(job, urgent: urgent)
    guard made.kind == .video else { return made }
    switch job.source {
    case .descriptor(let source): return try await look(source, job.wish, urgent: urgent)
    case .bytes(let bytes):
      let source = bytes.withUnsafeBytes { clinux_memory_file($0.baseAddress, $0.count) }
      guard source >= 0 else { throw .helperFailed(String(cString: strerror(errno))) }
      defer { close(source) }
      return try await look(source, job.wish, urgent: urgent)
    }
  }

  func decode(_ job: PictureJob, urgent: Bool) async throws(PictureError) -> MadePicture {
    if case .bytes(let bytes) = job.source, bytes.count > ImagingLimits.inlineBytes {
      throw .tooLarge("\(bytes.count >> 20) MB in a job; a file may have more")
    }
    let made: Made = await withUnsafeContinuation { continuation in
      loop.perform { [self] in add(Waiter(job: job) { continuation.resume(returning: $0) }, urgent) }
    }
    return try made.get()
  }

  private func add(_ waiter: Waiter, _ isUrgent: Bool) {
    if let error = closed { return waiter.done(.failure(error)) }
    let (row, most) =
      waiter.job.wish == .preview
      ? (\PictureWorkshop.previews, ImagingLimits.previewJobs)
      : isUrgent ? (\.urgent, ImagingLimits.urgentJobs) : (\.ordinary, ImagingLimits.ordinaryJobs)
    guard self[keyPath: row].count < most else { return waiter.done(.failure(.full)) }
    self[keyPath: row].append(waiter)
    if isResting { startWorkers() }
    handOut()
  }

  /// The reason why no job can be taken now.
  var closed: PictureError? {
    switch state {
    case .starting, .ready: isRunning ? nil : .notRunning("it has not begun, or has ended")
    case .missing(let words): .notInstalled(words)
    case .failing(let words): .notRunning(words)
    }
  }

  private func handOut() {
    for worker in workers where worker.isIdle {
      guard let next = next() else { return }
      worker.begin(next.job, next.done)
    }
  }

  /// The next job. Many previews leave pictures their turn.
  private func next() -> Waiter? {
    let others = !urgent.isEmpty || !ordinary.isEmpty
    if !previews.isEmpty, previewsInRow < ImagingLimits.previewsInRow || !others {
      previewsInRow += 1
      return previews.removeFirst()
    }
    previewsInRow = 0
    if !urgent.isEmpty { return urgent.removeFirst() }
    return ordinary.isEmpty ? nil : ordinary.removeFirst()
  }

  private func refuseAll(_ error: PictureError) {
    let waiters = previews + urgent + ordinary
    (previews, urgent, ordinary) = ([], [], [])
    for waiter in waiters { waiter.done(.failure(error)) }
  }

  // MARK: Workers

  private func begin(after rest: Double) {
    (isRunning, isResting) = (true, true)
    workers = (0..<count).map { _ in
      PictureWorker(loop: loop) { [weak self] news in self?.heard(news) }
    }
    if rest > 0, program != nil { again(after: rest) } else { startWorkers() }
  }

  private func end() {
    (isRunning, isResting) = (false, false)
    timer?.cancel()
    for worker in workers { worker.stop() }
    for tool in tools.values { tool.end(.notRunning("the hub is ending")) }
    refuseAll(.notRunning("the hub is ending"))
    become(.starting)
  }

  private func startWorkers() {
    guard isRunning else { return }
    isResting = false
    guard let program else {
      become(.missing("\(given ?? "eightbells-pictures") is not there; it has a package and an image of its own"))
      refuseAll(.notInstalled("eightbells-pictures"))
      return again(after: ImagingLimits.lookAgainSeconds)
    }
    if case .missing = state { become(.starting) }
    for worker in workers where worker.isStopped { worker.start(program) }
  }

  private func again(after seconds: Double) {
    timer?.cancel()
    timer = loop.schedule(after: seconds) { [weak self] in self?.startWorkers() }
  }

  private func heard(_ news: PictureWorker.News) {
    switch news {
    case .ready(let message):
      failures = 0
      become(.ready(sandbox: message.sandbox, videoProblem: message.videoProblem))
    case .idle: handOut()
    case .ended(let neverReady):
      guard isRunning else { return }
      if let neverReady {
        failures += 1
        // One that is up takes the jobs meanwhile.
        if !workers.contains(where: \.isUp) {
          become(.failing(neverReady))
          refuseAll(.notRunning(neverReady))
        }
      } else {
        log.warning("a picture worker ended; another one is started")
      }
      let pause = ImagingLimits.restartSeconds
      again(after: min(pause.upperBound, pause.lowerBound * Double(1 << min(failures, 10))))
    }
  }

  private func become(_ state: State) {
    guard
      current.withLock({ current in
        defer { current = state }
        return current != state
      })
    else { return }
    switch state {
    case .ready(let sandbox, _): log.info("pictures can be made", ["sandbox": sandbox])
    case .missing(let words), .failing(let words): log.warning("no pictures can be made", ["why": words])
    case .starting: break
    }
  }
}
