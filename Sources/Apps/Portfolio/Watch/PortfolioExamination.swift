import Hub
import Store
import Wire

/// The doctor's look at portfolios: those whose last sync did not come to its end.
struct PortfolioExamination {
  private let hub: Hub

  init(_ hub: Hub) { self.hub = hub }

  func findings() async -> [Finding] {
    guard let all = try? await hub.store.read({ database throws(StoreError) in try database.portfolios() }) else {
      return []
    }
    return all.compactMap { portfolio in
      portfolio.fault.map { fault in
        .warning(
          "portfolio", "\(portfolio.name) is not up to date: \(fault.text)",
          remedy: "`eightbells portfolio sync \(portfolio.address) --data DIR` tries again, and says more.")
      }
    }
  }
}
