import Glibc
import Hub
import Terminal

/// Reads a password without its standing in a list of processes, a history of commands, or on the screen.
enum SecretInput {
  /// - Parameter file: the file's path; "-" for standard input; nil to ask at the terminal.
  static func password(file: String?, of user: String) throws(CommandError) -> String {
    let text: String
    if let file, file != "-" {
      guard let bytes = try PrivateFile.read(file) else { throw CommandError("--password-file: there is no \(file).") }
      text = String(decoding: bytes, as: UTF8.self)
    } else if file == "-" {
      text = readLine() ?? ""
    } else {
      guard isatty(STDIN_FILENO) == 1 else {
        throw CommandError("The password is missing: --password-file FILE has it, or - to read it from standard input.")
      }
      text = ask("Password of \(user): ")
    }
    let password = text.prefix { !$0.isNewline }
    guard !password.isEmpty, password.utf8.count <= PortfolioLimits.credential else {
      throw CommandError("The password is empty, or longer than \(PortfolioLimits.credential) bytes.")
    }
    return String(password)
  }

  /// The passphrase of a file's first line; "-" for standard input.
  static func passphrase(file: String) throws(CommandError) -> String {
    var text = ""
    if file == "-" {
      text = readLine() ?? ""
    } else {
      guard let bytes = try PrivateFile.read(file) else {
        throw CommandError("--passphrase-file: there is no \(file).")
      }
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
