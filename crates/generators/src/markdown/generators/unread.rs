//! Generators whose projects are recognized, and not read yet.

use super::plain::*;

/// A generator that is not read yet, with the files by which its project is recognized, and those that need a word.
const fn unread(
    name: &'static str,
    configuration: &'static [&'static str],
    configuration_with: &'static [(&'static str, &'static str)],
) -> DialectRow {
    let (is_read, bare_urls) = (false, true);
    DialectRow {
        name,
        program: name,
        configuration,
        configuration_with,
        is_read,
        bare_urls,
        ..PLAIN
    }
}

/// `dialect`, whose sites the command `build` builds.
const fn built(dialect: DialectRow, build: &'static str) -> DialectRow {
    DialectRow { build, ..dialect }
}

/// As [`unread`], with MDX.
const fn with_mdx(
    name: &'static str,
    configuration: &'static [&'static str],
    configuration_with: &'static [(&'static str, &'static str)],
) -> DialectRow {
    DialectRow { blocks: Blocks::Jsx, ..unread(name, configuration, configuration_with) }
}

/// The generators that rehref recognizes, but whose rules it does not know.
#[rustfmt::skip]
pub static UNREAD: &[MarkdownDialect] = &[
    MarkdownDialect(&built(with_mdx("Astro", &["astro.config.mjs", "astro.config.ts", "astro.config.js", "astro.config.mts", "astro.config.cjs"], &[]), "npx astro build --outDir {out}")),
    MarkdownDialect(&built(unread("Eleventy", &["eleventy.config.js", "eleventy.config.mjs", "eleventy.config.cjs", "eleventy.config.ts", ".eleventy.js"], &[]), "npx @11ty/eleventy --output {out}")),
    MarkdownDialect(&unread("Zola", &[], &[("config.toml", "base_url"), ("zola.toml", "base_url")])),
    MarkdownDialect(&unread("Quarto", &["_quarto.yml", "_quarto.yaml"], &[])),
    MarkdownDialect(&unread("Antora", &["antora.yml", "antora-playbook.yml"], &[])),
    MarkdownDialect(&with_mdx("Nextra", &[], &[("next.config.js", "nextra"), ("next.config.mjs", "nextra"), ("next.config.ts", "nextra")])),
    MarkdownDialect(&with_mdx("Fumadocs", &[], &[("source.config.ts", "fumadocs-mdx"), ("source.config.mjs", "fumadocs-mdx")])),
    MarkdownDialect(&with_mdx("Mintlify", &["mint.json"], &[("docs.json", "mintlify")])),
    MarkdownDialect(&with_mdx("Rspress", &["rspress.config.ts", "rspress.config.js", "rspress.config.mjs", "rspress.config.mts"], &[])),
    MarkdownDialect(&with_mdx("Vocs", &["vocs.config.ts", "vocs.config.tsx"], &[])),
    MarkdownDialect(&with_mdx("Gatsby", &["gatsby-config.js", "gatsby-config.ts", "gatsby-config.mjs"], &[])),
    MarkdownDialect(&unread("VuePress", &[".vuepress/config.js", ".vuepress/config.ts", ".vuepress/config.mts"], &[])),
    MarkdownDialect(&unread("Nuxt Content", &[], &[("content.config.ts", "@nuxt/content"), ("nuxt.config.ts", "@nuxt/content"), ("nuxt.config.js", "@nuxt/content")])),
    MarkdownDialect(&unread("mdsvex", &[], &[("svelte.config.js", "mdsvex"), ("svelte.config.ts", "mdsvex")])),
    MarkdownDialect(&unread("Quartz", &["quartz.config.ts"], &[])),
    MarkdownDialect(&unread("Docsify", &[], &[("index.html", "$docsify")])),
    MarkdownDialect(&unread("GitBook", &[".gitbook.yaml"], &[])),
    MarkdownDialect(&unread("HonKit", &["book.json"], &[])),
    MarkdownDialect(&unread("DocFX", &["docfx.json"], &[])),
    MarkdownDialect(&unread("bookdown", &["_bookdown.yml"], &[])),
    MarkdownDialect(&unread("Retype", &["retype.yml", "retype.json"], &[])),
    MarkdownDialect(&unread("Pelican", &["pelicanconf.py"], &[])),
    MarkdownDialect(&unread("Hexo", &[], &[("package.json", "hexo")])),
    MarkdownDialect(&unread("Bridgetown", &["bridgetown.config.yml"], &[])),
    MarkdownDialect(&unread("Nanoc", &["nanoc.yaml"], &[])),
    MarkdownDialect(&unread("Lume", &["_config.ts"], &[])),
    MarkdownDialect(&unread("Cobalt", &["_cobalt.yml"], &[])),
];
