import Server
import Wire

/// The web app manifest (W3C, and the members that browsers add for installed pages).
struct Manifest {
  /// Nil until an owner has set it.
  var place: Place?
  var color: String?
  var icon: Appearance.Icon?
  /// The rooms that are shown to everybody who is signed in, in the owner's order; the front room first.
  var rooms: [RoomPage]
  var isGerman: Bool

  /// The colour and the addresses at the foot of pages are members of our own, which browsers ignore.
  var json: JSON {
    let name = place?.name ?? "Eightbells"
    var members: [JSON.Member] = [
      .init("id", "/"), .init("lang", isGerman ? "de" : "en"), .init("name", .string(name)),
      .init("short_name", .string(name)),
      .init("description", .string(rooms.first.map { isGerman ? $0.german.about : $0.about } ?? "")),
      .init("start_url", "/"), .init("scope", "/"), .init("display", "standalone"),
      .init("background_color", "#f4f1ea"), .init("theme_color", .string(color ?? "#12283b")),
      .init("color", JSON(color)), .init("legal_notice", JSON(place?.legalNotice)),
      .init("privacy", JSON(place?.privacy)), .init("categories", ["social", "events", "photo"]),
      // A link to the hub opens in the installed app, in the window that is there.
      .init("handle_links", "preferred"), .init("launch_handler", ["client_mode": ["navigate-existing", "auto"]]),
      .init("icons", icons), .init("screenshots", screenshots), .init("shortcuts", shortcuts),
    ]
    if let page = rooms.lazy.compactMap(\.share).first { members.append(.init("share_target", Self.sharing(to: page))) }
    return .object(members)
  }

  private var icons: JSON {
    if let icon {
      // Otherwise browsers would prefer our own maskable icon.
      return [Self.icon(icon.address, icon.sizes, icon.type, "any")]
    }
    return [
      Self.icon("/icon.svg", "any", "image/svg+xml", "any"), Self.icon("/icon-192.png", "192x192", "image/png", "any"),
      Self.icon("/icon-512.png", "512x512", "image/png", "any"),
      Self.icon("/icon-maskable-512.png", "512x512", "image/png", "maskable"),
    ]
  }

  private static func icon(_ address: String, _ sizes: String, _ type: String, _ purpose: String) -> JSON {
    ["src": .string(address), "sizes": .string(sizes), "type": .string(type), "purpose": .string(purpose)]
  }

  /// Pictures of the demonstration's rooms, /ID/screenshots/FORM-LANGUAGE.webp, as far as a room has them:
  /// `Tests/Browser/contact_sheet.py --screenshots` takes them.
  private var screenshots: JSON {
    .array(
      rooms.flatMap { room in
        [("narrow", "585x1266"), ("wide", "1280x800")].compactMap { form, sizes -> JSON? in
          let address = "\(room.path)/screenshots/\(form)-\(isGerman ? "de" : "en").webp"
          guard WebShell.index(ofFile: address) != nil else { return nil }
          return [
            "src": .string(address), "sizes": .string(sizes), "type": "image/webp", "form_factor": .string(form),
            "label": .string(isGerman ? room.german.about : room.about),
          ]
        }
      })
  }

  /// A long press on the app's icon leads to each room.
  private var shortcuts: JSON {
    .array(
      rooms.map { room in
        [
          "name": .string(isGerman ? room.german.name : room.name),
          "description": .string(isGerman ? room.german.about : room.about), "url": .string(room.path),
          "icons": [Self.icon("/icon-192.png", "192x192", "image/png", "any")],
        ]
      })
  }

  /// The share sheet's entry. The room's part of the service worker takes the files; without it the room answers.
  private static func sharing(to page: String) -> JSON {
    [
      "action": .string(page), "method": "POST", "enctype": "multipart/form-data",
      "params": ["files": [["name": "pictures", "accept": ["image/*", "video/*"]]]],
    ]
  }
}

extension Hub {
  /// Serves the web app manifest, which depends on the owner's settings and the reader's language.
  func addManifest(to router: inout Router) {
    router.on(
      .get, "/manifest.webmanifest",
      .task { [self] request throws(HTTPError) in
        let choice = roomChoice
        let pages = roomPages.filter { !$0.isForFew }
        let shown = ([choice.front] + choice.shown.filter { $0 != choice.front }).compactMap { id in
          pages.first { $0.id == id }
        }
        let manifest = Manifest(
          place: place.current, color: appearance.color, icon: await appearance.icon, rooms: shown,
          isGerman: request.isGerman)
        let bytes = manifest.json.bytes
        return Response(
          contentType: "application/manifest+json", body: .bytes(bytes), etag: Response.etag(of: bytes),
          fields: [.byLanguage])
      })
  }
}
