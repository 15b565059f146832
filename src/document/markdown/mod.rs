//! Markdown: links and images with exact spans, headings and their anchors.

pub mod slug;
