import Lifecycle
import Objects
import Server

/// The requests of each app in a second, whoever sends them: an app with many users leaves the hub to the others too.
final class RequestBudget: Sendable {
  private let buckets: TokenBuckets<Int>

  init(_ time: any TimeSource) {
    buckets = TokenBuckets(most: 2 * AppsLimits.apps, for: 2 * AppsLimits.requestSecondsAtOnce, time: time)
  }

  /// - Throws: 155 beyond it.
  func take(_ app: App) throws(HTTPError) {
    let most = app.options.requests > 0 ? app.options.requests : AppsLimits.requests
    let rate = Rate(burst: Double(most) * AppsLimits.requestSecondsAtOnce, perSecond: Double(most))
    guard let seconds = buckets.take(app.id, rate) else { return }
    var refusal = ObjectError.tooMany("The app may make \(most) requests a second. Try again in a moment.").http
    refusal.fields.append(Response.Field("Retry-After", "\(max(1, Int(seconds.rounded(.up))))"))
    throw refusal
  }
}
