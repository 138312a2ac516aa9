import Glibc

/// True for a path below /home, of which the package's service sees nothing (`ProtectHome=` of its unit).
public func isBelowHome(_ path: String) -> Bool { path.utf8.starts(with: "/home/".utf8) }

/// True for a path below /home in a process that sees nothing there, whoever may read it.
public func isHiddenHome(_ path: String) -> Bool { isBelowHome(path) && access("/home", X_OK) != 0 }
