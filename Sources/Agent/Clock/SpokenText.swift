import Device
import EventLoop
import Sound
import SpeakingClock

/// Texts as sounds, by espeak-ng where it is installed: a process for each text, bounded in time and output. Confined
/// to its loop.
final class SpokenText {
  private static let file = "speech.wav"

  private let folder: StateFolder
  private let runners: [ClockSettings.Language: CommandRunner]
  private var waiting: [(String, ClockSettings.Language, (Result<Clip, Fault>) -> Void)] = []

  struct Fault: Error {
    /// The end of a sentence.
    var words: String
  }

  init(_ folder: StateFolder, _ variables: [String: String], loop: EventLoop) {
    self.folder = folder
    runners = Dictionary(
      uniqueKeysWithValues: ClockSettings.Language.allCases.map { language in
        // The size of files is bounded in blocks of 512 bytes. The libraries of sound servers that espeak-ng loads make
        // one of 64 MB in memory.
        let command = """
          ulimit -f \(ClockLimits.speechProcessBytes / 512)
          exec espeak-ng -v \(language.rawValue) -s "$EIGHTBELLS_SPEED" -w "$EIGHTBELLS_SPEECH" --stdin >/dev/null 2>&1
          """
        return (language, CommandRunner(command, variables, loop: loop))
      })
  }

  /// - Parameter done: called once.
  func make(_ text: String, _ language: ClockSettings.Language, _ done: @escaping (Result<Clip, Fault>) -> Void) {
    guard waiting.count < ClockLimits.requests else { return done(.failure(Fault(words: "too many texts wait"))) }
    waiting.append((text, language, done))
    if waiting.count == 1 { next() }
  }

  private func next() {
    guard let (text, language, _) = waiting.first, let runner = runners[language] else { return }
    let bounds = CommandRunner.Bounds(seconds: ClockLimits.speechSeconds, bytes: 4096)
    // Words in a minute.
    let speed = text.utf8.count > ClockLimits.unhurriedBytes ? 220 : 150
    let variables = ["EIGHTBELLS_SPEECH=\(folder.path)/\(Self.file)", "EIGHTBELLS_SPEED=\(speed)"]
    let refused = runner.run(Array(text.utf8) + [10], bounds, variables: variables) { [weak self] outcome in
      self?.ended(outcome)
    }
    if let refused { finish(.failure(Fault(words: refused))) }
  }

  private func ended(_ outcome: CommandRunner.Outcome) {
    switch outcome {
    case .answered:
      let bytes = folder.read(Self.file, atMost: ClockLimits.speechFileBytes)
      try? folder.remove(Self.file)
      guard let bytes, let sound = try? SoundFile(bytes, named: Self.file) else {
        return finish(.failure(Fault(words: "espeak-ng made no sound")))
      }
      finish(.success(sound.clip))
    case .stopped: finish(.failure(Fault(words: "it was stopped")))
    // By the shell, which does not find it.
    case .failed(.status(127)): finish(.failure(Fault(words: "espeak-ng is not installed")))
    case .failed(let failure): finish(.failure(Fault(words: "espeak-ng: \(failure.words)")))
    }
  }

  private func finish(_ result: Result<Clip, Fault>) {
    let (_, _, done) = waiting.removeFirst()
    done(result)
    next()
  }

  func stop() { for runner in runners.values { runner.stop() } }

  /// To be called when a child has ended (SIGCHLD).
  func childEnded() { for runner in runners.values { runner.childEnded() } }
}
