def on_page_markdown(markdown, page, config, files):
    return markdown + '\n\n<p id="made-by-hook">Made</p>\n'
