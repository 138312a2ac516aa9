extension HubPlace {
  /// The doctor's check that an owner has set up the place.
  public func examine() -> [Finding] {
    if current != nil { return [] }
    return [
      .warning(
        "place", "there are no settings yet: no name, and no time zone",
        remedy: "An owner names it on the page, under Settings.")
    ]
  }
}
