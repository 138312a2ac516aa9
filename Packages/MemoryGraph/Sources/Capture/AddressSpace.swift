import Glibc

/// How a program's memory is numbered, by processor.
public enum AddressSpace {
  #if arch(arm64)
    /// No address of a program has more bits, unless it asks for such (Documentation/arch/arm64/memory.rst).
    public static let bits: UInt64 = 48
    /// Bytes of a page: 4, 16 or 64 KB, as the kernel was built.
    static let page = UInt64(sysconf(Int32(_SC_PAGESIZE)))
  #else
    /// No address of a program has more bits, unless it asks for such (Documentation/arch/x86/x86_64/mm.rst).
    public static let bits: UInt64 = 47
    /// Bytes of a page.
    static let page: UInt64 = 4096
  #endif
}
