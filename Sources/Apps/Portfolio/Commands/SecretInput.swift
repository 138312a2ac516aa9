import Glibc
import Hub
import Terminal

/// Reads a password without its standing in a list of processes, a history of commands, or on the screen.
enum SecretInput {
  /// - Parameter file: the file's path; "-" for standard input; nil to ask at the terminal.
  static func password(file: String?, of user: String) throws(CommandError) -> String {
    guard file != nil || isatty(STDIN_FILENO) == 1 else {
      throw CommandError("The password is missing: --password-file FILE has it, or - to read it from standard input.")
    }
    let password =
      try file.map { file throws(CommandError) in try firstLine(of: file, "--password-file") }
      ?? ask("Password of \(user): ")
    guard !password.isEmpty, password.utf8.count <= PortfolioLimits.credential else {
      throw CommandError("The password is empty, or longer than \(PortfolioLimits.credential) bytes.")
    }
    return password
  }

  /// The first line of a file; "-" for standard input.
  /// - Parameter option: that has named it.
  static func firstLine(of file: String, _ option: String) throws(CommandError) -> String {
    let text: String
    if file == "-" {
      text = readLine() ?? ""
    } else {
      guard let bytes = try PrivateFile.read(file) else { throw CommandError("\(option): there is no \(file).") }
      text = String(decoding: bytes, as: UTF8.self)
    }
    return String(text.prefix { !$0.isNewline })
  }

  private static func ask(_ question: String) -> String {
    printError(question)
    var before = termios()
    tcgetattr(STDIN_FILENO, &before)
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
    return readLine() ?? ""
  }
}
