import Receiving
import Server

/// The errors of one's own galleries and uploads, and of shares.
extension ErrorCode {
  static let notAPortfolioPicture = Self(40092)
  static let noSuchPortfolioPicture = Self(40492)
  static let noFlickrPermission = Self(40493)
  static let galleriesFollowSource = Self(40992)
  static let tooManyInPortfolio = Self(40993)
  static let shareFull = Self(41392)
  static let portfolioDiskFull = Self(50791)

  static let ofOwnGalleries: [ErrorCode] =
    UploadCodes.ofPortfolios.all + [
      .notAPortfolioPicture, .noSuchPortfolioPicture, .noFlickrPermission, .galleriesFollowSource,
      .tooManyInPortfolio, .shareFull, .portfolioDiskFull,
    ]
}

extension UploadCodes {
  static let ofPortfolios = UploadCodes(number: 91)
}

extension HTTPError {
  static let tooManyPortfolioUploads = UploadCodes.ofPortfolios.tooMany(PortfolioUploadLimits.ofPerson)
  static let galleriesFollowSource = HTTPError(
    .galleriesFollowSource, "The galleries of this portfolio are those of its source.",
    help: "Change them there, or make a portfolio of your own uploads: {\"source\": \"uploads:\"}.")
  static let tooManyInPortfolio = HTTPError(
    .tooManyInPortfolio, "There is no room for more.", help: "Begin another gallery, or another portfolio.")
  static let noSuchPortfolioPicture = HTTPError(
    .noSuchPortfolioPicture, "There is no such picture in this portfolio.", help: "Its galleries list them.")
  static let notAPortfolioPicture = HTTPError(
    .notAPortfolioPicture, "That is no picture or video that is known.",
    help: "JPEG, PNG, WebP, HEIC, AVIF, TIFF and GIF are accepted, and videos.")
  static let noFlickrPermission = HTTPError(
    .noFlickrPermission, "There is no portfolio of yours with a permission at Flickr.",
    help: "POST /api/v1/portfolios/flickr/consents asks for one.")
}
