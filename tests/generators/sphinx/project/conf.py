project = "Harbour"
extensions = ["myst_parser", "sphinx_design"]
myst_enable_extensions = ["colon_fence", "deflist", "attrs_inline", "attrs_block", "substitution", "fieldlist"]
myst_heading_anchors = 3
exclude_patterns = ["parts", "_build"]
suppress_warnings = ["toc.not_included"]
html_theme = "basic"
numfig = True
