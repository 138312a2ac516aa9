#if !FUZZING
  import Glibc
  import Lifecycle
  import World

  /// Without the fuzzer, as a regression test: tries the files given, and then as many random changes of them as
  /// EIGHTBELLS_FUZZ_RUNS says, the same ones each time, for a minute at most. The input under way is written to
  /// EIGHTBELLS_FUZZ_INPUT, so that one that fails is kept. One that takes half a minute has failed, as with the
  /// fuzzer.
  @main struct Replay {
    static let seconds = 60.0
    static let longest = 1 << 20

    static func main() {
      let inputs = CommandLine.arguments.dropFirst().map(read)
      for (path, input) in zip(CommandLine.arguments.dropFirst(), inputs) {
        attempt(input)
        print("replayed \(path)")
      }
      let runs = environment("EIGHTBELLS_FUZZ_RUNS").flatMap { Int($0) } ?? 0
      var random = SeededGenerator(state: 1)
      var done = 0
      let time = SystemTime()
      let end = time.uptime + seconds
      while done < runs, !inputs.isEmpty, time.uptime < end {
        attempt(changed(inputs.randomElement(using: &random) ?? [], of: inputs, &random))
        done += 1
      }
      print("\(done) random changes")
    }

    /// One to four changes, such as a network, a disk or an attacker makes.
    static func changed(
      _ input: [UInt8], of inputs: [[UInt8]], _ random: inout SeededGenerator
    ) -> [UInt8] {
      var bytes = input
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let piece = place..<min(bytes.count, place + Int.random(in: 1...16, using: &random))
        switch Int.random(in: 0..<7, using: &random) {
        case 0: for index in piece.prefix(1) { bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
        case 1: for index in piece { bytes[index] = UInt8.random(in: 0...255, using: &random) }
        case 2: bytes.removeSubrange(piece)
        case 3: bytes.insert(contentsOf: bytes[piece], at: place)
        case 4: bytes.insert(edges.randomElement(using: &random) ?? 0, at: place)
        case 5: bytes.removeSubrange(place...)
        default:
          let other = inputs.randomElement(using: &random) ?? []
          bytes.replaceSubrange(place..., with: other.suffix(Int.random(in: 0...other.count, using: &random)))
        }
      }
      return Array(bytes.prefix(longest))
    }

    /// Bytes at which formats turn: ends, separators, the first and the last of a range.
    static let edges = Array("\0\t\n\r \"%&',/09:;<>[\\]{}".utf8) + [1, 127, 128, 254, 255]

    static let kept: Int32? = environment("EIGHTBELLS_FUZZ_INPUT").map { open($0, O_WRONLY | O_CREAT | O_TRUNC, 0o600) }

    static func attempt(_ input: [UInt8]) {
      if let kept {
        require(ftruncate(kept, 0) == 0 && pwrite(kept, input, input.count, 0) == input.count, "no room for the input")
      }
      alarm(30)  // ends the program
      _ = input.withUnsafeBufferPointer { fuzzOneInput($0.baseAddress, input.count) }
      alarm(0)
    }

    static func read(_ path: String) -> [UInt8] {
      guard let file = fopen(path, "r") else { fatalError("cannot open \(path)") }
      defer { fclose(file) }
      var buffer = [UInt8](repeating: 0, count: longest)
      return Array(buffer.prefix(fread(&buffer, 1, buffer.count, file)))
    }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
  }
#endif
