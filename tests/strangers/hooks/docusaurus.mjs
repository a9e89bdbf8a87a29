// The settings of the site, and a plugin that writes the page and the source of each document, post and page of each language.
import fs from "node:fs";
import config from "./docusaurus.config";

const plugin = () => ({
  name: "truth",
  async postBuild({ plugins }) {
    for (const { content } of plugins) {
      const documents = (content?.loadedVersions ?? []).flatMap((version) => version.docs);
      const posts = (content?.blogPosts ?? []).map((post) => post.metadata);
      const pages = Array.isArray(content) ? content : [];
      for (const { permalink, source } of [...documents, ...posts, ...pages])
        if (source) fs.appendFileSync(process.env.truth, `${permalink}\t${source.replace("@site/", "")}\n`);
    }
  },
});

export default { ...config, plugins: [...(config.plugins ?? []), plugin] };
