// Makes requests with URLSession that are not answered: Foundation leaks the parts of each URL. With "own", it leaks
// texts of its own as well.
import Dispatch
import Foundation
import FoundationNetworking

@inline(never) func loseText(_ text: String) { _ = strdup(text) }

if CommandLine.arguments.last == "own" { for number in 0..<3 { loseText("a text that nobody frees, \(number)") } }

let session = URLSession(configuration: .default)
for _ in 0..<3 {
  let done = DispatchSemaphore(value: 0)
  // Nothing listens at this port: the answer is an error, at once.
  session.dataTask(with: URL(string: "http://127.0.0.1:9/")!) { _, _, _ in done.signal() }.resume()
  done.wait()
}
