import CLinux
import EventLoop
import Glibc

/// One run of the program on a video: what it writes is collected, or goes into a file. Confined to its loop.
final class VideoTool: Watcher {
  private let loop: EventLoop
  private let done: (Result<[UInt8], PictureError>) -> Void
  private var child: ChildProcess?
  private var output: Int32 = -1
  private var complaints: Int32 = -1
  private var collected: [UInt8] = []
  private var words: [UInt8] = []
  private let longest: Int
  /// True if it makes a file, rather than looks into one.
  let makesFile: Bool
  private var timer: LoopTimer?
  private var verdict: PictureError?

  /// - Parameters:
  ///   - target: the file for its output; nil: it is collected, up to `longest` bytes.
  ///   - done: called once, later.
  init(
    _ program: String, _ arguments: [String], source: Int32, target: Int32? = nil, longest: Int = 0, seconds: Double,
    loop: EventLoop, _ done: @escaping (Result<[UInt8], PictureError>) -> Void
  ) {
    (self.loop, self.done, self.longest, makesFile) = (loop, done, longest, target != nil)
    var (toUs, saying) = ([Int32](repeating: -1, count: 2), [Int32](repeating: -1, count: 2))
    guard clinux_pipe(&toUs) == 0, clinux_pipe(&saying) == 0 else {
      for one in toUs + saying where one >= 0 { close(one) }
      fail(.helperFailed(String(cString: strerror(errno))))
      return
    }
    defer {
      close(toUs[1])
      close(saying[1])
    }
    (output, complaints) = (toUs[0], saying[0])
    for one in [output, complaints] { _ = fcntl(one, F_SETFL, O_NONBLOCK) }
    do throws(PictureError) {
      child = try ChildProcess(program, arguments, [source, target ?? toUs[1], saying[1]], loop: loop)
    } catch {
      for one in [output, complaints] { close(one) }
      fail(error)
      return
    }
    loop.watch(output, for: .readable, self)
    loop.watch(complaints, for: .readable, self)
    timer = loop.schedule(after: seconds) { [weak self] in self?.stop(.tookTooLong) }
  }

  private func fail(_ error: PictureError) { loop.atNextTurn { [done] in done(.failure(error)) } }

  /// Ends it early.
  func stop(_ error: PictureError) {
    verdict = verdict ?? error
    child?.kill()
  }

  /// The same for good; no process is left afterwards.
  func end(_ error: PictureError) {
    stop(error)
    child?.end()
  }

  func ready(_ readiness: Readiness) {
    if read(&output, into: &collected, atMost: longest) { stop(.tooLarge("more than \(longest >> 10) KB")) }
    _ = read(&complaints, into: &words, atMost: ImagingLimits.wordBytes, keepsEnd: true)
    guard output < 0, complaints < 0, let child else { return }
    child.wait { [self] status in
      guard self.child != nil else { return }
      self.child = nil
      timer?.cancel()
      if let verdict { return done(.failure(verdict)) }
      if status == 0 { return done(.success(collected)) }
      done(.failure(Self.reason(status, String(decoding: words, as: UTF8.self))))
    }
  }

  /// The reason for a failure. Only ffmpeg's own word that the file is broken is for good.
  static func reason(_ status: Int32, _ words: String) -> PictureError {
    let line = words.split(separator: "\n").last.map(String.init) ?? ChildProcess.words(status)
    // By a signal: out of memory or out of time on a busy machine, or a fault.
    if status & 0x7f == SIGXFSZ { return .tooLarge("what it would become") }
    guard status & 0x7f == 0 else { return .helperFailed(ChildProcess.words(status)) }
    // It had not become ffmpeg yet, or there was no room for the output.
    let isOurs = line.hasPrefix("eightbells-pictures: ")
    let isFull = [ENOSPC, EDQUOT].contains { words.contains(String(cString: strerror($0))) }
    if isOurs || isFull { return .helperFailed(line) }
    // A film of 8K needs more than it may have, each time.
    return words.contains(String(cString: strerror(ENOMEM))) ? .tooLarge("its memory") : .notAPicture(line)
  }

  /// - Parameter keepsEnd: the last bytes are kept, not the first: the last line says most.
  /// - Returns: true if there was more than is kept.
  private func read(
    _ descriptor: inout Int32, into kept: inout [UInt8], atMost most: Int, keepsEnd: Bool = false
  ) -> Bool {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    var isMore = false
    while descriptor >= 0 {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN { return isMore }
      guard count > 0 else {
        loop.unwatch(descriptor)
        close(descriptor)
        descriptor = -1
        return isMore
      }
      isMore = isMore || kept.count + count > most
      kept += piece[..<(keepsEnd ? count : min(count, max(0, most - kept.count)))]
      if kept.count > most { kept.removeFirst(kept.count - most) }
    }
    return isMore
  }
}
