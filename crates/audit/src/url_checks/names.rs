//! Names of schemes, and the ends of file and host names, to tell one from the other.

use rehref_url::scheme;

/// Schemes in use that are not in [`scheme::SCHEMES`]: registered schemes and schemes of programs.
#[rustfmt::skip]
const SCHEMES: &[&str] = &[
    "acap", "acct", "adb", "adiumxtra", "afp", "aim", "android-app", "apt", "appstream", "at",
    "bitcoin", "bitcoincash", "bluetooth", "bolo", "callto", "capacitor", "chrome",
    "chrome-extension", "coap", "coaps", "content", "cvs", "dat", "data", "dav", "davs", "dict",
    "did", "dns", "docker", "doi", "dweb", "ed2k", "edge", "ethereum", "exp", "facetime",
    "facetime-audio", "fb", "fb-messenger", "feed", "filesystem", "finger", "fish", "fonts",
    "gemini", "geo", "ghelp", "git", "go", "googlechrome", "gtalk", "h323", "hcp", "hdl", "help",
    "hyper", "iax", "icap", "icon", "im", "imap", "info", "instagram", "intent", "ios-app", "ipfs",
    "ipns", "ipp", "ipps", "irc", "irc6", "ircs", "isbn", "itms", "itms-apps", "itms-appss", "jar",
    "jdbc", "jetbrains", "jmap", "keyparc", "lastfm", "ldap", "ldaps", "lightning", "line",
    "livescript", "magnet", "mailserver", "man", "maps", "market", "matrix", "message", "mms",
    "mmsh", "mocha", "mongodb", "monero", "moz-extension", "mqtt", "mqtts", "msnim", "mumble",
    "mvn", "mysql", "nfs", "ni", "nih", "nostr", "notes", "obsidian", "oid", "opaquelocktoken",
    "openpgp4fpr", "palm", "pkcs11", "pkg", "pop", "postgres", "postgresql", "pres", "psns",
    "rdar", "redis", "rediss", "res", "resource", "rlogin", "rmi", "rsync", "rtmp", "rtmps", "rtsp",
    "rtsps", "rtspu", "scp", "service", "sftp", "sgn", "shttp", "sieve", "sip", "sips", "skype",
    "slack", "smb", "smtp", "snap", "snews", "snmp", "spotify", "sqlite", "ssh", "steam", "stun",
    "stuns", "svn", "swh", "tag", "teamspeak", "tftp", "tg", "tip", "tn3270", "trash", "ts3server",
    "turn", "turns", "tv", "twitter", "udp", "unreal", "unsafe", "urn", "uuid", "vbscript",
    "vemmi", "viber", "view-source", "vlc", "vnc", "vscode", "vscode-insiders", "webcal",
    "webcals", "weixin", "whatsapp", "wpid", "wtai", "wyciwyg", "xcon", "xfire", "xmpp", "xri",
    "yelp", "ymsgr", "z39.50", "z39.50r", "z39.50s", "zoommtg", "zotero",
];

/// The prefixes of families of schemes.
const FAMILIES: &[&str] = &[
    "web+", "ext+", "ms-", "x-", "git+", "svn+", "hg+", "bzr+", "com.", "org.", "net.", "io.",
    "de.", "app.", "qrc", "unsafe",
];

/// The extensions of files in sites.
#[rustfmt::skip]
const EXTENSIONS: &[&str] = &[
    "asp", "aspx", "avif", "bmp", "bz2", "c", "cgi", "cpp", "css", "csv", "doc", "docx", "epub",
    "gif", "gz", "h", "hpp", "htm", "html", "ico", "jpeg", "jpg", "js", "json", "jsp", "map", "md",
    "mjs", "mp3", "mp4", "odt", "ogg", "pdf", "php", "png", "ps", "py", "rs", "rss", "rst", "shtml",
    "svg", "tar", "tgz", "tif", "tiff", "txt", "wasm", "wav", "webm", "webp", "woff", "woff2",
    "xht", "xhtml", "xml", "xsl", "xz", "yaml", "yml", "zip",
];

/// Domains that no file name in use ends with.
const DOMAINS: &[&str] = &["com", "edu", "gov", "net", "org"];

/// Returns true if a scheme of this name, in any letter case, is in use.
pub(super) fn is_scheme(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    scheme::lookup(&lower).is_some()
        || SCHEMES.contains(&lower.as_str())
        || FAMILIES.iter().any(|family| lower.starts_with(family))
}

/// Returns true if `name` ends like a file name.
pub(super) fn is_file(name: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(_, end)| EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(end)))
}

/// Returns true if `name` can be the name of a host on the Internet: labels of letters, digits and
/// hyphens, the last of letters.
pub(super) fn is_host(name: &str) -> bool {
    let Some((labels, last)) = name.rsplit_once('.') else { return false };
    let is_label = |label: &str| {
        let mut bytes = label.bytes();
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    labels.split('.').all(is_label)
        && last.len() >= 2
        && last.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Returns true if `name` is a host, and looks like nothing else.
pub(super) fn is_surely_host(name: &str) -> bool {
    let Some((start, end)) = name.rsplit_once('.') else { return false };
    let has_domain = DOMAINS.iter().any(|known| known.eq_ignore_ascii_case(end));
    let is_www = || {
        let www = start.get(..4).unwrap_or_default();
        www.eq_ignore_ascii_case("www.") && !is_file(name)
    };
    (has_domain || is_www()) && is_host(name)
}
