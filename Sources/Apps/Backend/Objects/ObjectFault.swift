import Objects
import Server
import Wire

extension ObjectError {
  /// The same as an error of a route, in Parse's words.
  var http: HTTPError {
    let kind: ErrorCode =
      switch status {
      case 404: .objectMissing
      case 500: .objectsFailed
      default: .objectsRefused
      }
    var error = HTTPError(kind, message, help: "")
    error.foreign = json
    return error
  }

  var json: JSON { ["code": .int(code), "error": .string(message)] }

  /// Does work of Parse's rules within a route.
  static func told<T>(_ work: () throws(ObjectError) -> T) throws(HTTPError) -> T {
    do throws(ObjectError) {
      return try work()
    } catch {
      throw error.http
    }
  }
}

extension HTTPError {
  /// The app or its key is not known. Parse Server has no number for it.
  static let unauthorized = {
    var error = HTTPError(.parseUnauthorized, "unauthorized", help: "")
    error.foreign = ["error": "unauthorized"]
    return error
  }()

  /// The same in Parse's words, for a part of a batch.
  var parse: JSON {
    foreign ?? ["code": .int(code.status == 429 ? 155 : 1), "error": .string("\(error) \(help)")]
  }
}

/// Parse's manner of telling errors, for its libraries, which also run in pages of other sites.
enum ParseDialect {
  static let usual = Dialect(
    adapt: { _ in },
    refusal: { error, _ in
      var told = error
      told.foreign = error.parse
      return told.response
    })

  static let cors: [Response.Field] = [
    .anyOrigin, .init("Access-Control-Expose-Headers", "X-Parse-Job-Status-Id, X-Parse-Push-Status-Id"),
  ]

  /// The answer to a browser that asks beforehand whether it may ask.
  static let preflight = Response(
    status: 200, contentType: "text/plain", body: .bytes(Array("OK".utf8)),
    fields: [
      .anyOrigin, .init("Access-Control-Allow-Methods", "GET,PUT,POST,DELETE,OPTIONS"),
      .init(
        "Access-Control-Allow-Headers",
        "X-Parse-Master-Key, X-Parse-REST-API-Key, X-Parse-Javascript-Key, X-Parse-Application-Id, "
          + "X-Parse-Client-Version, X-Parse-Session-Token, X-Requested-With, X-Parse-Revocable-Session, "
          + "X-Parse-Request-Id, X-Parse-Installation-Id, X-Parse-Client-Key, Content-Type, Pragma, Cache-Control, "
          // Parse's libraries for .NET, also in a page (Unity, Blazor), and for Flutter.
          + "X-Parse-Windows-Key, X-Parse-App-Build-Version, X-Parse-App-Display-Version, X-Parse-OS-Version, "
          + "X-Parse-Cloud-Context"),
      .init("Access-Control-Max-Age", "86400"),
    ])
}
