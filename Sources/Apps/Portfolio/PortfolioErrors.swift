import Server

/// This room's errors.
extension ErrorCode {
  static let sourceNotAccepted = Self(40085)
  static let foldersForOwners = Self(40385)
  static let noSuchPortfolio = Self(40485)
  static let noSuchGallery = Self(40486)
  static let noSuchPortfolioFile = Self(40487)
  static let noSuchConsent = Self(40488)
  static let tooManyPortfolios = Self(40985)
  static let noSuchShare = Self(40494)
  static let pictureIsPrivate = Self(40994)
  static let tooManyShares = Self(40995)

  static let ofPortfolios: [ErrorCode] =
    [
      .sourceNotAccepted, .foldersForOwners, .noSuchPortfolio, .noSuchGallery,
      .noSuchPortfolioFile, .noSuchConsent, .tooManyPortfolios, .noSuchShare,
      .pictureIsPrivate, .tooManyShares,
    ] + ofOwnGalleries + ofSent
}

extension HTTPError {
  static let noSuchConsent = HTTPError(
    .noSuchConsent, "Nobody asked for this permission here, or too long ago.", help: "Begin again.")
  static let noSuchPortfolio = HTTPError(
    .noSuchPortfolio, "There is no such portfolio, or it is not yours.",
    help: "GET /api/v1/portfolios lists yours; eightbells portfolio list shows all.")
  static let noSuchGallery = HTTPError(
    .noSuchGallery, "There is no such gallery in this portfolio.", help: "GET /api/v1/portfolios/ID lists them.")
  static let noSuchPortfolioFile = HTTPError(
    .noSuchPortfolioFile, "There is no such file of a picture.", help: "sizes of the picture says which there are.")
}
