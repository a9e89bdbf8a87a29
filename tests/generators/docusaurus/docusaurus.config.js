export default {
  title: "Fixture",
  url: "https://example.org",
  baseUrl: "/base/",
  i18n: { defaultLocale: "en", locales: ["en", "fr"] },
  presets: [["classic", { theme: {}, blog: { onUntruncatedBlogPosts: "ignore", onInlineAuthors: "ignore" } }]],
};
