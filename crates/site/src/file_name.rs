//! The names that files can have on each system.

/// The rules of an operating system for file names.
#[derive(Clone, Copy, Debug)]
pub struct NameRules {
    /// The name of the system, for messages.
    pub system: &'static str,
    /// The characters that no name contains, besides the zero byte and `/`.
    forbidden: &'static [char],
    /// Whether control characters, names of devices, and names with a dot or space at the end are not names.
    is_windows: bool,
    /// Whether names are Unicode.
    is_unicode: bool,
    /// The greatest length of a name, in units.
    longest: usize,
    /// The number of units of a character.
    units: fn(char) -> usize,
}

/// The rules of Linux and other systems, on which names are bytes.
pub const LINUX: NameRules = NameRules {
    system: "this system",
    forbidden: &[],
    is_windows: false,
    is_unicode: false,
    longest: 255,
    units: char::len_utf8,
};

/// The rules of macOS. A `:` in a name appears as `/` in the Finder.
pub const MACOS: NameRules = NameRules { system: "macOS", is_unicode: true, ..LINUX };

/// The rules of Windows: <https://learn.microsoft.com/windows/win32/fileio/naming-a-file>.
pub const WINDOWS: NameRules = NameRules {
    system: "Windows",
    forbidden: &['\\', '|', ':', '?', '"', '*', '<', '>'],
    is_windows: true,
    is_unicode: true,
    longest: 255,
    units: char::len_utf16,
};

/// The rules of the system for which this program was compiled.
pub const HERE: NameRules = if cfg!(windows) {
    WINDOWS
} else if cfg!(target_vendor = "apple") {
    MACOS
} else {
    LINUX
};

impl NameRules {
    /// Returns the reason why no file of the system can have the name `name`, as a predicate for messages;
    /// `None` if a file can.
    pub fn problem(&self, name: &[u8]) -> Option<String> {
        let (text, system) = (String::from_utf8_lossy(name), self.system);
        if let Some(c) = text.chars().find(|&c| !self.allows(c)) {
            return Some(format!("contains {c:?}, which {system} does not allow in names"));
        }
        if self.is_unicode && std::str::from_utf8(name).is_err() {
            return Some(self.not_unicode());
        }
        if self.is_windows && is_device(&text) {
            return Some(format!("is the name of a device on {system}, with any extension"));
        }
        if let (true, Some(last @ ('.' | ' '))) = (self.is_windows, text.chars().next_back()) {
            return Some(format!("ends with {last:?}, which {system} removes"));
        }
        let length = if self.is_unicode { text.chars().map(self.units).sum() } else { name.len() };
        let longest = self.longest;
        (length > longest).then(|| format!("is longer than {system} allows ({longest})"))
    }

    /// Returns the message about a name that is not Unicode.
    pub fn not_unicode(&self) -> String {
        format!("is not Unicode, as {} requires", self.system)
    }

    /// Returns true if a name can contain the character.
    pub fn allows(&self, c: char) -> bool {
        !(matches!(c, '\0' | '/') || self.forbidden.contains(&c) || self.is_windows && c < ' ')
    }
}

/// Returns true if Windows reserves `name` for a device: `con`, `nul.html`, `COM1.tar.gz`.
pub fn is_device(name: &str) -> bool {
    const DEVICES: [&str; 6] = ["aux", "con", "conin$", "conout$", "nul", "prn"];
    const PORTS: [&str; 2] = ["com", "lpt"];
    const NUMBERS: &str = "0123456789\u{B9}\u{B2}\u{B3}";
    let stem = name.split('.').next().unwrap_or_default();
    let stem = stem.trim_end_matches(' ').to_ascii_lowercase();
    let is_number = |rest: &str| rest.chars().count() == 1 && NUMBERS.contains(rest);
    let mut ports = PORTS.iter().filter_map(|port| stem.strip_prefix(port));
    DEVICES.contains(&&*stem) || ports.any(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_system_has_names_that_it_cannot_hold() {
        let long = "x".repeat(256);
        let wide = "\u{FC}".repeat(200);
        for (name, linux, macos, windows) in [
            ("index.html", true, true, true),
            ("gr\u{FC}\u{DF}e aus.html", true, true, true),
            (".htaccess", true, true, true),
            ("..a", true, true, true),
            ("a b", true, true, true),
            ("page.php?id=3", true, true, false),
            ("a:b", true, true, false),
            ("a\\b", true, true, false),
            ("<", true, true, false),
            ("a>b", true, true, false),
            ("a|b", true, true, false),
            ("a*", true, true, false),
            ("a\"", true, true, false),
            ("a\nb", true, true, false),
            ("a\u{1F}", true, true, false),
            ("a\u{7F}", true, true, true),
            ("con", true, true, false),
            ("CON", true, true, false),
            ("nul.html", true, true, false),
            ("Aux.tar.gz", true, true, false),
            ("nul .txt", true, true, false),
            ("com1", true, true, false),
            ("lpt\u{B2}.css", true, true, false),
            ("conin$", true, true, false),
            ("console", true, true, true),
            ("com10", true, true, true),
            ("com", true, true, true),
            ("a.con", true, true, true),
            ("a.", true, true, false),
            ("a ", true, true, false),
            ("...", true, true, false),
            ("a/b", false, false, false),
            ("a\0b", false, false, false),
            (&long, false, false, false),
            (&wide, false, false, true),
        ] {
            for (rules, expected) in [(LINUX, linux), (MACOS, macos), (WINDOWS, windows)] {
                let problem = rules.problem(name.as_bytes());
                assert_eq!(problem.is_none(), expected, "{name:?} {rules:?} {problem:?}");
            }
        }
        let not_unicode = [LINUX, MACOS, WINDOWS].map(|rules| rules.problem(b"\xFC").is_none());
        assert_eq!(not_unicode, [true, false, false]);
    }

    #[test]
    fn a_problem_says_what_is_wrong_with_the_name() {
        for (name, expected) in [
            ("a?b", "contains '?', which Windows does not allow in names"),
            ("a\nb", "contains '\\n', which Windows does not allow in names"),
            ("nul.html", "is the name of a device on Windows, with any extension"),
            ("a.", "ends with '.', which Windows removes"),
            (&"x".repeat(256), "is longer than Windows allows (255)"),
        ] {
            let problem = WINDOWS.problem(name.as_bytes()).unwrap();
            assert_eq!(problem, expected);
        }
    }
}
