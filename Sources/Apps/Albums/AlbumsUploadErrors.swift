import Receiving
import Server
import Uploads

/// The errors of uploads and downloads.
extension ErrorCode {
  static let uploadMalformed = Self(40075)
  static let previewRefused = Self(40076)
  static let notASound = Self(40077)
  static let noSuchUpload = Self(40475)
  static let noSuchFile = Self(40476)
  static let uploadOffset = Self(40975)
  static let removedByHost = Self(40976)
  static let uploadGone = Self(41075)
  static let uploadVersion = Self(41275)
  static let uploadTooLarge = Self(41375)
  static let uploadMediaType = Self(41575)
  static let uploadLocked = Self(42375)
  static let tooManyUploads = Self(42975)
  static let uploadChecksum = Self(46075)
  static let pictureProgramBusy = Self(50375)
  static let tooManyDownloads = Self(50376)

  static let ofUploads: [ErrorCode] =
    UploadCodes.ofAlbums.all + [
      .previewRefused, .notASound, .removedByHost, .noSuchFile, .pictureProgramBusy, .tooManyDownloads,
    ]
}

extension UploadCodes {
  static let ofAlbums = UploadCodes(
    malformed: .uploadMalformed, offset: .uploadOffset, gone: .uploadGone, version: .uploadVersion,
    tooLarge: .uploadTooLarge, mediaType: .uploadMediaType, locked: .uploadLocked, checksum: .uploadChecksum,
    noSuchUpload: .noSuchUpload, tooMany: .tooManyUploads)
}

extension HTTPError {
  static let noSuchFile = HTTPError(
    .noSuchFile, "This picture has no such file.", help: "The list says what is there; small sizes take a moment.")
  static let removedByHost = HTTPError(
    .removedByHost, "A host has removed this picture.",
    help: "Ask a host to bring it back; they can for \(Int(AlbumLimits.keptDays)) days.")
  static let tooManyUploads = UploadCodes.ofAlbums.tooMany(UploadLimits.ofGuest)
  static let soundTooLarge = HTTPError(
    .uploadTooLarge, "The sound is too large.", help: "\(UploadLimits.soundBytes) bytes are accepted.")
  static let notASound = HTTPError(
    .notASound, "That is no sound that is known.", help: "WebM, MP4, Ogg, MP3 and WAV are accepted.")
  static let tooManyDownloads = HTTPError(
    .tooManyDownloads, "Many downloads are being sent.", help: "Try it again in a minute.",
    fields: [Response.Field("Retry-After", "60")])
}

extension UploadRefusal {
  var http: HTTPError { UploadCodes.ofAlbums.refusal(self) }
}
