//! Extended attributes, which hold access control lists, too.

use std::fs::File;
use std::io;

/// Gives the open file or directory `new` the extended attributes of `old`. Attributes that only the system
/// may set (security labels) stay as the system made them; a file system without extended attributes has
/// none to keep.
///
/// # Errors
/// Returns an error if an attribute of `old` cannot be read, or `new` cannot have it.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn keep(old: &File, new: &File) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};
    use rustix::io::Errno;

    let names = match whole(|buffer| flistxattr(old, buffer)) {
        Err(Errno::NOTSUP) => return Ok(()),
        names => names?,
    };
    for name in names.split(|&byte| byte == 0).filter(|name| !name.is_empty()) {
        let value = match whole(|buffer| fgetxattr(old, name, buffer)) {
            Err(_) if is_of_system(name) => continue,
            value => value?,
        };
        match fsetxattr(new, name, &value, XattrFlags::empty()) {
            Err(_) if is_of_system(name) => {}
            set => set?,
        }
    }
    Ok(())
}

/// Returns true if an attribute is of the system and not of users: `security.selinux`, but neither `user.*`
/// nor access control lists (`system.posix_acl_access`).
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn is_of_system(name: &[u8]) -> bool {
    [&b"security."[..], b"trusted.", b"com.apple.system."]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

/// All bytes that `read` writes into a buffer that is large enough; it returns their number.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn whole(read: impl Fn(&mut [u8]) -> rustix::io::Result<usize>) -> rustix::io::Result<Vec<u8>> {
    // No list and no value is longer on Linux (`XATTR_LIST_MAX`, `XATTR_SIZE_MAX`).
    const LARGEST: usize = 64 << 10;
    let mut buffer = vec![0; 256];
    loop {
        match read(&mut buffer) {
            Err(rustix::io::Errno::RANGE) if buffer.len() < LARGEST => {
                buffer.resize(LARGEST, 0);
            }
            length => {
                buffer.truncate(length?);
                return Ok(buffer);
            }
        }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn keep(_: &File, _: &File) -> io::Result<()> {
    Ok(())
}
