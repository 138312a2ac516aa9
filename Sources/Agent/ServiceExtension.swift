import Device
import EventLoop
import Lifecycle
import Wire

/// The commands of `--extension` and `--extension-for`: one of them, which the category chooses, changes the content of
/// a notification that is marked `mutable` before it is shown (UNNotificationServiceExtension). The contract is
/// described in Docs/agent.md. Whatever the command does, the notification is shown: as it was sent, if there is no
/// good answer in time.
final class ServiceExtension {
  /// The trace's code for a notification that is shown as it was sent, since its extension failed.
  static let failed = "extension_failed"

  private let commands: ExtensionCommands
  private let runners: [String: CommandRunner]
  private let files: AttachmentFiles
  private let loop: EventLoop
  private let seconds: Double
  private let note: (String) -> Void

  /// - Parameters:
  ///   - seconds: after which it is asked to end.
  ///   - note: writes a line of the flight recorder.
  init(
    _ commands: ExtensionCommands, _ environment: [String: String], seconds: Double, _ files: AttachmentFiles,
    loop: EventLoop, note: @escaping (String) -> Void
  ) {
    self.commands = commands
    let all = Set(commands.all)
    runners = Dictionary(uniqueKeysWithValues: all.map { ($0, CommandRunner($0, environment, loop: loop)) })
    (self.files, self.loop, self.seconds, self.note) = (files, loop, seconds, note)
  }

  /// Runs the command for a notification that has one; `done` is called once.
  func run(_ one: Showing, _ done: @escaping (BeforeDisplay.Outcome) -> Void) {
    guard let command = commands.command(for: one.content), let runner = runners[command] else {
      return done(BeforeDisplay.Outcome())
    }
    guard let folder = files.make(for: one) else { return finish(.crashed, "no folder for files", nil, done) }
    note("extension begins id=\(one.id)")
    let deadline = Deadline(at: loop.time.now + seconds)
    let line = JSON.object([
      .init("what", "extend"), .init("id", .string(one.id)), .init("version", .int(one.version)),
      .init("content", one.content), .init("seconds", .int(Int(seconds))), deadline.member,
      .init("folder", .string(folder)),
    ])
    let bounds = CommandRunner.Bounds(seconds: seconds, mayFinish: true, bytes: AgentLimits.extensionBytes)
    let refused = runner.run(line.bytes + [10], bounds, variables: [deadline.variable]) { [unowned self] outcome in
      ended(outcome, in: folder, done)
    }
    if let refused { finish(.crashed, refused, folder, done) }
  }

  private func ended(
    _ outcome: CommandRunner.Outcome, in folder: String, _ done: (BeforeDisplay.Outcome) -> Void
  ) {
    switch outcome {
    case .stopped:
      files.remove(folder)
      done(BeforeDisplay.Outcome())
    case .failed(let failure): finish(ExtensionFault(failure), failure.words, folder, done)
    case .answered(let bytes):
      do throws(ExtensionFault) {
        let content = try files.attached(to: try ExtensionAnswer.content(bytes), in: folder)
        files.prune()
        note("extension ends bytes=\(bytes.count)")
        done(BeforeDisplay.Outcome(content: content))
      } catch {
        finish(error, "\(bytes.count) bytes", folder, done)
      }
    }
  }

  private func finish(
    _ fault: ExtensionFault, _ words: String, _ folder: String?, _ done: (BeforeDisplay.Outcome) -> Void
  ) {
    if let folder { files.remove(folder) }
    note("extension failed \(fault.rawValue): \(words)")
    done(BeforeDisplay.Outcome(note: "\(Self.failed):\(fault.rawValue)"))
  }

  func stop() { for runner in runners.values { runner.stop() } }

  func childEnded() { for runner in runners.values { runner.childEnded() } }

  func forget(_ id: String) { files.forget(id) }
}

/// The instant by which a command must have ended, as it is told to the command.
struct Deadline {
  /// Milliseconds since 1970.
  let milliseconds: Int

  init(at seconds: Double) { milliseconds = Int(seconds * 1_000) }

  var member: JSON.Member { .init("deadline", .int(milliseconds)) }
  var variable: String { "EIGHTBELLS_DEADLINE=\(milliseconds)" }
}

/// The reason why an extension's answer is not used, with the code that the trace has as its detail.
package enum ExtensionFault: String, Error {
  /// No answer in time.
  case late
  /// It failed, or could not be started.
  case crashed
  case twice
  /// An answer without anything to show.
  case empty
  /// An answer that is no content, or none that is accepted.
  case garbage
  case tooLarge = "too_large"
  /// A file that may not be attached.
  case attachment

  init(_ failure: CommandRunner.Failure) {
    switch failure {
    case .late: self = .late
    case .tooMuch: self = .tooLarge
    case .status, .signal: self = .crashed
    }
  }
}
