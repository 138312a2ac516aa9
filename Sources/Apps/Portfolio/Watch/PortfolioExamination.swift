import Hub
import Store
import Wire

/// The doctor's look at portfolios: those whose last sync did not come to its end, and those of folders that a service
/// may not see.
struct PortfolioExamination {
  private let hub: Hub

  init(_ hub: Hub) { self.hub = hub }

  func findings() async -> [Finding] {
    guard let all = try? await hub.store.read({ database throws(StoreError) in try database.portfolios() }) else {
      return []
    }
    return all.compactMap { portfolio -> Finding? in
      let source = portfolio.source
      guard let fault = portfolio.fault else {
        let words = source.kind == .folder ? hub.wordsOfHome(source.of) : ""
        return words.isEmpty ? nil : .ok("portfolio", "\(portfolio.name) is read from \(source.of)\(words)")
      }
      return .warning(
        "portfolio", "\(portfolio.name) is not up to date: \(fault.text)",
        // A command sees there what the service does not.
        remedy: fault.code == "portfolio-folder-hidden"
          ? "Let the service read there, with ProtectHome=read-only: Docs/configuration.md"
          : "`eightbells portfolio sync \(portfolio.address) --data DIR` tries again, and says more.")
    }
  }
}
