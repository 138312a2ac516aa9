import Hub
import Lifecycle
import Server
import Store
import Uploads

/// A part of an upload that is coming in.
struct ReceivedPart {
  let receiver: UploadReceiver
  let place: any UploadPlace
  let part: UploadPart
  let body: RequestBody
  private var hub: Hub { receiver.hub }
  private var codes: UploadCodes { receiver.codes }

  struct Received {
    /// Bytes that are there now.
    var offset: Int
    /// Nil once all has come.
    var expires: Double?
    /// The id of what it has become.
    var outcome: String?
  }

  func take(_ address: String) async throws(HTTPError) -> Received {
    // Whoever waits for a turn holds nothing that others may ask for.
    try await receiver.line.enter(place.sender)
    defer { receiver.line.leave(place.sender) }
    let hold = try await receiver.locks.hold(address, body)
    defer { receiver.locks.release(hold) }
    let open = try await receiver.find(address, place)
    if let outcome = open.outcome {
      // The answer to the last bytes was lost, and the client asks once more.
      try demandPlace(after: open.size, of: open.size)
      return Received(offset: open.size, outcome: outcome)
    }
    let known = try await stored { () throws(StoreError) in
      try await hub.store.blobs.unfinishedUpload(open.blob)
    }
    guard let known, known.expires > hub.time.now else { throw codes.refusal(.gone) }
    try demandPlace(after: known.received, of: known.size)
    // What is free may be less than when it was announced.
    try place.demandDisk(part.count ?? 0)
    let upload = try await resume(open)
    do throws(HTTPError) {
      // Another hub may have acknowledged more meanwhile, of what came late.
      try demandPlace(after: await upload.received, of: known.size)
      try await receive(upload, open)
      return try await settle(upload, open)
    } catch {
      await upload.giveUp()
      throw error
    }
  }

  private func demandPlace(after received: Int, of length: Int) throws(HTTPError) {
    try codes.checked { () throws(UploadRefusal) in try part.demandPlace(after: received, of: length) }
  }

  private func resume(_ open: OpenUpload) async throws(HTTPError) -> ResumedUpload {
    let kind = part.checksum?.kind
    let upload = try await stored { () throws(StoreError) in
      try await hub.store.blobs.resume(open.blob, checking: kind, kept: ReceivingLimits.keptSeconds)
    }
    guard let upload else { throw codes.refusal(.gone) }
    return upload
  }

  /// Takes the body to its end. Where the line breaks, what has come is kept, unless it was to be checked: then only if
  /// the digest of the whole file is known and will be compared.
  private func receive(_ upload: ResumedUpload, _ open: OpenUpload) async throws(HTTPError) {
    let isSure = part.checksum == nil
    var unchecked = 0
    while true {
      let piece: [UInt8]?
      do throws(HTTPError) {
        if unchecked >= ReceivingLimits.checkedBytes {
          try place.demandDisk(ReceivingLimits.checkedBytes)
          try await place.demandRoom()
          unchecked = 0
        }
        piece = try await body.next()
      } catch {
        guard isSure || open.digest != nil else { throw error }
        if await upload.received == open.size {
          if isSure { _ = try await finish(upload, open) }
        } else {
          let expires = await expires(upload)
          _ = try await stored { () throws(StoreError) in try await upload.acknowledge(expires: expires) }
        }
        throw error
      }
      guard let piece else { return }
      unchecked += piece.count
      try await stored { () throws(StoreError) in try await upload.append(piece, isSure: isSure) }
    }
  }

  private func expires(_ upload: ResumedUpload) async -> Double {
    hub.time.now + (await upload.received > 0 ? ReceivingLimits.keptSeconds : ReceivingLimits.begunSeconds)
  }

  /// Checks and acknowledges what has come.
  private func settle(_ upload: ResumedUpload, _ open: OpenUpload) async throws(HTTPError) -> Received {
    if let checksum = part.checksum {
      guard await upload.partDigest() == checksum.digest else { throw codes.refusal(.checksum) }
    }
    guard await upload.received < open.size else {
      return Received(offset: open.size, outcome: try await finish(upload, open))
    }
    let expires = await expires(upload)
    let received = try await stored { () throws(StoreError) in try await upload.acknowledge(expires: expires) }
    guard let received else { throw codes.refusal(.gone) }
    return Received(offset: received, expires: expires)
  }

  /// Makes what it was sent for of what has come.
  /// - Returns: the id of that.
  private func finish(_ upload: ResumedUpload, _ open: OpenUpload) async throws(HTTPError) -> String {
    let finished = try await stored { () throws(StoreError) in try await upload.finish() }
    if let wanted = open.digest, wanted != finished.blob.digest {
      // Nobody knows which of its bytes are wrong.
      try await place.end(open.address)
      throw codes.refusal(
        UploadRefusal(
          .checksum, "The file that came is not the one that was announced: its SHA-256 differs.",
          help: "All of it was dropped. Make a new upload."))
    }
    return try await place.finish(open, finished)
  }

  /// Runs work of the store; an upload that has ended meanwhile, or sends too much, is the client's to know.
  private func stored<T>(_ work: () async throws(StoreError) -> T) async throws(HTTPError) -> T {
    do throws(StoreError) {
      return try await work()
    } catch {
      switch error.code {
      case .noSuchBlob, .damaged: throw codes.refusal(.gone)
      case .tooLarge: throw codes.refusal(.longerThanAnnounced)
      default: return try await hub.stored { () throws(StoreError) -> T in throw error }
      }
    }
  }
}
