import Client
import Hub
import Lifecycle
import Observe
import Settings
import Synchronization
import Wire

/// The directory of all spaces (https://spaceapi.io), so that one can be followed by its name. It is asked when
/// somebody wants to follow one, once a day at most; without it an address is needed, as without a network.
package final class SpaceDirectory: Sendable {
  static let option = Setting(
    "space_directory", "URL", fallback: "https://directory.spaceapi.io/",
    help: "the directory out of which other spaces are followed by name; none for none"
  ) { value throws(SettingsError) in
    guard value == "none" || WebAddress.isValid(value, schemes: ["http", "https"]) else {
      throw SettingsError("space_directory: \"\(value)\"; an address with http:// or https://, or none, is accepted.")
    }
  }

  /// A space with the address of its document.
  package struct Entry: Equatable, Sendable {
    package var name: String
    package var url: String
  }

  private struct State {
    var entries: [Entry] = []
    /// The uptime from which it may be asked again.
    var next = 0.0
  }
  private let state = Mutex(State())
  private let hub: Hub

  init(_ hub: Hub) { self.hub = hub }

  /// The spaces by name; none while the directory cannot be reached.
  func entries() async -> [Entry] {
    let url = hub.options[Self.option.name]
    let isDue = state.withLock { state in
      guard url != "none", state.next <= hub.time.uptime else { return false }
      // Whoever comes while it is being asked is told what was known before.
      state.next = hub.time.uptime + SpaceLimits.directoryRetry
      return true
    }
    if isDue, let found = await ask(url) {
      state.withLock { $0 = State(entries: found, next: hub.time.uptime + SpaceLimits.directoryRefresh) }
    }
    return state.withLock { $0.entries }
  }

  private func ask(_ url: String) async -> [Entry]? {
    let request = FetchRequest(
      url, fields: [("Accept", "application/json")], timeout: SpaceLimits.directorySeconds,
      stallTimeout: SpaceLimits.directorySeconds, bodyLimit: SpaceLimits.followedBytes)
    do throws(FetchError) {
      let response = try await hub.client.fetch(request)
      guard response.status == 200 else { return nil }
      return Self.entries(in: response.body)
    } catch {
      hub.log.debug("the directory of spaces could not be read", ["reason": error.explanation.text])
      return nil
    }
  }

  /// Reads an object of names and addresses; what cannot be followed is left out.
  /// - Returns: nil for anything else.
  package static func entries(in body: [UInt8]) -> [Entry]? {
    guard let members = (try? ForeignJSON(body))?.value.members else { return nil }
    let found = members.compactMap { member -> Entry? in
      guard let url = member.value.string, FollowedRoutes.mayFollow(url), let name = FieldCheck.line(member.name) else {
        return nil
      }
      return Entry(name: name, url: url)
    }
    return Array(found.sorted { $0.name.lowercased() < $1.name.lowercased() }.prefix(SpaceLimits.directoryEntries))
  }
}
