module.exports = async function (eleventyConfig) {
  eleventyConfig.setInputDirectory("src");
  const dir = { input: "content", output: process.env.OUT || "dist" };
  return { dir, pathPrefix: "/a\u0062/", markdownTemplateEngine: 'njk' };
};
