import Crypto
import Glibc
import Store

/// The store's own program for the tests that kill it, fill its disk and migrate it: an album in which every photo has
/// a small picture, kept in the database, and a large one, kept in a file.
///
///     storetrial fill DIR COUNT SEED    makes so many photos with the tables as they were
///     storetrial migrate DIR            adds a field that nothing uses, as the model in the story did
///     storetrial check DIR              opens the store as a hub does, and reads every photo; 1 when one is not whole
///     storetrial names DIR              every name and its digest, without changing anything
///     storetrial upload DIR SIZE SEED   keeps one blob; says "kept NAME DIGEST" when it is on the disk, and its memory
///     storetrial load DIR SEED          keeps and removes photos for ever, and says what is on the disk
///     storetrial grow DIR COUNT SIZE    keeps so many blobs; says the milliseconds that each took
///     storetrial start DIR              opens and closes the store; says the milliseconds and the memory it took
///     storetrial commit DIR CALLERS SECONDS [ADDRESS]
///                                   so many callers write small rows, each when its last one is on the disk; in the
///                                   file, or on a PostgreSQL server; says the rows a second and the rows a commit
@main
struct Trial {
  static func main() async {
    OpenSSL.staysToTheEnd()
    var words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 2 else { fail("storetrial COMMAND DIR …") }
    let (command, folder) = (words.removeFirst(), words.removeFirst())
    let numbers = words.compactMap { Int($0) }
    do throws(StoreError) {
      let album = Album(folder: folder)
      switch command {
      case "fill": try await album.fill(count: numbers[0], seed: numbers[1])
      case "migrate": try album.migrate()
      case "check": try await album.check()
      case "names": try await album.printNames()
      case "upload": try await album.upload(size: numbers[0], seed: numbers[1])
      case "load": try await album.load(seed: numbers[0])
      case "grow": try await album.grow(count: numbers[0], size: numbers[1])
      case "start": try await album.start()
      case "commit": try await Commits(folder: folder, address: words.dropFirst(2).first).run(numbers[0], numbers[1])
      default: fail("unknown command \(command)")
      }
    } catch {
      fail(error.description)
    }
  }

  static func fail(_ message: String) -> Never {
    say(message, to: STDERR_FILENO)
    exit(1)
  }

  /// Writes one line in one call, so that it is complete whatever comes next.
  static func say(_ line: String, to file: Int32 = STDOUT_FILENO) {
    let bytes = Array((line + "\n").utf8)
    _ = write(file, bytes, bytes.count)
  }
}
