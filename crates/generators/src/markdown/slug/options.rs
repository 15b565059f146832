//! What a project's configuration says about the anchors of headings.

/// How a generator makes anchors of headings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlugStyle {
    /// github.com.
    GitHub,
    /// Python-Markdown's `toc`, as MkDocs uses it.
    PythonMarkdown,
    /// Python-Markdown's `toc` with `slugify: markdown.extensions.toc.slugify_unicode`.
    PythonMarkdownUnicode,
    /// Python-Markdown's `toc` with `slugify: pymdownx.slugs.slugify`, `case: lower`.
    Pymdownx,
    /// Hugo with `autoIDType: github`.
    Hugo,
    /// Hugo with `autoIDType: github-ascii`.
    HugoAscii,
    /// Hugo with `autoIDType: blackfriday`.
    HugoBlackfriday,
    /// mdBook 0.5.
    MdBook,
    /// VitePress 1.
    VitePress,
    /// Docusaurus 3 with its classic theme.
    Docusaurus,
    /// MyST-Parser with Sphinx.
    Myst,
    /// kramdown.
    Kramdown,
    /// kramdown with the parser for GFM, as Jekyll uses it.
    KramdownGfm,
}

/// What a project's configuration says about anchors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlugOptions {
    /// The generator's algorithm.
    pub style: SlugStyle,
    /// Whether attribute lists (`{#id}`) are read: `attr_list` of Python-Markdown, `attrs_block` of MyST-Parser,
    /// `markup.goldmark.parser.attribute.title` of Hugo. The style says what the generator does by default.
    pub attributes: bool,
    /// Whether `:name:` becomes an emoji or icon, which is no text: with `pymdownx.emoji` of Python-Markdown, and in
    /// VitePress.
    pub emoji: bool,
    /// Whether `[^1]` is a footnote: with `footnotes` of Python-Markdown. Elsewhere the generator decides.
    pub footnotes: bool,
    /// `myst_heading_anchors`: the deepest level of headings that links reach by the slug of their text. 0 by
    /// default; only [`SlugStyle::Myst`] looks at it.
    pub myst_heading_anchors: u8,
}
