import Glibc

/// The target that EIGHTBELLS_FUZZ names, which is the name of a folder in Fuzz/Corpus.
nonisolated(unsafe) let chosen: (UnsafeBufferPointer<UInt8>) -> Void = {
  let name = getenv("EIGHTBELLS_FUZZ").map { String(cString: $0) } ?? ""
  guard let target = targets[name] else { fatalError("EIGHTBELLS_FUZZ: \(name); accepted: \(targets.keys.sorted())") }
  return target
}()

/// Like precondition, whose message is lost in optimised builds, which fuzzing uses.
func require(
  _ condition: Bool, _ message: @autoclosure () -> String = "not as it must be", file: StaticString = #fileID,
  line: UInt = #line
) {
  if !condition { fatalError(message(), file: file, line: line) }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  chosen(UnsafeBufferPointer(start: bytes, count: count))
  return 0
}

#if !FUZZING
  /// Without the fuzzer: replays the files given, as a regression test.
  @main struct Replay {
    static func main() {
      for path in CommandLine.arguments.dropFirst() {
        guard let file = fopen(path, "r") else { fatalError("cannot open \(path)") }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&buffer, 1, buffer.count, file)
        fclose(file)
        _ = buffer.withUnsafeBufferPointer { fuzzOneInput(UnsafePointer($0.baseAddress), count) }
        print("replayed \(path)")
      }
    }
  }
#endif
