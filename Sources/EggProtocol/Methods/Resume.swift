import Varlink

public struct ResumeCall: SelectingCall {
  public static let method = "Resume"

  @Inlined public var selection: WireSelection

  public init(_ selection: WireSelection) { self.selection = selection }
}
