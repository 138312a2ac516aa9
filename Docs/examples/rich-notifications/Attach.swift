// A service extension: attaches the picture, sound or film whose address the payload gives as `my-image`.
//
//   swiftc Attach.swift -o attach
//   eightbells-agent … --extension ./attach
//
// The agent calls it before a notification with `"mutable": true` is shown: one line of JSON comes in, one object goes
// out (Docs/agent.md). Whatever goes wrong here, the notification is shown as it was sent.

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

func fail(_ reason: String) -> Never {
  FileHandle.standardError.write(Data("attach: \(reason)\n".utf8))
  exit(1)
}

guard let line = readLine(),
  let request = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
  var content = request["content"] as? [String: Any], let folder = request["folder"] as? String,
  let seconds = request["seconds"] as? Double
else { fail("one line of JSON is expected, as the agent writes it") }
guard let text = (content["user_info"] as? [String: Any])?["my-image"] as? String, let url = URL(string: text) else {
  fail("the payload has no my-image")
}

// "Time will expire": the agent sends SIGTERM, and kills three seconds later. There is nothing better than the original
// here, so we end.
signal(SIGTERM) { _ in _exit(1) }

let configuration = URLSessionConfiguration.ephemeral
configuration.timeoutIntervalForResource = seconds
let done = DispatchSemaphore(value: 0)
URLSession(configuration: configuration).downloadTask(with: url) { file, response, error in
  guard let file, (response as? HTTPURLResponse)?.statusCode == 200 else {
    fail("\(url) cannot be fetched: \(error?.localizedDescription ?? "the server refused it")")
  }
  do {
    try FileManager.default.moveItem(at: file, to: URL(fileURLWithPath: folder + "/media"))
  } catch {
    fail("\(error)")
  }
  done.signal()
}.resume()
done.wait()

// The content as it came, with the file. The agent finds out by its bytes what it is.
content["attachments"] = [["id": "media", "file": "media"]]
print(String(decoding: try JSONSerialization.data(withJSONObject: ["content": content]), as: UTF8.self))
