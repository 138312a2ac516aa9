import Hub

extension Right {
  /// To have portfolios of one's own.
  static let keepPortfolio = Right(
    "portfolio.keep", of: Set(Role.ofPeople), isPersonal: true, "keeps portfolios")
  /// To have those that belong to no one person.
  static let keepCommonPortfolios = Right("portfolio.keep-common", of: [.owner])
}
