import CPtrace
import Glibc

/// A program with known leaks, for the memory graph's tests and for trying it.
///
///     victim CASE [COUNT]          makes the case's objects, prints the truth about each, and "ready"
///     victim CASE COUNT littered   the same, with all that its calls leave on the main thread's stack
///     victim list                  lists every case with an explanation
///
/// The truth is printed in lines such as `LEAK 0x7f… DummyObject` and `LIVE 0x7f… holder`. Words on standard input are
/// commands (`drop`, `check`); the program ends with the input.
@main
struct Victim {
  static func main() {
    // Where Yama permits tracing by parents only, this permits it to all processes of the same user.
    cptrace_allow_any_tracer()
    guard let (trial, count) = choice() else { return }
    isLittered = CommandLine.arguments.count > 3 && CommandLine.arguments[3] == "littered"
    run(trial, count: count)
    clean()
    tell("ready")
    while let line = nextLine() {
      if line == "drop" {
        drop(trial)
        clean()
      }
      tell("done \(line)")
    }
    keep(trial)
  }

  /// The case and count requested; nil when another command was given, and done.
  @inline(never) private static func choice() -> (Trial, count: Int)? {
    let words = Array(CommandLine.arguments.dropFirst())
    guard let name = words.first else { fail("victim CASE [COUNT]; victim list names the cases.") }
    if name == "list" {
      for trial in trials { tell("\(trial.name): \(trial.explanation) Expected: \(trial.expected).") }
      return nil
    }
    if name == "selfcheck" {
      SelfCheck.run()
      return nil
    }
    guard let trial = trials.first(where: { $0.name == name }) else { fail("No case \(name); victim list names them.") }
    return (trial, words.count > 1 ? Int(words[1]) ?? 1 : 1)
  }

  /// In calls of their own, so that their stack frames are gone.
  @inline(never) private static func run(_ trial: Trial, count: Int) {
    trial.make(count)
    clean()
  }
  @inline(never) private static func drop(_ trial: Trial) {
    trial.drop()
    clean()
  }
  @inline(never) private static func keep(_ trial: Trial) { withExtendedLifetime(trial) {} }

  /// The next line of standard input, of up to 255 bytes; nil at its end. It is kept on the stack: `readLine` reads
  /// into blocks, with stale words after the text.
  @inline(never) private static func nextLine() -> String? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 255) { bytes in
      var count = 0
      while count < bytes.count, read(STDIN_FILENO, bytes.baseAddress! + count, 1) == 1 {
        if bytes[count] == UInt8(ascii: "\n") { return String(decoding: bytes[..<count], as: UTF8.self) }
        count += 1
      }
      return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
  }

  private nonisolated(unsafe) static var isLittered = false

  /// Scrubs the main thread's stack, unless it is to stay as calls have left it.
  private static func clean() { if !isLittered { scrub(64) } }

  /// Overwrites what earlier calls have left on the stack. Recursive, since the sum needs every frame.
  @inline(never) @discardableResult static func scrub(_ depth: Int) -> UInt64 {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 128) { words in
      words.initialize(repeating: UInt64(depth))
      return depth > 0 ? scrub(depth - 1) &+ words[depth] : 0
    }
  }

  static func fail(_ message: String) -> Never {
    tell("victim: \(message)", to: STDERR_FILENO)
    exit(2)
  }
}

/// One case: the objects it makes, and the expected findings.
struct Trial {
  var name: String
  var explanation: String
  var expected: String
  var make: (_ count: Int) -> Void
  var drop: () -> Void = {}
}

/// Prints the truth about an object.
func say(_ verdict: String, _ object: AnyObject, _ label: String) {
  let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  tell("\(verdict) 0x\(String(address, radix: 16)) \(label)")
}
func leaked(_ object: AnyObject, _ label: String) { say("LEAK", object, label) }
func live(_ object: AnyObject, _ label: String) { say("LIVE", object, label) }

/// Writes one line in one call, so that it is complete whatever comes next.
func tell(_ line: String, to file: Int32 = STDOUT_FILENO) {
  let bytes = Array((line + "\n").utf8)
  _ = write(file, bytes, bytes.count)
}
