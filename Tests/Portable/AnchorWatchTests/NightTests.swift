import Foundation
import Testing

struct NightTests {
  /// A tenth of a year; all of it with EIGHTBELLS_ANCHOR_NIGHTS=365 (bin/trial anchor_nights).
  private static let nights: UInt64 = {
    ProcessInfo.processInfo.environment["EIGHTBELLS_ANCHOR_NIGHTS"].flatMap { UInt64($0) } ?? 36
  }()

  @Test func `nights in which nothing happens are quiet`() {
    var warnings = 0
    for seed in 1...Self.nights {
      var night = Night(seed: seed, isClean: true, drags: false)
      night.play()
      #expect(night.rings == 0 && night.longestQuiet == 0, "the night \(seed)")
      #expect(night.fixes > 500)
      warnings += night.warnings
    }
    #expect(warnings == 0)
  }

  @Test func `no night with faults ends in silence, and no drag stays unheard`() {
    var (rings, drags) = (0, 0)
    for seed in 1...Self.nights {
      var night = Night(seed: seed, isClean: false, drags: seed.isMultiple(of: 2))
      night.play()
      #expect(night.longestQuiet <= Night.bound, "the night \(seed): \(night.faults)")
      rings += night.rings
      if seed.isMultiple(of: 2), night.rings > 0 { drags += 1 }
    }
    #expect(rings > Int(Self.nights) / 2 && drags == Int(Self.nights) / 2)
  }
}
