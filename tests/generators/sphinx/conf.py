project = "Fixture"
html_baseurl = "https://example.org/docs/"
templates_path = ["_templates"]
exclude_patterns = ["_build"]
html_theme = "basic"
html_copy_source = True
