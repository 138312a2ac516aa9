import EventLoop
import Foundation
import Imaging
import Observe
import Synchronization
import Testing
import World

/// A workshop whose time the test advances, with a decoder that does what a job's name says.
private final class Bench: @unchecked Sendable {
  let time = VirtualTime()
  let loop: EventLoop
  let workshop: PictureWorkshop
  let folder = TemporaryFolder()
  private var running: Task<Void, any Error>?

  init(workers: Int = 1, rest: Double = 0, isMissing: Bool = false, files: [String] = []) throws {
    loop = EventLoop(time: time)
    workshop = PictureWorkshop(
      program: folder.path + "/decoder", workers: workers, loop: loop, log: Log(time: time, sink: { _ in }))
    if !isMissing { try build() }
    for file in files { try folder.write([], to: file) }
    loop.turn(wait: 0)
    running = Task(executorPreference: loop) { [workshop] in try await workshop.run(after: rest) }
  }

  deinit { running?.cancel() }

  func build() throws {
    // A link, which nobody can have open for writing: a process started by another test has what is open just then.
    let source = #filePath.replacingOccurrences(of: "WorkshopTests.swift", with: "fake_decoder.py")
    try #require(symlink(source, folder.path + "/decoder") == 0)
  }

  func text(_ name: String) -> String { (try? folder.read(name)).map { String(decoding: $0, as: UTF8.self) } ?? "" }

  /// Turns the loop, with time passing as it does, until a condition holds.
  func until(_ what: String, _ holds: () -> Bool) throws {
    for _ in 0..<4000 {
      if holds() { return }
      loop.turn(wait: 0.005)
      time.advance(by: 0.005)
    }
    Issue.record("waited in vain until \(what); the state is \(workshop.state)")
    throw CancellationError()
  }

  func start(_ name: String, urgent: Bool = false, wish: PictureJob.Wish = .sizes([320])) -> Answer {
    let answer = Answer()
    Task(executorPreference: loop) { [workshop] in
      let job = PictureJob(bytes: [1], wish: wish, name: name)
      do throws(PictureError) {
        answer.set(.success(try await workshop.make(job, urgent: urgent)))
      } catch {
        answer.set(.failure(error))
      }
    }
    return answer
  }

  func outcome(_ answer: Answer) throws -> Result<MadePicture, PictureError> {
    try until("there is an answer") { answer.value != nil }
    return answer.value!
  }

  func ready() throws {
    try until("it is ready") { if case .ready = workshop.state { true } else { false } }
  }

  func stop() throws {
    running?.cancel()
    try until("it has stopped") { workshop.state == .starting }
  }
}

private final class Answer: Sendable {
  private let held = Mutex<Result<MadePicture, PictureError>?>(nil)
  var value: Result<MadePicture, PictureError>? { held.withLock { $0 } }
  func set(_ value: Result<MadePicture, PictureError>) { held.withLock { $0 = value } }
}

@Suite(.timeLimit(.minutes(2))) struct WorkshopTests {
  @Test func `a job is made by a process that gets three descriptors and no environment`() throws {
    let bench = try Bench()
    let made = try bench.outcome(bench.start("a")).get()
    #expect(made.width == 40 && made.taken == "2026-11-21T18:04:00")
    guard case .ready(let told, nil) = bench.workshop.state else { throw CancellationError() }
    #expect(told.contains("'LC_ALL'") && told.hasSuffix("[0, 1, 2]"), "\(told)")
    #expect(!told.contains("PATH") && !told.contains("HOME"))
    try bench.stop()
  }

  @Test func `decoders that rest are started by the first job, or to be prepared, and at last by themselves`() throws {
    for wake in [{ _ = $0.start("a") }, { $0.workshop.prepare() }, { $0.time.advance(by: 10) }] as [(Bench) -> Void] {
      let bench = try Bench(rest: 10)
      for _ in 0..<20 { bench.loop.turn(wait: 0.005) }
      #expect(bench.workshop.state == .starting && bench.text("started").isEmpty)
      wake(bench)
      let since = bench.time.uptime
      try bench.ready()
      #expect(bench.time.uptime - since < 5)
      try bench.stop()
    }
  }

  @Test func `a decoder that dies fails its job alone, and is started again`() throws {
    let bench = try Bench()
    let (bad, good) = (bench.start("die"), bench.start("b"))
    guard case .failure(.helperFailed(let words)) = try bench.outcome(bad) else { throw CancellationError() }
    #expect(words.contains("signal 11"), "\(words)")
    #expect(try bench.outcome(good).get().width == 40)
    #expect(bench.text("started").split(separator: "\n").count == 2)
    try bench.stop()
  }

  @Test func `a decoder that hangs is ended, and the other one goes on meanwhile`() throws {
    let bench = try Bench(workers: 2)
    try bench.ready()
    let bad = bench.start("hang")
    try bench.until("it hangs") { bench.text("order").contains("hang") }
    for name in ["a", "b", "c"] { #expect(try bench.outcome(bench.start(name)).get().width == 40) }
    #expect(bad.value == nil)
    bench.time.advance(by: ImagingLimits.pictureSeconds)
    #expect(try bench.outcome(bad) == .failure(.tookTooLong))
    try bench.stop()
  }

  @Test func `nonsense from a decoder ends it`() throws {
    let bench = try Bench()
    guard case .failure(.helperFailed(let words)) = try bench.outcome(bench.start("nonsense")) else {
      throw CancellationError()
    }
    #expect(words.hasPrefix("it sent nonsense"))
    #expect(try bench.outcome(bench.start("b")).get().width == 40)
    try bench.stop()
  }

  @Test func `a video that gives way is no video that failed`() throws {
    let bench = try Bench(files: ["film"])
    try bench.ready()
    let film = open(bench.folder.path + "/film", O_RDWR)
    defer { close(film) }
    let ended = Answer()
    Task(executorPreference: bench.loop) { [workshop = bench.workshop] in
      do throws(PictureError) {
        try await workshop.video(film, into: film)
        ended.set(.success(MadePicture()))
      } catch {
        ended.set(.failure(error))
      }
    }
    try bench.until("it is converted") { bench.text("order") == "convert\n" }
    bench.workshop.giveWay()
    #expect(try bench.outcome(ended) == .failure(.full))
    try bench.stop()
  }

  @Test func `urgent jobs are first, and the waiting room is bounded`() throws {
    let bench = try Bench()
    try bench.ready()
    let first = bench.start("wait")
    try bench.until("it waits") { bench.text("order").contains("wait") }
    var room = (0..<ImagingLimits.ordinaryJobs).map { _ in bench.start("ordinary") }
    let last = bench.start("one more")
    let urgent = bench.start("urgent", urgent: true)
    // Tasks run in any order, so one of them is refused.
    room.append(last)
    try bench.until("one is refused") { room.contains { $0.value == .failure(.full) } }
    #expect(urgent.value == nil)
    try bench.folder.write([], to: "go")
    _ = try bench.outcome(first)
    for one in room { _ = try bench.outcome(one) }
    _ = try bench.outcome(urgent)
    #expect(room.filter { $0.value == .failure(.full) }.count == 1)
    #expect(bench.text("order").split(separator: "\n")[..<2] == ["wait", "urgent"])
    try bench.stop()
  }

  @Test func `previews are before all, and leave pictures their turn`() throws {
    let bench = try Bench()
    try bench.ready()
    var all = [bench.start("wait")]
    try bench.until("it waits") { bench.text("order").contains("wait") }
    all += (0..<2).map { _ in bench.start("picture", urgent: true) }
    all += (0..<2 * ImagingLimits.previewsInRow).map { _ in bench.start("preview", wish: .preview) }
    // All of them are waiting before the first one goes on.
    for _ in 0..<20 { bench.loop.turn(wait: 0.005) }
    try bench.folder.write([], to: "go")
    for one in all { _ = try bench.outcome(one) }
    let row = Array(repeating: Substring("preview"), count: ImagingLimits.previewsInRow)
    #expect(bench.text("order").split(separator: "\n") == ["wait"] + row + ["picture"] + row + ["picture"])
    try bench.stop()
  }

  @Test func `a program that cannot start is told, with what it said, and tried again more and more rarely`() throws {
    let bench = try Bench(files: ["never"])
    try bench.until("it fails") { if case .failing = bench.workshop.state { true } else { false } }
    #expect(bench.workshop.state == .failing("libvips.so.42: cannot open shared object file"))
    // No try: the job is the same once it runs.
    guard case .failure(.notRunning) = try bench.outcome(bench.start("a")) else { throw CancellationError() }
    unlink(bench.folder.path + "/never")
    try bench.ready()
    try bench.stop()
  }

  @Test func `while one decoder is up, another one that cannot start stops nothing`() throws {
    let bench = try Bench(workers: 2)
    try bench.until("both run") { bench.text("started").split(separator: "\n").count == 2 }
    try bench.folder.write([], to: "never")
    _ = try bench.outcome(bench.start("die"))
    try bench.until("it failed to start again") { bench.text("failed").split(separator: "\n").count >= 2 }
    try bench.ready()
    #expect(try bench.outcome(bench.start("b")).get().width == 40)
    try bench.stop()
  }

  @Test func `a decoder that ends is not started again before it is gone`() throws {
    let bench = try Bench(workers: 2)
    try bench.until("both run") { bench.text("started").split(separator: "\n").count == 2 }
    for _ in 0..<3 {
      let bad = [bench.start("die"), bench.start("nonsense")]
      for one in bad {
        guard case .failure(.helperFailed) = try bench.outcome(one) else { throw CancellationError() }
      }
    }
    // One that is lost would keep this job for ever.
    let hanging = bench.start("hang")
    try bench.until("it hangs") { bench.text("order").contains("hang") }
    bench.time.advance(by: ImagingLimits.pictureSeconds)
    #expect(try bench.outcome(hanging) == .failure(.tookTooLong))
    try bench.stop()
    try bench.until("no process is left") {
      bench.text("started").split(separator: "\n").allSatisfy { kill(pid_t($0)!, 0) == -1 }
    }
  }

  @Test func `a program that is never ready is ended in time`() throws {
    let bench = try Bench(files: ["late"])
    try bench.until("some turns have passed") { bench.time.uptime > 0.05 }
    bench.time.advance(by: ImagingLimits.startSeconds)
    try bench.until("it fails") { if case .failing = bench.workshop.state { true } else { false } }
    try bench.stop()
  }

  @Test func `a missing program is told, and found as soon as somebody has built it`() throws {
    let bench = try Bench(isMissing: true)
    try bench.until("it is missing") { if case .missing = bench.workshop.state { true } else { false } }
    guard case .failure(.notInstalled) = try bench.outcome(bench.start("a")) else { throw CancellationError() }
    try bench.build()
    bench.time.advance(by: ImagingLimits.lookAgainSeconds)
    try bench.ready()
    try bench.stop()
  }

  @Test func `what waits when the hub ends is told so, and no process is left`() throws {
    let bench = try Bench()
    let waiting = [bench.start("hang"), bench.start("b")]
    try bench.until("it hangs") { bench.text("order").contains("hang") }
    try bench.stop()
    for one in waiting {
      guard case .failure(.notRunning) = try bench.outcome(one) else { throw CancellationError() }
    }
    for line in bench.text("started").split(separator: "\n") { #expect(kill(pid_t(line)!, 0) == -1) }
  }
}
