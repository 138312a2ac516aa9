import Foundation
import Testing
import World

@Suite(.serialized) struct SimulationTests {
  /// The first seed and how many, as "1000" or "17+1"; a few hundred of them in the tests of every day.
  static let seeds: ClosedRange<UInt64> = {
    let text = ProcessInfo.processInfo.environment["EIGHTBELLS_PUSH_SEEDS"] ?? "150"
    let parts = text.split(separator: "+").compactMap { UInt64($0) }
    return parts.count == 2 ? parts[0]...(parts[0] + parts[1] - 1) : 1...(parts.first ?? 150)
  }()
  /// The fewest device-days that they are to make together: five of each seed, unless a trial names a number.
  static let days = ProcessInfo.processInfo.environment["EIGHTBELLS_PUSH_DAYS"].flatMap { Double($0) }

  @Test func `whatever goes wrong, nothing is lost, nothing rings twice unmarked, and the trace is true`() async throws
  {
    // In memory: what a disk survives is tested with the store.
    let base = URL(filePath: "/dev/shm/eightbells-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: base, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: base) }
    let disk = try await SimulatedDisk(path: base.appending(path: "store.sqlite").path())
    var days = 0.0
    for seed in Self.seeds {
      do {
        let simulation = try await Simulation(seed: seed, disk)
        try await simulation.run(steps: 500)
        days += simulation.deviceDays
      } catch {
        Issue.record("EIGHTBELLS_PUSH_SEEDS=\(seed)+1 fails: \(error)")
        return
      }
    }
    print("\(Self.seeds.count) seeds, \(Int(days)) device-days")
    if Self.seeds.count > 1 { #expect(days >= Self.days ?? 5 * Double(Self.seeds.count), "too few device-days") }
  }
}
