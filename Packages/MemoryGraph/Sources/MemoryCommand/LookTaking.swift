import Analysis
import Capture
import Glibc
import Graph
import Lifecycle
import Report
import Settings

/// Takes a look at a running process, or reads a saved snapshot.
struct LookTaking {
  var mayTwin = true
  /// True if leaks found by the first look have to be found by a second one.
  var isConfirmed = true
  var known = KnownPatterns.builtIn
  /// True if words that merely look like references are judged by reference counts (`Doubts`).
  var isByCounts = false
  /// True to read the values of all objects, not only of those reported.
  var readsValues = false
  let time = SystemTime()

  /// Milliseconds between the two looks: enough for objects that were being moved.
  private static let pause: Int32 = 100
  /// The most blocks of a first look that is kept until the second one is complete, in case the process ends meanwhile.
  /// A larger one only until the process' memory is copied: from then on it takes somebody who ends the copy.
  private static let mostKept = 1 << 20
  private static let attempts = 3

  /// - Parameter wanted: nodes whose values are read, besides those of the findings.
  func take(_ word: String, wanted: (Examination) -> [Int] = { _ in [] }) throws -> Look {
    if let process = Int32(word) {
      guard process > 0 else {
        throw SettingsError("Process \"\(word)\": a number above 0 is accepted, as ps shows it.")
      }
      return try take(Self.process(of: process), wanted: wanted)
    }
    if CoreFile.isOne(word) {
      let start = time.uptime
      return try read(Snapshot(of: CoreFile(word)), since: start, wanted, source: word, takenAt: Self.written(word))
    }
    let file = try Self.file(word)
    return Look(
      examined(file.graph), method: file.method, stopSeconds: file.stopSeconds, seconds: file.seconds, source: word,
      takenAt: file.takenAt, looks: file.looks)
  }

  /// The process of a thread: /proc takes the numbers of threads, too, which htop and `top -H` show.
  static func process(of number: Int32) -> Int32 {
    ProcessFiles(number).status("Tgid").flatMap { Int32($0) } ?? number
  }

  /// Takes a look at a process, and a second one if something seems lost.
  /// - Parameter program: the process, if it waits for the look.
  func take(
    _ process: Int32, asking program: WaitingProgram? = nil, wanted: (Examination) -> [Int] = { _ in [] }
  ) throws -> Look {
    let first = try takeOnce(process, asking: program, isFirst: isConfirmed, wanted: wanted)
    let verdict = Verdict(first.examination)
    guard isConfirmed, !verdict.isEmpty else { return first }
    let (stopSeconds, seconds) = (first.stopSeconds, first.seconds)
    let isLarge = first.examination.graph.count > Self.mostKept
    var kept: Look? = consume first
    poll(nil, 0, Self.pause)
    do {
      let second = try takeOnce(process, asking: program, captured: { if isLarge { kept = nil } }, wanted: wanted)
      return Look(
        verdict.confirming(second.examination), method: second.method,
        stopSeconds: max(stopSeconds, second.stopSeconds), seconds: max(seconds, second.seconds),
        takenAt: second.takenAt, looks: 2)
    } catch let error as CaptureError where error.code == .gone {
      guard let first = kept else { throw error }
      var graph = first.examination.graph
      graph.remarks.append("The process ended before a second look: what was on its way may be among the leaks.")
      return Look(
        examined(graph), method: first.method, stopSeconds: first.stopSeconds, seconds: first.seconds,
        takenAt: first.takenAt)
    }
  }

  /// Takes one look at a process. One that has just started, or called exec, may have no heap yet, which is waited for.
  /// The same goes for a heap that seems corrupted: a thread may have been changing it.
  /// - Parameters:
  ///   - isFirst: true if another look follows where something is lost: this one's cycles are not needed then.
  ///   - captured: called when the process' memory is copied.
  func takeOnce(
    _ process: Int32, asking program: WaitingProgram? = nil, isFirst: Bool = false, captured: () -> Void = {},
    wanted: (Examination) -> [Int] = { _ in [] }
  ) throws -> Look {
    for _ in 1..<Self.attempts {
      do {
        let look = try look(process, program, isFirst, captured, wanted)
        if look.examination.graph.damage.isEmpty { return look }
      } catch let error as CaptureError where error.code == .damaged {}
      poll(nil, 0, Self.pause)
    }
    return try look(process, program, isFirst, captured, wanted)
  }

  private func look(
    _ process: Int32, _ program: WaitingProgram?, _ isFirst: Bool, _ captured: () -> Void,
    _ wanted: (Examination) -> [Int]
  ) throws -> Look {
    let (start, now) = (time.uptime, time.now)
    // The copy may take as much memory as the process has. When there is no more, as in a container, the kernel is to
    // end this tool, and not the process.
    let order = ProcessFiles(getpid()).text(Self.order)
    Self.setOrder("1000")
    defer { if let order { Self.setOrder(order) } }
    let snapshot = try Snapshot(of: process, mayTwin: mayTwin, asking: program)
    captured()
    return try read(snapshot, since: start, isFirst: isFirst, wanted, takenAt: now)
  }

  /// The file of /proc that says who is ended first when memory runs out (proc(5)): whoever has most, up to 1000.
  private static let order = "oom_score_adj"

  private static func setOrder(_ number: String) {
    guard let file = fopen("/proc/self/\(order)", "we") else { return }
    defer { fclose(file) }
    fputs(number, file)
  }

  /// In a function of its own, which releases the copy of the process' memory when it returns.
  @inline(never)
  private func read(
    _ snapshot: Snapshot, since start: Double, isFirst: Bool = false, _ wanted: (Examination) -> [Int],
    source: String? = nil, takenAt: Double
  ) throws -> Look {
    let graph = try GraphReader.read(snapshot)
    // Readable data of the copy is kept until it is known what is needed; the rest is released now.
    let values = ValueReader(snapshot, graph)
    var examination = examined(graph, seeksCycles: !isFirst)
    if isFirst, !examination.hasLosses { examination.findCycles() }
    let chosen = wanted(examination)
    examination.readValues(values, also: chosen, readsAll: readsValues)
    examination.nameFrames(besides: chosen, process: snapshot.files)
    examination.nameDefinitions(besides: chosen, all: readsValues, process: snapshot.files)
    // Findings may match patterns by their calls, which are symbolised now.
    if known.asksForCalls, !examination.graph.allocatedAt.isEmpty, !examination.findings.isEmpty {
      examination = examined(examination.graph)
    }
    return Look(
      examination, method: snapshot.method.rawValue, stopSeconds: snapshot.stopSeconds, seconds: time.uptime - start,
      source: source, takenAt: takenAt)
  }

  /// The look without the leaks of an earlier one, compared by address.
  func new(in look: Look, since word: String) throws -> Look {
    let (now, earlier) = (look.examination.graph, try Self.file(word).graph)
    guard now.process == earlier.process, now.processName == earlier.processName else {
      throw SettingsError(
        "--since \(word) is a look at \(earlier.processName) (process \(earlier.process)), and this is one at "
          + "\(now.processName) (process \(now.process)); an earlier look at the same process is accepted.")
    }
    var look = look
    look.examination = Verdict(examined(earlier)).new(in: look.examination)
    return look
  }

  private func examined(_ graph: ObjectGraph, seeksCycles: Bool = true) -> Examination {
    Examination(graph, known: known, isByCounts: isByCounts, seeksCycles: seeksCycles)
  }

  // MARK: Files

  /// The largest snapshot; one of 5 million blocks has some 40 MB.
  private static let longestFile = 1 << 30

  private static func file(_ path: String) throws -> GraphFile {
    guard let bytes = try bytes(of: path) else {
      throw SettingsError(
        "\"\(path)\" is no process (a number above 0 is accepted, as ps shows it), and there is no snapshot "
          + "or core file of this name."
      )
    }
    do {
      return try GraphFile(bytes)
    } catch {
      throw GraphError("\(path): \(error.message)")
    }
  }

  private static func written(_ path: String) throws -> Double {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw SettingsError("Cannot read \(path): \(String(cString: strerror(errno))).")
    }
    return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
  }

  /// The whole file; nil when it is missing.
  static func bytes(of path: String) throws -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    if file < 0, errno == ENOENT { return nil }
    func refused() -> SettingsError { SettingsError("Cannot read \(path): \(String(cString: strerror(errno))).") }
    guard file >= 0 else { throw refused() }
    defer { close(file) }
    guard let bytes = Capture.bytes(of: file, most: longestFile) else { throw refused() }
    guard bytes.count <= longestFile else {
      throw SettingsError("\(path) is longer than \(longestFile) bytes, as no snapshot is.")
    }
    return bytes
  }
}
