import Wire

@testable import Backend
@testable import Imaging
@testable import TalkingClock

/// What is read of files that people send.
nonisolated(unsafe) let uploadTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "embedded": { bytes in
    let all = Array(bytes)
    require(embedded([all]) == embedded(all.map { [$0] }))
  },
  "video": { bytes in
    // What ffprobe says, with tags in it that are the file's own.
    let report = VideoReport(String(decoding: bytes, as: UTF8.self))
    let sides = 1...ImagingLimits.side
    require(!report.hasPicture || sides.contains(report.width) && sides.contains(report.height), "\(report)")
    require(report.seconds.map { $0.isFinite && $0 >= 0 } ?? true, "\(report)")
  },
  "wave": { bytes in
    guard let header = try? WaveHeader(Array(bytes)) else { return }
    require(header.frames > 0 && header.frames * 2 <= bytes.count && header.rate == ClockLimits.rate, "\(header)")
  },
]

/// The file in a JSON object that comes in these pieces, and the rest of the object; or the fault.
private func embedded(_ pieces: [[UInt8]]) -> String {
  var reader = EmbeddedFile()
  var file: [UInt8] = []
  do throws(EmbeddedFile.Fault) {
    for piece in pieces { file += try reader.feed(piece) }
    return "\(file)\(try reader.finish())"
  } catch {
    return "\(error)"
  }
}
