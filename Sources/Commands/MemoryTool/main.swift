import CLinux
import Glibc
import MemoryCommand

// `memorygraph`: the memory graph alone, without any of the hub's libraries.
signal(SIGPIPE, SIG_IGN)
var words: [String] = []
var word = clinux_arguments()!
while let bytes = word.pointee {
  words.append(String(cString: bytes))
  word += 1
}
exit(MemoryCommand(program: "memorygraph").run(Array(words.dropFirst())))
