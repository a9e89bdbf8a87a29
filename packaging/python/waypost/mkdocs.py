"""The MkDocs plugin: writes the sitemap after a build, with the URL and the directories of the site."""
import os
import subprocess

from mkdocs.config import config_options
from mkdocs.config.base import Config
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority

from waypost import find_program


class WaypostConfig(Config):
    # None: as strict as MkDocs itself
    strict = config_options.Optional(config_options.Type(bool))


class WaypostPlugin(BasePlugin[WaypostConfig]):
    def on_startup(self, *, command, dirty):
        self.is_preview = command == "serve"

    @event_priority(-100)  # after the plugins that write pages
    def on_post_build(self, *, config):
        # `mkdocs serve` serves the pages at another URL.
        if self.is_preview:
            return
        try:
            code = subprocess.run(self.command(config)).returncode
        except OSError as error:
            raise PluginError(f"waypost: {error}") from error
        if code != 0:
            raise PluginError(f"waypost ended with exit code {code}")

    def command(self, config):
        command = [find_program(), "build", f"--output-dir={config.site_dir}"]
        if config.site_url:
            command.append(f"--base-url={config.site_url}")
        strict = self.config.strict
        if config.strict if strict is None else strict:
            command.append("--strict")
        return [*command, "--", os.path.dirname(config.config_file_path) or "."]
