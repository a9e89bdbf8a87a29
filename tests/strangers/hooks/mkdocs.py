"""Writes the output file and the source of each page."""
import os


def on_post_page(output, page, config):
    with open(os.environ["truth"], "a", encoding="utf-8") as truth:
        source = os.path.relpath(page.file.abs_src_path, os.path.dirname(config["config_file_path"]))
        truth.write(f"{page.file.dest_uri}\t{source}\n")
    return output
