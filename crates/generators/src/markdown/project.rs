//! A project, as far as makers are looked for in it.

use std::path::{Path, PathBuf};

use super::settings::Settings;

/// The project in which makers are looked for.
pub struct Project<'p> {
    /// The text of the file that configures the generator, and of its other parts.
    pub configuration: &'p str,
    /// The settings.
    pub settings: &'p Settings,
    /// Whether there is a file or folder at a path from the folder of the project.
    pub has: &'p dyn Fn(&Path) -> bool,
    /// The text of a file at such a path, or of the files in a directory; `None` if it is not read.
    pub read: &'p dyn Fn(&str) -> Option<String>,
    /// The modules of the project.
    pub module: &'p ModuleReader<'p>,
}

/// Returns the text of a module of the project, by the directory of the file that imports it (empty for the configuration) and
/// its name there, and the directory from which its own imports count.
pub type ModuleReader<'p> = dyn Fn(&Path, &str) -> Option<(String, PathBuf)> + 'p;
