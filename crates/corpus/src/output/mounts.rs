//! Mounts: another file system within a tree is not part of the tree and must not be removed with it, and
//! a directory may be mounted at several places.

use std::iter;
use std::path::{Path, PathBuf};

/// A mount of this system.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mount {
    /// The device of the file system.
    device: String,
    /// The directory of the file system that is mounted.
    root: PathBuf,
    /// The path that it has in the tree of all files.
    point: PathBuf,
}

/// The mounts of this system, as Linux lists them; empty on other systems.
#[derive(Debug, Default)]
pub(super) struct Mounts(Vec<Mount>);

/// How an output directory and the site overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overlap {
    /// The output, or a part of it, is in the site.
    Inside,
    /// The site, or a part of it, is in the output.
    Holds,
}

/// A directory by its file system and its path there.
type Directory<'m> = (&'m str, PathBuf);

impl Mounts {
    /// Reads the list of the system.
    pub(super) fn read() -> Mounts {
        #[cfg(unix)]
        return Mounts(mounts(&std::fs::read("/proc/self/mountinfo").unwrap_or_default()));
        #[cfg(not(unix))]
        Mounts::default()
    }

    /// Whether two directories overlap, also where their paths do not: a directory may be mounted at several
    /// places. Both paths are canonical.
    pub(super) fn overlap(&self, site: &Path, out: &Path) -> Option<Overlap> {
        let of_site = self.directories(site);
        let of_out = self.directories(out);
        of_site.iter().find_map(|(device, site)| {
            of_out.iter().find_map(|(other, out)| match out {
                _ if device != other => None,
                out if out.starts_with(site) => Some(Overlap::Inside),
                out if site.starts_with(out) => Some(Overlap::Holds),
                _ => None,
            })
        })
    }

    /// The directory that has the path `path`, by that path and by its file system, and those that are mounted within
    /// it.
    fn directories(&self, path: &Path) -> Vec<Directory<'_>> {
        // Of several mounts at one point the last one is visible.
        let above = self.0.iter().filter(|mount| path.starts_with(&mount.point));
        let above = above.max_by_key(|mount| mount.point.components().count());
        let own = above.and_then(|mount| {
            let below = path.strip_prefix(&mount.point).ok()?;
            Some((&*mount.device, mount.root.join(below)))
        });
        let within =
            self.0.iter().filter(|mount| mount.point.starts_with(path) && mount.point != path);
        let within = within.map(|mount| (&*mount.device, mount.root.clone()));
        iter::once(("", path.to_owned())).chain(own).chain(within).collect()
    }
}

/// The mounts of a `mountinfo` file (proc_pid_mountinfo(5)), with the escapes (`\040`) decoded.
#[cfg(unix)]
fn mounts(list: &[u8]) -> Vec<Mount> {
    use std::os::unix::ffi::OsStringExt;
    let path = |field: &[u8]| PathBuf::from(std::ffi::OsString::from_vec(unescape(field)));
    list.split(|&byte| byte == b'\n')
        .filter_map(|line| {
            let mut fields = line.split(|&byte| byte == b' ').skip(2);
            Some(Mount {
                device: String::from_utf8_lossy(fields.next()?).into_owned(),
                root: path(fields.next()?),
                point: path(fields.next()?),
            })
        })
        .collect()
}

#[cfg(unix)]
fn unescape(field: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        let escaped = match after {
            [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', after @ ..] if first == b'\\' => {
                rest = after;
                Some((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'))
            }
            _ => None,
        };
        bytes.push(escaped.unwrap_or(first));
    }
    bytes
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) use walked::first_mount;

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod walked {
    use std::fs;
    use std::io;
    use std::os::unix::fs::MetadataExt;
    use std::path::{Path, PathBuf};

    use walkdir::WalkDir;

    use super::Mounts;

    /// Returns the first mount point at or below the canonical path `root`. Linux has a list of mounts, with bind
    /// mounts. Elsewhere a walk compares the devices of the directories, also with the parent of `root`.
    ///
    /// # Errors
    /// Returns an error if the tree has to be walked and cannot be.
    pub(in crate::output) fn first_mount(root: &Path) -> io::Result<Option<PathBuf>> {
        let mounts = Mounts::read().0;
        let points = mounts.iter().map(|mount| &mount.point);
        match points.filter(|point| point.starts_with(root)).min() {
            Some(mount) => Ok(Some(mount.clone())),
            None if other_device(root)? => Ok(Some(root.to_owned())),
            // The list is complete, and a walk over a big tree takes time.
            None if !mounts.is_empty() => Ok(None),
            None => first_other_device(root),
        }
    }

    /// Whether `root` is on another device than the directory that holds it.
    pub(super) fn other_device(root: &Path) -> io::Result<bool> {
        match root.parent() {
            Some(parent) => {
                Ok(fs::symlink_metadata(root)?.dev() != fs::symlink_metadata(parent)?.dev())
            }
            None => Ok(false),
        }
    }

    pub(super) fn first_other_device(root: &Path) -> io::Result<Option<PathBuf>> {
        let device = fs::symlink_metadata(root)?.dev();
        for entry in WalkDir::new(root) {
            let entry = entry?;
            // Overlays give files other devices than their directories.
            if entry.file_type().is_dir() && entry.metadata()?.dev() != device {
                return Ok(Some(entry.into_path()));
            }
        }
        Ok(None)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn mount_points_are_read() {
        let list = b"22 1 0:20 / / rw,relatime shared:1 - ext4 /dev/vda rw\n\
            30 22 0:5 /up\\040there /srv/my\\040site/up\\134x rw - tmpfs none rw\n\
            31 22 0:5 / /a\\9\\04 rw - tmpfs none rw\n\nshort line\n";
        let expected = [
            ("0:20", "/", "/"),
            ("0:5", "/up there", "/srv/my site/up\\x"),
            ("0:5", "/", "/a\\9\\04"),
        ];
        let expected = expected.map(|(device, root, point)| Mount {
            device: device.to_owned(),
            root: root.into(),
            point: point.into(),
        });
        assert_eq!(mounts(list), expected);
    }

    #[test]
    fn a_directory_that_is_mounted_twice_overlaps_with_itself() {
        let list = b"1 0 8:1 / / rw - ext4 /dev/a rw\n\
            2 1 8:1 /home/site /mnt/site rw - ext4 /dev/a rw\n\
            3 1 8:1 /home/site/sub /mnt/sub rw - ext4 /dev/a rw\n\
            4 1 8:1 /srv/out /home/other/pub rw - ext4 /dev/a rw\n\
            5 1 8:2 /home/site /mnt/disk rw - ext4 /dev/b rw\n";
        let mounts = Mounts(mounts(list));
        for (site, out, expected) in [
            ("/home/site", "/home/out", None),
            ("/home/site", "/mnt/site", Some(Overlap::Inside)),
            ("/home/site", "/mnt/site/out", Some(Overlap::Inside)),
            ("/home/site", "/mnt/sub/out", Some(Overlap::Inside)),
            ("/home/site", "/mnt/disk/out", None),
            ("/mnt/sub", "/home/site", Some(Overlap::Holds)),
            ("/mnt/sub", "/home", Some(Overlap::Holds)),
            ("/mnt/site", "/home/site2", None),
            // A part of each is the same directory.
            ("/home/site", "/mnt", Some(Overlap::Inside)),
            ("/home/other", "/srv/out/x", Some(Overlap::Inside)),
            ("/home/other", "/srv", Some(Overlap::Holds)),
        ] {
            let overlap = mounts.overlap(Path::new(site), Path::new(out));
            assert_eq!(overlap, expected, "{site} {out}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_systems_mounts_are_found() {
        use super::walked::{first_other_device, other_device};
        let proc = Path::new("/proc");
        assert_eq!(first_mount(proc).unwrap().as_deref(), Some(proc));
        assert!(other_device(proc).unwrap());
        let directory = tempfile::tempdir().unwrap();
        let below = directory.path().join("a");
        std::fs::create_dir(&below).unwrap();
        assert_eq!(first_mount(&below).unwrap(), None);
        assert_eq!(first_other_device(&below).unwrap(), None);
        assert!(first_other_device(Path::new("/")).unwrap().is_some());
    }
}
