import Foundation
import Testing

@Suite struct HubsSimulationTests {
  /// The first seed and how many, as "1000" or "17+1".
  static let seeds: ClosedRange<UInt64> = {
    let text = ProcessInfo.processInfo.environment["EIGHTBELLS_HUBS_SEEDS"] ?? "1000"
    let parts = text.split(separator: "+").compactMap { UInt64($0) }
    return parts.count == 2 ? parts[0]...(parts[0] + parts[1] - 1) : 1...(parts.first ?? 1000)
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
    if Self.seeds.count > 100 { #expect(takeovers > 1_000 && writes > 10_000 && failovers > 100) }
  }
}
