public import Server

extension Request {
  /// A switch in the address: true for 1, true and nothing behind its name, false for 0 and false; nil without it.
  public func flag(_ name: String) throws(HTTPError) -> Bool? {
    guard let text = query[name] else { return nil }
    guard let flag = ["1": true, "true": true, "": true, "0": false, "false": false][text] else {
      throw HTTPError(
        .invalidQuery, "\(name): \"\(text.prefix(40))\"; 1, 0, true or false is accepted.",
        help: "Example: \(name)=1")
    }
    return flag
  }

  /// The id of the last entry of the page before (`before`); nil for the first page.
  public func before() throws(HTTPError) -> Int? {
    guard let text = query["before"] else { return nil }
    guard let id = Int(text), (1...IdentityLimits.largestID).contains(id) else {
      throw HTTPError(
        .invalidQuery, "before: \"\(text.prefix(40))\" is no id.", help: "Send the id of the last one you have.")
    }
    return id
  }
}
