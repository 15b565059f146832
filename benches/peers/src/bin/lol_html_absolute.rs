//! lol_html 3 and the `url` crate: `href` and `src` of all elements, as short scripts do it.
//! Character references in values are left as they are, and so resolved as text.

use std::cell::OnceCell;
use std::process::ExitCode;

use lol_html::html_content::Element;
use lol_html::{HtmlRewriter, Settings, element};
use rehref_peers::Failure;
use url::Url;

fn main() -> ExitCode {
    rehref_peers::run(absolute)
}

fn absolute(html: &[u8], own: &str) -> Result<Vec<u8>, Failure> {
    let own = Url::parse(own)?;
    let base = OnceCell::new();
    let mut output = Vec::with_capacity(html.len() + html.len() / 4);
    let rewrite = |element: &mut Element<'_, '_>| {
        if element.tag_name() == "base"
            && let Some(href) = element.get_attribute("href")
        {
            // One that is there already counts.
            let _ = base.set(own.join(&href).unwrap_or_else(|_| own.clone()));
        }
        for name in ["href", "src"] {
            let Some(reference) = element.get_attribute(name) else { continue };
            if let Ok(target) = base.get().unwrap_or(&own).join(&reference)
                && target.as_str() != reference
            {
                element.set_attribute(name, target.as_str())?;
            }
        }
        Ok(())
    };
    let mut rewriter = HtmlRewriter::new(
        Settings::new()
            .with_strict(false)
            .append_element_content_handler(element!("*[href],*[src]", rewrite)),
        |chunk: &[u8]| output.extend_from_slice(chunk),
    );
    rewriter.write(html)?;
    rewriter.end()?;
    Ok(output)
}
