import Foundation
import Testing

@Suite struct HubsSimulationTests {
  /// The first seed and how many, as "1000" or "17+1"; a tenth of what bin/trial simulation runs.
  static let seeds: ClosedRange<UInt64> = {
    let text = ProcessInfo.processInfo.environment["EIGHTBELLS_HUBS_SEEDS"] ?? "100"
    let parts = text.split(separator: "+").compactMap { UInt64($0) }
    return parts.count == 2 ? parts[0]...(parts[0] + parts[1] - 1) : 1...(parts.first ?? 100)
  }()

  @Test func `whatever happens to three hubs, no work is done by two, and no news are passed over`() {
    var takeovers = 0, writes = 0, failovers = 0
    for seed in Self.seeds {
      let simulation = HubsSimulation(seed: seed)
      do { try simulation.run() } catch {
        Issue.record("EIGHTBELLS_HUBS_SEEDS=\(seed)+1 fails: \(error)")
        return
      }
      takeovers += simulation.takeovers
      writes += simulation.writes
      failovers += simulation.failovers
    }
    print("\(Self.seeds.count) seeds: \(takeovers) leases taken, \(writes) pieces of work, \(failovers) replicas")
    let count = Self.seeds.count
    if count >= 100 { #expect(takeovers > count && writes > 10 * count && failovers > count / 10) }
  }
}
