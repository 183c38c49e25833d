/// What an interface text declares.
public struct InterfaceDescription: Sendable, Equatable {
  /// Reverse-domain name.
  public let name: String
  /// Structures and enumerations by name.
  public let types: [String: ValueType]
  /// By name.
  public let methods: [String: Method]
  /// What each error carries, by the error's name.
  public let errors: [String: [Field]]

  /// A value's type.
  public indirect enum ValueType: Sendable, Equatable {
    /// One word each.
    case bool, int, float, string, object, any
    /// Declared elsewhere in the text.
    case named(String)
    /// Fields in order of declaration.
    case structure([Field])
    /// Values in order of declaration.
    case enumeration([String])
    /// `[]`
    case array(ValueType)
    /// `[string]`
    case map(ValueType)
    /// `?`
    case nullable(ValueType)
  }

  /// A name with a type.
  public struct Field: Sendable, Equatable {
    /// Unique in its structure.
    public let name: String
    /// Of its values.
    public let type: ValueType
  }

  /// What a method takes and returns.
  public struct Method: Sendable, Equatable {
    /// Fields in order of declaration.
    public let input: [Field]
    /// Fields in order of declaration.
    public let output: [Field]
  }
}
