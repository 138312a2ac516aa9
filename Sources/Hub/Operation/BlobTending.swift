import EventLoop
import Lifecycle
import Observe
import Settings
import Store

extension Hub {
  /// Looks after the copies of large blobs, and the bucket that these are in.
  func tendBlobs() {
    let room = (Int(options["blob_copies"]) ?? 10) * 1_000_000_000
    supervisor.run("blobs.copies") { [self] in
      let sent = try await store.blobs.sendRest()
      if sent > 0 { log.info("large blobs were sent to the object store", ["count": "\(sent)"]) }
      while true {
        try await store.blobs.trimCopies(to: room)
        try await loop.pause(for: OperationLimits.bucketSeconds)
      }
    }
    supervisor.run("blobs.bucket") { [self] in
      // Uptime since which it does not do its work, and whether the owners know.
      var (since, isTold): (Double?, Bool) = (nil, false)
      while true {
        let fault = await store.blobs.bucketFault()
        try Task.checkCancellation()
        if let fault {
          if since == nil { log.warning("the object store does not do what it should", ["error": "\(fault)"]) }
          since = since ?? time.uptime
          // One that is away is often back soon; one that refuses waits for somebody.
          let isLong = time.uptime - (since ?? 0) >= OperationLimits.bucketPatienceSeconds
          if !isTold, isLong || fault.code != .bucketAway {
            try await tellOwnersOfBucket()
            isTold = true
          }
        } else {
          if since != nil { log.info("the object store answers again") }
          (since, isTold) = (nil, false)
        }
        try await loop.pause(for: OperationLimits.bucketLookSeconds)
      }
    }
    supervisor.run("blobs.objects", lease: "blobs.objects") { [self] in
      while true {
        while try await store.blobs.removeObjects() {}
        try await loop.pause(for: OperationLimits.bucketSeconds)
      }
    }
  }

  private func tellOwnersOfBucket() async throws {
    try await ringOwners(
      "hub.objects",
      title: Bell.Words(
        "The object store does not do its work", german: "Der Objektspeicher antwortet nicht, wie er soll"),
      body: Bell.Words(
        "Large pictures and files cannot be sent, and only some of them be read. All else works. "
          + "`eightbells doctor` says what is wrong.",
        german: "Große Bilder und Dateien lassen sich zurzeit nicht senden und nur teilweise ansehen. Alles andere "
          + "läuft weiter. `eightbells doctor` sagt, woran es liegt."))
  }
}
