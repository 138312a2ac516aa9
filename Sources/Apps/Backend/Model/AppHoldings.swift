import Wire

/// The amounts that an app keeps on the hub.
struct AppHoldings: Equatable, Sendable {
  var objects = 0
  /// Bytes of the objects as they are kept.
  var objectBytes = 0
  var files = 0
  var fileBytes = 0
}

extension AppHoldings {
  /// As the app's page shows it, with what it may keep.
  func json(_ options: AppOptions) -> JSON {
    [
      "objects": .int(objects), "object_bytes": .int(objectBytes), "files": .int(files),
      "file_bytes": .int(fileBytes), "most_objects": .int(options.mostObjects),
      "most_object_bytes": .int(options.mostObjectBytes), "most_file_bytes": .int(options.mostFileBytes),
      "full": .bool(isFull(options)),
    ]
  }

  /// True if the app can keep no more of something.
  func isFull(_ options: AppOptions) -> Bool {
    objects >= options.mostObjects || objectBytes >= options.mostObjectBytes || fileBytes >= options.mostFileBytes
      || files >= AppsLimits.files
  }
}

extension AppOptions {
  /// The most objects of the app: its own limit, or that of all apps.
  var mostObjects: Int { objects > 0 ? objects : AppsLimits.objects }
  var mostObjectBytes: Int { objectMegabytes > 0 ? objectMegabytes * AppsLimits.megabyte : AppsLimits.objectBytes }
  var mostFileBytes: Int { fileMegabytes > 0 ? fileMegabytes * AppsLimits.megabyte : AppsLimits.filesBytes }
}
