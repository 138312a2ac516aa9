import Glibc
import Lifecycle

/// A process at one moment: its mappings, its threads' registers and its memory.
public final class Snapshot {
  public struct Thread: Sendable {
    public let number: Int32
    public let registers: Registers
    let vectors: [VectorRegisters.Word]
  }
  public enum Method: String, Sendable {
    /// From a copy-on-write twin, while the process continued.
    case twin = "copy-on-write"
    case stopped = "stopped"
    /// From a copy-on-write twin that the program has forked itself, since tracing is forbidden.
    case forked = "forked"
    case core = "core file"
  }

  public let process: Int32
  public let name: String
  /// The process whose files are read, which may be others than this tool sees; 0 for its own.
  public let files: Int32
  public let mappings: [Mapping]
  public let threads: [Thread]
  public let memory: MemoryImage
  public let method: Method
  let layout: GlibcLayout
  /// Words that the kernel holds for the process, read a moment later.
  let kernelWords: [(descriptor: Int32, word: UInt64)]
  public let stopSeconds: Double
  /// True for a core file without what the loader has written into libraries and protected then.
  public private(set) var lacksProtected = false
  /// The twin, while it is read.
  private var twin: AnyObject?

  /// Captures a running process, which continues unchanged when this returns or throws.
  ///
  /// - Parameters:
  ///   - mayTwin: false to copy while the process is stopped.
  ///   - program: the process, if it waits for the tool: where tracing is forbidden it forks its twin itself.
  public init(
    of process: Int32, mayTwin: Bool = true, asking program: WaitingProgram? = nil
  ) throws(CaptureError) {
    self.process = process
    self.files = process
    let files = ProcessFiles(process)
    guard process != getpid() else { throw CaptureError(.refused, "A process cannot look into itself this way.") }
    guard files.text("comm") != nil else { throw ProcessFiles.gone(process) }
    name = files.name
    let (stopped, mappings, layout): (StoppedProcess, [Mapping], GlibcLayout)
    do throws(CaptureError) {
      (stopped, mappings, layout) = try Self.stop(process, name)
    } catch {
      guard error.code == .forbidden, mayTwin, let program else { throw error }
      let (twin, mappings, layout) = try Self.fork(program, name, error)
      (self.twin, self.mappings, self.layout) = (twin, mappings, layout)
      threads = twin.threads
      memory = MemoryImage(of: twin.memory)
      method = .forked
      stopSeconds = twin.stopSeconds
      kernelWords = files.kernelWords
      try ImageCopying(mappings, layout, of: program.memory, into: memory).copyRest(twin: twin.memory)
      return
    }
    let living = stopped.living
    self.mappings = mappings
    self.layout = layout
    threads = stopped.threads
    let twin = mayTwin ? try Twin.of(stopped, mappings: mappings) : nil
    self.twin = twin
    let source = TracedMemory(living)
    let twinSource = twin.map { TracedMemory($0.process) }
    memory = MemoryImage(of: twinSource ?? source)
    if let twinSource {
      method = .twin
      // Memory excluded from children has to be found among all mappings first, which takes a while.
      var begun: ImageCopying?
      if ProcessFiles(living).mappedPages != ProcessFiles(twinSource.process).mappedPages {
        begun = try ImageCopying(mappings, layout, of: source, into: memory)
        try begun?.copyKept(from: twinSource)
      }
      stopSeconds = stopped.resume()
      kernelWords = ProcessFiles(living).kernelWords
      if begun == nil { begun = try ImageCopying(mappings, layout, of: source, into: memory) }
      try begun?.copyRest(twin: twinSource)
    } else {
      method = .stopped
      kernelWords = ProcessFiles(living).kernelWords
      try ImageCopying(mappings, layout, of: source, into: memory).copyRest(twin: nil)
      stopSeconds = stopped.resume()
    }
  }

  /// Reads a process that was kept in a file.
  public init(of core: CoreFile) throws(CaptureError) {
    (process, name, files) = (core.contents.process, core.contents.name, core.process)
    (mappings, threads) = (core.contents.mappings, core.contents.threads)
    (method, stopSeconds, kernelWords) = (.core, 0, [])
    layout = try GlibcVersion.layout(of: files, name, mappings)
    memory = MemoryImage(of: core)
    try ImageCopying(mappings, layout, of: core, into: memory).copyRest(twin: nil)
    lacksProtected = core.lacksProtected
    twin = core
  }

  /// Stops a process whose heap can be read. Others are refused before anything is stopped.
  private static func stop(
    _ process: Int32, _ name: String
  ) throws(CaptureError) -> (StoppedProcess, [Mapping], GlibcLayout) {
    var attempt = 1
    while true {
      var known: (library: String?, layout: GlibcLayout)?
      // The maps of a process whose first thread has ended are empty.
      if let before = try? GlibcVersion.mappingsWithLibrary(of: process) {
        known = (GlibcVersion.library(before), try GlibcVersion.layout(of: process, name, before))
      }
      let stopped = try StoppedProcess(process)
      let mappings = try Mapping.all(of: stopped.living)
      let library = GlibcVersion.library(mappings)
      if let known, known.library == library { return (stopped, mappings, known.layout) }
      // The process has called exec meanwhile, and may have no C library yet.
      if library != nil || attempt == CaptureLimits.libraryAttempts {
        return (stopped, mappings, try GlibcVersion.layout(of: stopped.living, name, mappings))
      }
      stopped.resume()
      attempt += 1
    }
  }

  /// Has a waiting program fork its twin. The memory excluded from its children (MADV_DONTFORK) is among the mappings.
  /// - Parameter refusal: the reason why it cannot be traced.
  private static func fork(
    _ program: WaitingProgram, _ name: String, _ refusal: CaptureError
  ) throws(CaptureError) -> (ForkedTwin, [Mapping], GlibcLayout) {
    let process = program.memory.process
    let files = ProcessFiles(process)
    let ours = ProcessFiles(getpid()).filters(of: getpid())
    // A system call filter of the program may kill it when one of its threads calls clone.
    func hasNoneOfItsOwn(_ thread: Int32) -> Bool {
      files.isUnfiltered(thread) || ours != nil && files.filters(of: thread) == ours || files.isGone(thread)
    }
    guard files.threads.allSatisfy(hasNoneOfItsOwn) else {
      throw CaptureError(
        .refused, refusal.message + " Nor can it make its twin itself: it filters its system calls (seccomp).")
    }
    let before = try GlibcVersion.mappingsWithLibrary(of: process)
    let layout = try GlibcVersion.layout(of: process, name, before)
    let twin = try program.memory.makeTwin()
    let inherited = try Mapping.all(of: twin.memory.process)
    let after = Set(try Mapping.all(of: process).map(\.start))
    let kept = before.filter { mapping in
      after.contains(mapping.start) && !inherited.contains { $0.start < mapping.end && mapping.start < $0.end }
    }
    return (twin, (inherited + kept).sorted { $0.start < $1.start }, layout)
  }

  /// Ends the twin: memory not read by now stays unknown. Throws if the process had ended before.
  public func release() throws(CaptureError) {
    twin = nil
    try memory.release()
  }
}
