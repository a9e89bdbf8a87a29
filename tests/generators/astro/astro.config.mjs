import { defineConfig } from "astro/config";
import starlight from "@astrojs/starlight";

export default defineConfig({
  site: "https://example.org",
  integrations: [
    starlight({
      title: "Fixture",
      pagefind: false,
      credits: false,
      locales: { root: { label: "English", lang: "en" }, fr: { label: "Français", lang: "fr" } },
      components: { PageFrame: "./src/Frame.astro", Head: "./src/Head.astro" },
    }),
  ],
});
