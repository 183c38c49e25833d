import ArgumentParser

/// `eggctl completion`: prints a shell's completion script.
struct Completion: Verb {
  static let configuration = CommandConfiguration(
    commandName: "completion", _superCommandName: Eggctl.name,
    abstract: "Print the completion script for a shell.",
    discussion: """
      eggctl completion bash > ~/.local/share/bash-completion/completions/eggctl
      eggctl completion zsh > ~/.zfunc/_eggctl
      eggctl completion fish > ~/.config/fish/completions/eggctl.fish
      """)

  @Argument(help: "bash, zsh or fish.")
  var shell: Shell

  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish
  }

  func run(in surroundings: Surroundings) throws {
    let shell: CompletionShell =
      switch shell {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    let script = Eggctl.completionScript(for: shell)
    try surroundings.output.data(script.hasSuffix("\n") ? script : script + "\n")
  }
}
