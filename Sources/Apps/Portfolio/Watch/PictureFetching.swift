import EventLoop
import Galleries
import Hub
import Imaging
import Lifecycle
import Observe
import Receiving
import Store
import Wire

/// Whatever fetches pictures' files and makes of them what pages show.
protocol PictureMaking: Sendable {
  /// - Throws: `.later` if nothing can be made now.
  func waitUntilReady() async throws

  /// - Throws: `SourceFault`; errors of the store.
  func fetch(_ picture: PortfolioPicture, from source: any GallerySource) async throws -> PictureFetching.Result
}

/// Fetches a picture's file and has its sizes made by the program for pictures.
struct PictureFetching: PictureMaking {
  enum Result: Sendable {
    case made(SyncChange.Made)
    /// The file is the one that everything was made of before.
    case same
    case failed(Reason)
  }
  private let hub: Hub
  private let workshop: PictureWorkshop
  // Threads last as long as the process: all syncs share these.
  private static let reader = ScratchReader()
  private static let thread = WorkerThread(name: "portfolio-files")

  init(_ hub: Hub, _ workshop: PictureWorkshop) { (self.hub, self.workshop) = (hub, workshop) }

  func waitUntilReady() async throws {
    let end = hub.time.uptime + PortfolioLimits.startSeconds
    while hub.time.uptime < end {
      switch workshop.state {
      case .ready: return
      case .missing(let words), .failing(let words):
        throw SourceFault.later(seconds: PortfolioLimits.retrySeconds, .noProgram(words))
      case .starting: try await hub.loop.pause(for: 0.02)
      }
    }
    throw SourceFault.later(seconds: nil, .noProgram("it does not start"))
  }

  func fetch(_ picture: PortfolioPicture, from source: any GallerySource) async throws -> Result {
    let isVideo = picture.source.kind == .video
    let file = try FetchedFile(
      in: hub.dataFolder, limit: isVideo ? PortfolioLimits.videoBytes : PortfolioLimits.pictureBytes,
      room: hub.freeBytes - ReceivingLimits.diskReserve, on: Self.thread)
    try await source.fetch(picture.source, into: file)
    guard await file.size > 0 else { return .failed(Reason(.fileEmpty)) }
    let digest = await file.finish()
    if picture.made != nil, picture.words != nil, picture.digest == digest { return .same }
    do {
      let job = PictureJob(
        source: file.scratch.descriptor, wish: .sizes(PortfolioLimits.sizes), name: picture.source.id)
      let made = try await workshop.make(job, urgent: false)
      guard made.kind == .photo || made.kind == .video, made.sizes.count == PortfolioLimits.sizes.count else {
        return .failed(Reason(.notAPicture))
      }
      var blobs: [(name: String, blob: Blob)] = []
      for edge in PortfolioLimits.sizes { blobs.append(("\(edge)", try await blob(made.sizes[edge] ?? []))) }
      if made.kind == .video { blobs.append(("video", try await video(file.scratch))) }
      withExtendedLifetime(file) {}
      return .made(SyncChange.Made(digest: digest, picture: made, blobs: blobs))
    } catch let error as PictureError {
      return try failure(error)
    }
  }

  /// - Throws: `SourceFault` if the store takes nothing just now; `PictureError`.
  func blob(_ bytes: [UInt8]) async throws -> Blob {
    do throws(StoreError) {
      return try await hub.store.blobs.keep(bytes)
    } catch {
      throw fault(of: error)
    }
  }

  /// - Throws: `SourceFault` if the store takes nothing just now; `PictureError`.
  private func video(_ source: ScratchFile) async throws -> Blob {
    do {
      let target = try ScratchFile(in: hub.dataFolder)
      try await workshop.video(source.descriptor, into: target.descriptor)
      let upload = hub.store.blobs.upload(limit: ImagingLimits.videoFileBytes)
      var offset = 0
      while case let piece = try await Self.reader.read(target, from: offset), !piece.isEmpty {
        try await upload.append(piece)
        offset += piece.count
      }
      return try await upload.finish()
    } catch let error as PictureError {
      throw error
    } catch let error as StoreError {
      throw fault(of: error)
    } catch {
      throw PictureError.helperFailed("\(error)")
    }
  }

  /// What an error of the store means for a picture.
  private func fault(of error: StoreError) -> any Error {
    guard let fault = SourceFault(error) else { return PictureError.helperFailed(error.message) }
    hub.log.warning("a picture could not be kept", ["error": error.message])
    return fault
  }

  /// - Throws: `.later` for what tells nothing about the picture.
  private func failure(_ error: PictureError) throws(SourceFault) -> Result {
    if Task.isCancelled { throw .cancelled }
    switch error {
    case .notAPicture: return .failed(Reason(.notAPicture))
    case .tooLarge: return .failed(Reason(.pictureTooLarge))
    case .tookTooLong: return .failed(Reason(.tookTooLong))
    case .helperFailed(let words):
      hub.log.warning("a picture could not be made", ["error": words])
      return .failed(Reason(.programFailed))
    case .notInstalled(let words): return .failed(.noProgram(words))
    case .notRunning(let words): throw .later(seconds: nil, .noProgram(words))
    case .full: throw .later(seconds: nil, .noProgram("too much is waiting for it"))
    }
  }
}

extension SourceFault {
  /// What an error of the store means for a sync; nil if it is one of what was to be kept or read.
  init?(_ error: StoreError) {
    guard error.isOfPlace else { return nil }
    self = error.code == .diskFull ? .noRoom : .later(seconds: nil, Reason(.hubFailed))
  }
}

extension Reason {
  fileprivate static func noProgram(_ words: String) -> Reason { Reason(.noProgram, ["words": .text(words)]) }
}

extension Reason.Kind {
  static let noProgram = Self("portfolio-no-program", "the program that makes pictures cannot be used: {words}")
  static let notAPicture = Self("portfolio-not-a-picture", "it is no picture or video that can be read")
  static let pictureTooLarge = Self(
    "portfolio-picture-too-large", "it has more pixels than can be made smaller, or lasts for more than an hour")
  static let tookTooLong = Self("portfolio-took-too-long", "it took too long to make it smaller")
  static let programFailed = Self("portfolio-program-failed", "the program that makes pictures failed at it")
  static let fileEmpty = Self("portfolio-file-empty", "its file is empty")
  static let fileTooLarge = Self("portfolio-file-too-large", "its file is larger than {megabytes} MB")
  static let fileUnreadable = Self("portfolio-file-unreadable", "its file cannot be read")
}
