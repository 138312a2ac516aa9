import EventLoop
import Foundation
@testable import Imaging
import Lifecycle
import Observe
import Synchronization
import Testing
import World

/// The workshop with the real program, as it is built beside these tests.
@Suite(.timeLimit(.minutes(2))) struct RealProgramTests {
  private final class Box<Value: Sendable>: Sendable {
    let held = Mutex<Result<Value, PictureError>?>(nil)
  }

  /// Runs a workshop until `work` has an answer.
  private func outcome<Value: Sendable>(
    _ work: @escaping @Sendable (PictureWorkshop) async throws(PictureError) -> Value
  ) throws -> Result<Value, PictureError> {
    let loop = EventLoop(time: SystemTime())
    loop.turn(wait: 0)
    let workshop = PictureWorkshop(program: nil, loop: loop, log: Log(time: SystemTime(), sink: { _ in }))
    let running = Task(executorPreference: loop) { try await workshop.run() }
    let box = Box<Value>()
    let limit = SystemTime().uptime + 60
    while SystemTime().uptime < limit {
      if case .ready = workshop.state { break }
      loop.turn(wait: 0.01)
    }
    guard case .ready(let sandbox, nil) = workshop.state else {
      Issue.record("not ready: \(workshop.state)")
      throw CancellationError()
    }
    #expect(sandbox.contains("seccomp"))
    Task(executorPreference: loop) {
      do throws(PictureError) {
        let value = try await work(workshop)
        box.held.withLock { $0 = .success(value) }
      } catch {
        box.held.withLock { $0 = .failure(error) }
      }
    }
    while box.held.withLock({ $0 }) == nil, SystemTime().uptime < limit { loop.turn(wait: 0.05) }
    running.cancel()
    while workshop.state != .starting, SystemTime().uptime < limit { loop.turn(wait: 0.05) }
    return try #require(box.held.withLock { $0 })
  }

  private func run(_ command: String) throws {
    let pipe = try #require(popen(command, "r"))
    #expect(pclose(pipe) == 0, "\(command)")
  }

  /// A clip as a phone writes it: turned on its side, with a time, a place and an identifier.
  private func clip(_ folder: TemporaryFolder, seconds: Double) throws -> String {
    let (flat, path) = (folder.path + "/flat.mov", folder.path + "/clip.mov")
    let words = [
      "location=+52.5163+013.3777/", "com.apple.quicktime.creationdate=2026-11-21T18:04:00+0100",
      "com.apple.quicktime.content.identifier=ACE5F2B1-1111-4222-8333-123456789ABC",
    ]
    let named = words.map { "-metadata '\($0)'" }.joined(separator: " ")
    try run(
      "ffmpeg -v error -f lavfi -i testsrc=size=640x360:rate=15:duration=\(seconds) -c:v libx264 -preset ultrafast "
        + "-pix_fmt yuv420p \(named) -movflags use_metadata_tags '\(flat)'")
    // The second is said so since ffmpeg 6.
    let copy = "-i '\(flat)' -c copy -map_metadata 0 -movflags use_metadata_tags"
    try run(
      "ffmpeg -y -v error \(copy) -metadata:s:v rotate=90 '\(path)' && ffprobe -v error -show_streams '\(path)' "
        + "| grep -q rotation || ffmpeg -y -v error -display_rotation 90 \(copy) '\(path)'")
    return path
  }

  @Test(arguments: [0.4, 3]) func `a video has a picture, a length, a time and its other half`(seconds: Double) throws {
    let path = try clip(TemporaryFolder(), seconds: seconds)
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let made = try outcome { workshop throws(PictureError) in
      try await workshop.make(PictureJob(source: file, wish: .sizes([320])), urgent: false)
    }.get()
    #expect(made.kind == .video && made.width == 360 && made.height == 640)
    #expect(abs((made.seconds ?? 0) - seconds) < 0.2)
    #expect(made.taken == "2026-11-21T18:04:00")
    #expect(made.pair == "ACE5F2B1-1111-4222-8333-123456789ABC")
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
    let again = try outcome { workshop throws(PictureError) in
      try await workshop.make(PictureJob(bytes: bytes, wish: .sizes([320])), urgent: false)
    }.get()
    #expect(again == made)
    #expect(made.sizes[320]?.starts(with: [0xff, 0xd8]) == true && made.placeholder.count > 15)
  }

  @Test func `a video is written into a file that has no name yet`() throws {
    let folder = TemporaryFolder()
    let file = open(try clip(folder, seconds: 1), O_RDONLY | O_CLOEXEC)
    try folder.write([], to: "out")
    let target = open(folder.path + "/out", O_RDWR | O_CLOEXEC)
    unlink(folder.path + "/out")
    defer {
      close(file)
      close(target)
    }
    _ = try outcome { workshop throws(PictureError) in try await workshop.video(file, into: target) }.get()
    var head = [UInt8](repeating: 0, count: 64)
    #expect(pread(target, &head, head.count, 0) == 64)
    #expect(String(decoding: head[4..<8], as: UTF8.self) == "ftyp")
    #expect(lseek(target, 0, SEEK_END) > 1000)
  }

  @Test func `a sound is written without its title, and with its length cut`() throws {
    let folder = TemporaryFolder()
    try run("ffmpeg -v error -f lavfi -i sine=duration=70 -metadata title=Secret-Title '\(folder.path)/a.mp3'")
    try folder.write([], to: "out")
    let file = open(folder.path + "/a.mp3", O_RDONLY | O_CLOEXEC)
    let target = open(folder.path + "/out", O_RDWR | O_CLOEXEC)
    defer {
      close(file)
      close(target)
    }
    try outcome { workshop throws(PictureError) in try await workshop.sound(file, into: target) }.get()
    let bytes = try Data(contentsOf: URL(filePath: folder.path + "/out"))
    #expect(bytes.count > 100_000 && bytes[4..<8] == Data("ftyp".utf8))
    #expect(bytes.range(of: Data("Secret".utf8)) == nil)
    try #expect(Data(contentsOf: URL(filePath: folder.path + "/a.mp3")).range(of: Data("Secret".utf8)) != nil)
  }

  @Test func `a signal and a full disk are no fault of the file`() {
    guard case .helperFailed = VideoTool.reason(SIGKILL, "moov atom not found") else {
      Issue.record("a signal")
      return
    }
    let full = "av_interleaved_write_frame(): No space left on device\nConversion failed!\n"
    #expect(VideoTool.reason(1 << 8, full) == .helperFailed("Conversion failed!"))
    let ours = "eightbells-pictures: ffmpeg is not installed"
    #expect(VideoTool.reason(1 << 8, ours) == .helperFailed(ours))
    #expect(VideoTool.reason(1 << 8, "x\nmoov atom not found\n") == .notAPicture("moov atom not found"))
    #expect(VideoTool.reason(1 << 8, "x: Cannot allocate memory\nConversion failed!") == .tooLarge("its memory"))
    #expect(VideoTool.reason(SIGXFSZ, "") == .tooLarge("what it would become"))
  }

  @Test func `broken videos and pictures are refused in words`() throws {
    let folder = TemporaryFolder()
    try folder.write(Array("\0\0\0\u{18}ftypmp42\0\0\0\0mp42isom".utf8) + [UInt8](repeating: 7, count: 500), to: "a")
    let file = open(folder.path + "/a", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let result = try outcome { workshop throws(PictureError) in
      try await workshop.make(PictureJob(source: file, wish: .sizes([320])), urgent: false)
    }
    guard case .failure(.notAPicture(let words)) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(!words.isEmpty)
  }
}
