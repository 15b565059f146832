//! Imports in inline modules: browsers resolve them against the base URL of the page.

use super::disk_limits::{has_word, values};
use super::scripts::{SCRIPTS, inline_code};
use rehref_url::Span;

/// Returns the relative specifiers of the imports in the inline modules of `html`: `./x.js`, `../x.js`, `/x.js`. Other
/// specifiers are absolute, or names of an import map.
pub fn inline_imports(html: &[u8]) -> Vec<Span> {
    let modules = inline_code(html, SCRIPTS)
        .filter(|it| values(html, it.attributes, "type").any(|value| has_word(value, "module")));
    let mut found = Vec::new();
    for module in modules {
        let code = module.content.of(html);
        for at in memchr::memchr2_iter(b'"', b'\'', code) {
            let (before, [quote, text @ ..]) = code.split_at(at) else { continue };
            let end = memchr::memchr2(*quote, b'\n', text);
            let text = text.get(..end.unwrap_or(text.len())).unwrap_or_default();
            let is_relative = [&b"./"[..], b"../", b"/"].iter().any(|it| text.starts_with(it));
            if is_relative && is_import(before) {
                let start = module.content.start + at + 1;
                found.push(Span::from(start..start + text.len()));
            }
        }
    }
    found
}

/// Returns true if a string after `before` is what an `import` or `export` names.
fn is_import(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let call = before.strip_suffix(b"(").map(<[u8]>::trim_ascii_end);
    let ends_in = |code: &[u8], word: &[u8]| {
        let rest = code.strip_suffix(word);
        rest.is_some_and(|rest| {
            rest.last().is_none_or(|b| !b.is_ascii_alphanumeric() && !b"_$.".contains(b))
        })
    };
    call.is_some_and(|it| ends_in(it, b"import"))
        || ends_in(before, b"import")
        || ends_in(before, b"from")
}

#[cfg(test)]
mod tests {
    use super::inline_imports;

    #[test]
    fn the_imports_of_inline_modules_are_found() {
        let html = r#"<script>import("./no.js")</script><script type=module src=a.js></script>
            <SCRIPT TYPE='module'>import "./a.js"; import{x}from'../b.js'; export * from "/c.js"
            const d = await import( './d.js' ); my_import("./no.js"); it.from('./no.js')
            import "name"; import "https://h/x.js"; const s = "./no.js"</SCRIPT>"#;
        let found = inline_imports(html.as_bytes());
        let found: Vec<&str> = found.iter().map(|it| it.of_str(html)).collect();
        assert_eq!(found, ["./a.js", "../b.js", "/c.js", "./d.js"]);
    }
}
