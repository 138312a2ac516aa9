import Glibc

/// The layout of a program's address space, by processor.
public enum AddressSpace {
  #if arch(arm64)
    /// The bits of a program's addresses, unless it asks for more (Documentation/arch/arm64/memory.rst).
    public static let bits: UInt64 = 48
    /// Bytes of a page: 4, 16 or 64 KB, depending on the kernel.
    static let page = UInt64(sysconf(Int32(_SC_PAGESIZE)))
  #else
    /// The bits of a program's addresses, unless it asks for more (Documentation/arch/x86/x86_64/mm.rst).
    public static let bits: UInt64 = 47
    static let page: UInt64 = 4096
  #endif
}
