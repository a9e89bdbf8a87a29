# -*- coding: utf-8 -*-
project: str = 'Example' ; html_baseurl = "https://example.com/"
extensions = ["sphinx.ext.autodoc",
    'sphinx.ext.viewcode']
html_theme = r"furo"
if True:
    html_baseurl = "no"
html_extra_path += f"{x}"
'''text
project = 'no'
'''
