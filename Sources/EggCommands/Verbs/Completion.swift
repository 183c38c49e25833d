import ArgumentParser
import Gettext

struct Completion: Verb {
  static let configuration = CommandConfiguration(
    "completion", tr("Print the completion script for a shell."),
    discussion: """
      eggctl completion bash > ~/.local/share/bash-completion/completions/eggctl
      eggctl completion zsh > ~/.zfunc/_eggctl
      eggctl completion fish > ~/.config/fish/completions/eggctl.fish
      """)

  @Argument(help: "bash, zsh or fish.")
  var shell: Shell

  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish

    /// ArgumentParser's own scripts show no labels in bash, and run dozens of functions at each key in fish.
    fileprivate var script: [UInt8] {
      switch self {
      case .bash: PackageResources.eggctl_bash
      case .zsh: PackageResources.eggctl_zsh
      case .fish: PackageResources.eggctl_fish
      }
    }
  }

  func run(in surroundings: Surroundings) throws {
    try surroundings.output.data(String(decoding: shell.script, as: UTF8.self))
  }
}
