//! The findings by cause: what is wrong, a line of source, and where.

use std::collections::HashMap;
use std::fmt::Write;

use super::super::super::finding::{Finding, ReportedFile};
use super::super::escape::{cut, markup};
use super::super::fingerprint::fingerprints;
use super::super::group::{Group, groups};
use super::super::snippet::{Snippet, snippets};
use super::super::summary::line_and_column;
use super::source_url::SourceUrl;
use rehref_site::plural::{counted, number};

/// The most causes that are listed.
const CAUSES: usize = 300;
/// The most places of a cause that are listed.
const PLACES: usize = 3;
/// The width of a line of source in columns.
const WIDTH: usize = 120;

/// All causes, the worst first.
pub(super) struct Causes<'a> {
    groups: Vec<Group<'a>>,
    /// The numbers of the listed causes, by the places of their findings in memory.
    numbers: HashMap<*const Finding, usize>,
    /// The ids of the listed causes.
    pub(super) ids: Vec<String>,
}

impl<'a> Causes<'a> {
    pub(super) fn new(findings: &'a [Finding]) -> Self {
        let groups = groups(findings);
        let listed = groups.get(..CAUSES).unwrap_or(&groups);
        let numbers = listed.iter().enumerate().flat_map(|(number, group)| {
            group.findings().map(move |finding| (std::ptr::from_ref(finding), number))
        });
        let firsts = listed.iter().map(|group| group.first);
        Causes {
            numbers: numbers.collect(),
            ids: fingerprints(firsts).into_iter().map(|print| format!("c-{print:016x}")).collect(),
            groups,
        }
    }

    /// Returns the number of a finding's cause in [`Causes::ids`], or the number of ids if it is not listed. The
    /// finding is one of those of [`Causes::new`].
    pub(super) fn number_of(&self, finding: &Finding) -> usize {
        let number = self.numbers.get(&std::ptr::from_ref(finding));
        number.copied().unwrap_or(self.ids.len())
    }

    /// Writes the section. The documents are shown as below `common`, the folder that all are in.
    pub(super) fn list(
        &self,
        page: &mut String,
        common: &str,
        source: &dyn Fn(ReportedFile<'_>) -> Option<String>,
        source_url: Option<&SourceUrl>,
    ) {
        let count = number(self.groups.len());
        let limit = if self.groups.len() > CAUSES {
            format!(": the first {CAUSES} of {count}")
        } else {
            String::new()
        };
        let _ = write!(
            page,
            "<nav class=\"tabs\" hidden></nav>\n<div class=\"filters\" hidden></div>\n\
             <section id=\"causes\" data-count=\"{count}\">\n<h2>Causes</h2>\n\
             <p>Findings grouped by cause{limit}.{}</p>\n<ol class=\"causes\">\n",
            match common {
                "" => String::new(),
                common => format!(" All places are below <code>{}</code>.", cut(common)),
            }
        );
        let firsts = self.groups.iter().take(CAUSES).map(|group| group.first);
        let firsts: Vec<&Finding> = firsts.collect();
        let snippets = snippets(&firsts, source, |_| WIDTH);
        let listed = self.groups.iter().zip(&self.ids).zip(&snippets).enumerate();
        for (number, ((group, id), snippet)) in listed {
            let head = format!("id=\"{id}\" data-cause=\"{number}\"");
            let place = |finding: &Finding| place(finding, common, source_url);
            cause(page, group, &head, snippet.as_ref(), place);
        }
        page.push_str("</ol>\n</section>\n");
    }
}

fn cause(
    page: &mut String,
    group: &Group<'_>,
    head: &str,
    snippet: Option<&Snippet>,
    place: impl Fn(&Finding) -> String,
) {
    let (first, count) = (group.first, group.count());
    let level = first.severity.name();
    let times = match count {
        1 => String::new(),
        n => format!("<b class=\"times\">{}×</b> ", number(n)),
    };
    let _ = writeln!(
        page,
        "<li class=\"{level}\" {head}><p class=\"what\">{times}<span class=\"level\">{level}</span> {} \
         <small><a href=\"#check-{check}\">{check}</a></small></p>",
        markup(&first.message),
        check = first.check.id(),
    );
    if let (Some(snippet), Some(at)) = (snippet, first.reported().position) {
        let _ = writeln!(
            page,
            "<pre class=\"source\"><span>{}</span>{}<mark>{}</mark>{}</pre>",
            at.line,
            markup(&snippet.before),
            markup(&snippet.marked),
            markup(&snippet.after),
        );
    }
    page.push_str("<div class=\"facts\"><dl>");
    for (label, value) in first.details() {
        if label == "target" && first.reference.as_deref() == Some(value) && group.targets < 2 {
            continue;
        }
        let _ = write!(page, "<dt>{label}</dt><dd class=\"{label}\"><code>{}</code>", cut(value));
        if label == "target" && group.targets > 1 {
            let _ = write!(page, " and {} more", number(group.targets - 1));
            if let Some(place) = group.place {
                let _ = write!(page, " in <code>{}</code>", cut(place));
            }
        }
        page.push_str("</dd>");
    }
    page.push_str("</dl><dl>");
    if first.source.is_some() {
        let _ = write!(
            page,
            "<dt>page</dt><dd><code>{}<span>{}</span></code></dd>",
            cut(&first.location.path),
            line_and_column(first.location.position)
        );
    }
    page.push_str("<dt>in</dt><dd>");
    for (at, finding) in group.findings().take(PLACES).enumerate() {
        let separator = if at > 0 { "<br>" } else { "" };
        let _ = write!(page, "{separator}{}", place(finding));
    }
    if let Some(more) = count.checked_sub(PLACES).filter(|&n| n > 0) {
        let documents = counted(group.documents(), "document");
        let _ = write!(page, "<br>and {} more; {documents} in total", number(more));
    }
    page.push_str("</dd></dl></div></li>\n");
}

/// The file of a finding, line and column, which link to its source. A document is shown as below `common`.
fn place(finding: &Finding, common: &str, source_url: Option<&SourceUrl>) -> String {
    let reported = finding.reported();
    let (path, shown) = match reported.file {
        ReportedFile::Document(path) => (path, path.strip_prefix(common).unwrap_or(path)),
        ReportedFile::Source(path) => (path, path),
    };
    let place =
        format!("<code>{}<span>{}</span></code>", cut(shown), line_and_column(reported.position));
    match source_url.filter(|url| url.is_for(reported.file)) {
        Some(url) => {
            let line = reported.position.map(|position| position.line);
            let url = markup(&url.of(path, line));
            format!("<a href=\"{url}\">{place}</a>")
        }
        None => place,
    }
}
