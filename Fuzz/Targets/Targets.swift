import Glibc
import Wire

/// Every pure parser, under the name of its folder in Fuzz/Corpus. A target feeds the same bytes whole and one by one,
/// and traps when the results differ.
nonisolated(unsafe) let targets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "request": { bytes in
    func outcome(_ pieces: [Range<Int>]) -> String {
      var parser = RequestParser()
      var said = ""
      for piece in pieces {
        let input = UnsafeBufferPointer(rebasing: bytes[piece])
        var position = 0
        do throws(WireFault) {
          while let event = try parser.next(input, &position) {
            switch event {
            case .head(let head): said += "H\(head.method.name)\(head.target)\(head.framing)\(head.fields.count)"
            case .body(let range): said += String(repeating: "B", count: range.count)
            case .end: said += "E"
            }
          }
        } catch {
          return said + "F\(error)"
        }
      }
      return said
    }
    require(outcome([0..<bytes.count]) == outcome(bytes.indices.map { $0..<($0 + 1) }))
  },
  "websocket": { bytes in
    require(webSocketOutcome(bytes, whole, nil) == webSocketOutcome(bytes, oneByOne, nil))
  },
  "json": { bytes in
    // A value that was read is the same after writing and reading it again.
    guard let json = try? JSON(parsing: Array(bytes)) else { return }
    require((try? JSON(parsing: json.bytes)) == json)
  },
].merging(
  [
    hubTargets, messageTargets, storeTargets, pictureTargets, wireTargets, calendarTargets, soundTargets, spaceTargets,
    positionTargets, objectTargets, imagingTargets, foreignTargets, notificationTargets, pushTargets, apnsTargets,
    clientTargets, galleryTargets, uploadTargets,
  ].joined().map { ($0.key, $0.value) }
) { first, _ in first }

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
