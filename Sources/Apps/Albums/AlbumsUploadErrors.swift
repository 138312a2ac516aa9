import Receiving
import Server

/// The errors of uploads and downloads.
extension ErrorCode {
  static let previewRefused = Self(40076)
  static let notASound = Self(40077)
  static let noSuchFile = Self(40476)
  static let removedByHost = Self(40976)
  static let pictureProgramBusy = Self(50375)
  static let tooManyDownloads = Self(50376)

  static let ofUploads: [ErrorCode] =
    UploadCodes.ofAlbums.all + [
      .previewRefused, .notASound, .removedByHost, .noSuchFile, .pictureProgramBusy, .tooManyDownloads,
    ]
}

extension UploadCodes {
  static let ofAlbums = UploadCodes(number: 75)
}

extension HTTPError {
  static let noSuchFile = HTTPError(
    .noSuchFile, "This picture has no such file.", help: "The list says what is there; small sizes take a moment.")
  static let removedByHost = HTTPError(
    .removedByHost, "A host has removed this picture.",
    help: "Ask a host to bring it back; they can for \(Int(AlbumLimits.keptDays)) days.")
  static let tooManyUploads = UploadCodes.ofAlbums.tooMany(UploadLimits.ofGuest)
  static let soundTooLarge = HTTPError(
    UploadCodes.ofAlbums.tooLarge, "The sound is too large.", help: "\(UploadLimits.soundBytes) bytes are accepted.")
  static let notASound = HTTPError(
    .notASound, "That is no sound that is known.", help: "WebM, MP4, Ogg, MP3 and WAV are accepted.")
  static let tooManyDownloads = HTTPError(
    .tooManyDownloads, "Many downloads are being sent.", help: "Try it again in a minute.",
    fields: [Response.Field("Retry-After", "60")])
}
