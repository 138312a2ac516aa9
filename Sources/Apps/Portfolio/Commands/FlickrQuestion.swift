import Flickr
import Glibc
import Hub
import Terminal

/// Asks at the terminal for the permission to read private pictures at Flickr.
enum FlickrQuestion {
  /// The wish for a portfolio of somebody at Flickr, with the permission of whoever types if they give it.
  static func wish(_ user: String, name: String?, _ access: FlickrAccess) async throws -> PortfolioChange.Wish {
    let api = try access.needed()
    let token = try await FlickrAccess.ask { () throws(FlickrFault) in try await permission(api) }
    return try await access.wish(user, name: name, token)
  }

  /// Nil if only what everybody may see is wanted.
  private static func permission(_ api: FlickrAPI) async throws(FlickrFault) -> FlickrToken? {
    let request = try await api.requestToken(callback: nil)
    printError("To keep private pictures too, open this address, allow reading, and type the code that Flickr shows:")
    printError("  \(api.consentAddress(request))")
    printError("Code (none: public pictures alone): ")
    let code = (readLine() ?? "").filter { !$0.isWhitespace }
    return code.isEmpty ? nil : try await api.accessToken(request, verifier: code)
  }
}
