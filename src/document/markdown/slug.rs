/// Placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum SlugStyle {
    GitHub,
    PythonMarkdown,
    Goldmark,
    MdBook,
    VitePress,
    Docusaurus,
    MyST,
    Kramdown,
}
