//! A project, as far as makers are looked for in it.

use std::path::{Path, PathBuf};

use super::settings::Settings;

/// The project in which rehref looks for makers.
pub struct Project<'p> {
    /// The text of the configuration file of the generator, and of its other parts.
    pub configuration: &'p str,
    /// The settings in the configuration of the generator.
    pub settings: &'p Settings,
    /// Returns true if the project has a file or folder at this path.
    pub has: &'p dyn Fn(&Path) -> bool,
    /// Returns the text of a file at this path of the project, or of the files in a directory; `None` if it
    /// cannot be read.
    pub read: &'p dyn Fn(&str) -> Option<String>,
    /// Reads the modules of the project.
    pub module: &'p ModuleReader<'p>,
}

/// A function that returns the text of a module, and the directory against which its imports resolve. It
/// receives the directory of the importing file (empty for the configuration) and the name in the import. It returns
/// `None` if the project has no such module.
pub type ModuleReader<'p> = dyn Fn(&Path, &str) -> Option<(String, PathBuf)> + 'p;
