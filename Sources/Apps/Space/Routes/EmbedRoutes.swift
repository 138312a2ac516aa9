import CivilTime
import Hub
import Lifecycle
import Server
import Wire

/// The sign on other people's pages: as a picture, and as a page in a frame.
struct EmbedRoutes: Sendable {
  let hub: Hub
  let board: Board

  /// Other sites may frame this page only; it runs and loads only our own files.
  private static let policy =
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
    + "form-action 'none'; frame-ancestors *"

  func add(to router: inout Router) {
    router.on(.get, "/space/badge.svg", .immediate(badge))
    router.on(.get, "/space/embed", .immediate(page))
  }

  private func language(_ request: Request) -> Badge.Language {
    Badge.Language(asked: request.query["lang"], accepted: request.head.fields["accept-language"])
  }

  /// Not cached without revalidation: picture proxies (such as GitHub's) respect "no-cache".
  private func badge(_ request: Request) -> Response {
    let text = Badge.svg(
      name: hub.place.current?.name ?? "Eightbells", sign: board.turn.sign, language: language(request))
    let bytes = Array(text.utf8)
    return Response(
      contentType: "image/svg+xml", body: .bytes(bytes), etag: Response.etag(of: bytes),
      cacheControl: "no-cache, max-age=0",
      fields: [
        .anyOrigin, .init("Vary", "Accept-Language"), .init("Cross-Origin-Resource-Policy", "cross-origin"),
        .init("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"),
      ])
  }

  /// Complete without a script, which only updates it.
  private func page(_ request: Request) -> Response {
    let language = language(request)
    let (sign, zone) = (board.turn.sign, hub.place.zone)
    let now = Int(hub.time.now)
    let isGerman = language == .de
    let name = (hub.place.current?.name ?? "Eightbells").escapedForMarkup
    let word = Badge.word(sign, language)
    let since = sign.lastChange.map { (isGerman ? "seit " : "since ") + Self.clock($0, now, zone, isGerman) } ?? ""
    var facts: [String] = []
    let midnight = zone.start(of: zone.wall(at: now).date.adding(1))
    var stale = midnight
    if let until = sign.until {
      let clock = Self.clock(until, now, zone, isGerman)
      if until > now {
        stale = min(until, midnight)
        facts.append(isGerman ? "bis \(clock)" : "until \(clock)")
      } else {
        facts.append(
          isGerman
            ? "sollte bis \(clock) so bleiben, das ist vorbei" : "was meant to last until \(clock), which has passed")
      }
    }
    if let message = sign.message { facts.append(message.escapedForMarkup) }
    let text = """
      <!doctype html>
      <html lang="\(language.rawValue)">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <noscript><meta http-equiv="refresh" content="300"></noscript>
      <title>\(name): \(word)</title>
      <link rel="stylesheet" href="/space/embed.css">
      <main>
      <a class="sign" data-kind="\(sign.state)" data-fresh-for="\(stale - now)" \
      href="\(hub.address(request).escapedForMarkup)/" target="_blank" rel="noopener">
      <span class="name">\(name)</span>
      <strong class="word">\(word)</strong>
      <span class="since">\(since)</span>
      <span class="facts">\(facts.joined(separator: "<br>"))</span>
      </a>
      </main>
      <script type="module" src="/space/embed.js"></script>
      </html>

      """
    return Response(
      contentType: "text/html; charset=utf-8", body: .bytes(Array(text.utf8)),
      fields: [
        .init("Content-Security-Policy", Self.policy), .init("Vary", "Accept-Language"),
        .init("Referrer-Policy", "no-referrer"),
        .init("Cross-Origin-Resource-Policy", "cross-origin"), .init("Cross-Origin-Embedder-Policy", "require-corp"),
      ])
  }

  private static let months = [
    [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
      "December",
    ],
    [
      "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
      "Dezember",
    ],
  ]

  /// "18:40" today, else "21 November, 18:40".
  private static func clock(_ instant: Int, _ now: Int, _ zone: Zone, _ isGerman: Bool) -> String {
    let text = timestamp(instant, in: zone)
    let time = "\(text.dropFirst(11).prefix(5))" + (isGerman ? " Uhr" : "")
    let (date, today) = (zone.wall(at: instant).date, zone.wall(at: now).date)
    if date == today { return time }
    let day = "\(date.day)\(isGerman ? "." : "") \(months[isGerman ? 1 : 0][date.month - 1])"
    return date.year == today.year ? "\(day), \(time)" : "\(day) \(date.year), \(time)"
  }
}
