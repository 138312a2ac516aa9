import EventLoop
import Foundation
import Lifecycle
import Playback
import Sound
import Testing
import World

struct PlayerTests {
  private func end(of clip: Clip, at instant: Double?, _ output: AudioOutput, stop: Bool = false) -> PlaybackEnd? {
    let loop = EventLoop(time: SystemTime())
    let player = Player(output, loop: loop)
    var found: PlaybackEnd?
    player.play(clip, at: instant, volume: 100) { event in
      if case .ended(let end) = event { found = end }
    }
    if stop { player.stop() }
    let limit = SystemTime().uptime + 20
    while found == nil, SystemTime().uptime < limit { loop.turn(wait: 1) }
    player.close()
    return found
  }

  private let clip = Clip(samples: (0..<441).map { Float($0 % 100) / 200 }, rate: 44_100)

  @Test func `A file grows by each sound, and holds its samples`() throws {
    let folder = TemporaryFolder()
    let path = "\(folder.path)/out.wav"
    for _ in 0..<2 {
      guard case .played? = end(of: clip, at: nil, .file(path)) else {
        Issue.record("not played")
        return
      }
    }
    let sound = try SoundFile([UInt8](Data(contentsOf: URL(filePath: path))), named: "out.wav")
    #expect(sound.clip.samples.count == 882 && sound.clip.rate == 44_100)
    #expect(sound.clip.integers == clip.integers + clip.integers)
  }

  @Test func `A sound waits for its time, and one whose time moved away is missed`() {
    let folder = TemporaryFolder()
    let now = SystemTime().now
    guard case .played(let from)? = end(of: clip, at: now + 0.3, .file("\(folder.path)/a.wav")) else {
      Issue.record("not played")
      return
    }
    #expect(from >= now + 0.3 && from < now + 5)
    #expect(end(of: clip, at: now + 600, .file("\(folder.path)/b.wav")) == .missed)
    #expect(end(of: clip, at: now + 30, .file("\(folder.path)/b.wav"), stop: true) == .stopped(from: nil))
  }

  @Test func `A device that is not there is named`() {
    guard case .failed(let error)? = end(of: clip, at: nil, .device("nowhere")) else {
      Issue.record("it did not fail")
      return
    }
    #expect(error.message.hasPrefix("The sound device nowhere cannot be opened: "))
  }

  @Test func `A device that does not open holds up nothing, and is left alone after some`() async throws {
    let folder = TemporaryFolder()
    let pipe = "\(folder.path)/pipe"
    // ALSA's device for files waits here until somebody reads.
    #expect(mkfifo(pipe, 0o600) == 0)
    let loop = EventLoop(time: SystemTime())
    loop.runInBackground(name: "player-test")
    defer { loop.stop() }
    let player = Player(.device("file:FILE=\(pipe),FORMAT=raw"), loop: loop)
    // A sound that ends twice fails here.
    func play() async -> PlaybackEnd {
      await withCheckedContinuation { [clip] done in
        loop.execute {
          player.play(clip, at: nil, volume: 100) { event in
            if case .ended(let end) = event { done.resume(returning: end) }
          }
        }
      }
    }
    for _ in 0..<3 { #expect(await play() == .failed(PlaybackError("The sound device does not answer."))) }
    // Once somebody reads, those that were left behind return.
    let reader = try #require(FileHandle(forReadingAtPath: pipe))
    Thread { while let more = try? reader.read(upToCount: 4_096), !more.isEmpty {} }.start()
    try await loop.pause(for: 1)
    let end = await play()
    guard case .played = end else {
      Issue.record("not played: \(end)")
      return
    }
  }

  @Test func `A device that hangs while it plays holds up nothing`() async throws {
    let folder = TemporaryFolder()
    let pipe = "\(folder.path)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    // It opens, and then takes what has room in the pipe: less than a second of sound.
    let held = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    try #require(held >= 0)
    defer { close(held) }
    let loop = EventLoop(time: SystemTime())
    loop.runInBackground(name: "player-test")
    defer { loop.stop() }
    let player = Player(.device("file:FILE=\(pipe),FORMAT=raw"), loop: loop)
    // A sound that ends twice fails here.
    func play(seconds: Int) async -> PlaybackEnd {
      let clip = Clip(samples: (0..<44_100 * seconds).map { Float($0 % 100) / 200 }, rate: 44_100)
      return await withCheckedContinuation { done in
        loop.execute {
          player.play(clip, at: nil, volume: 100) { event in
            if case .ended(let end) = event { done.resume(returning: end) }
          }
        }
      }
    }
    #expect(await play(seconds: 4) == .failed(PlaybackError("The sound device does not answer.")))
    // Once somebody reads, the one that was left behind returns, and the next one is heard.
    let reader = try #require(FileHandle(forReadingAtPath: pipe))
    Thread { while let more = try? reader.read(upToCount: 4_096), !more.isEmpty {} }.start()
    try await loop.pause(for: 1)
    let end = await play(seconds: 1)
    guard case .played = end else {
      Issue.record("not played: \(end)")
      return
    }
  }

  @Test func `Words for the place where sounds go`() {
    #expect(AudioOutput("off") == .off && AudioOutput("file:/a b.wav") == .file("/a b.wav"))
    #expect(AudioOutput("plughw:CARD=PCH,DEV=0") == .device("plughw:CARD=PCH,DEV=0"))
    #expect(AudioOutput("") == nil && AudioOutput("file:") == nil && AudioOutput("a\nb") == nil)
  }

  @Test func `A device's delay is the median of what was measured`() {
    var placement = Placement(rate: 1_000)
    #expect(placement.start == nil)
    for (index, error) in [0.0, 0.3, -0.001, 0.001, 0].enumerated() {
      // Frame 0 is heard at 100; a frame that is written now waits behind 200 others.
      let now = 100 + Double(index) * 0.05
      placement.measured(delay: 200 + Int(error * 1_000), written: index * 50 + 200, uptime: now)
    }
    #expect(placement.frame(at: 101) == 1_000 && abs((placement.uptime(of: 500) ?? 0) - 100.5) < 0.002)
    placement.restart()
    #expect(placement.start == nil)
  }
}
