import Hub
import Server

/// The pages that are opened by a link or a code: their addresses are short, and end in the album's secret, which no
/// server is ever sent.
enum AlbumPages {
  private static let pages = [
    ("/album", "/albums/album"), ("/album/host", "/albums/host"), ("/album/wall", "/albums/wall"),
    ("/album/card", "/albums/card"),
  ]

  static func add(to router: inout Router, of hub: Hub) {
    for (path, page) in pages { WebShell.addPage(path, showing: page, of: hub, to: &router) { _ in nil } }
  }
}
