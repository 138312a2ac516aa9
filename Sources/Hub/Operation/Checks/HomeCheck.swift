import Lifecycle

extension Hub {
  /// Words for what a command reads below /home and the package's service does not; empty for other paths, and where
  /// the hub's own folder is there, which then is no such service.
  public func wordsOfHome(_ path: String) -> String {
    isBelowHome(path) && !isBelowHome(dataFolder)
      ? "; a service needs ProtectHome=read-only for it, too (Docs/configuration.md)" : ""
  }
}
