//! Template markup in attribute values: text that another program will replace.

/// The openers of markup in the template languages that are distinguishable from URLs.
const OPENERS: &[&str] = &[
    "{{", // Jinja, Liquid, Handlebars, Mustache, Go templates, Vue, Angular
    "{%", // Jinja, Liquid
    "<%", // ERB, EJS, ASP, JSP
    "${", // JavaScript template literals, JSP EL, Thymeleaf, shell
    "<?", // PHP
];

/// Whether `text` holds template markup: an opener, closed or not, since the text after a lone opener
/// is as unknown as the text between a pair.
pub fn is_in(text: &str) -> bool {
    memchr::memchr3(b'{', b'<', b'$', text.as_bytes()).is_some()
        && OPENERS.iter().any(|open| text.contains(open))
}

#[cfg(test)]
mod tests {
    use super::is_in;

    #[test]
    fn openers_are_found() {
        for open in super::OPENERS {
            assert!(is_in(&format!("a/{open}")), "{open}");
        }
        for plain in ["", "a{b}c", "a$b", "%7B%7B", "<b>", "a}}"] {
            assert!(!is_in(plain), "{plain}");
        }
    }
}
