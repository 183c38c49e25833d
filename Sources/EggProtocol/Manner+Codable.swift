import Alarms
import Varlink

/// By the list of its fields.
extension Manner: Codable {
  public init(from decoder: any Decoder) throws {
    self.init()
    let members = try decoder.container(keyedBy: MemberName.self)
    for field in Self.fields {
      let name = MemberName(stringValue: field.name)
      self[field] =
        switch field.kind {
        case .text: try members.decodeIfPresent(String.self, forKey: name).map { .text($0) }
        case .span: try members.decodeIfPresent(Int64.self, forKey: name).map { .number($0) }
        case .flag: try members.decodeIfPresent(Bool.self, forKey: name).map { .flag($0) }
        }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    let members = try MemberWriter(encoder)
    for field in Self.fields {
      switch self[field] {
      case .text(let text): members.write(field.name, text)
      case .number(let number): members.write(field.name, number)
      case .flag(let flag): members.write(field.name, flag)
      case nil: break
      }
    }
  }
}
