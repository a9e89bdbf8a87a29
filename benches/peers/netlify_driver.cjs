// Runs @netlify/plugin-sitemap as Netlify's build does.
//
// usage: node netlify_driver.cjs PACKAGE_DIR PUBLISH_DIR [INPUTS]
const [folder, publish, given = "{}"] = process.argv.slice(2);
const inputs = {
  baseUrl: "https://example.com", filePath: "sitemap.xml", exclude: [], prettyURLs: true, changeFreq: "weekly",
  priority: 0.8, trailingSlash: true, urlPrefix: null, ...JSON.parse(given),
};
const failBuild = (message) => { throw new Error(message); };
require(folder).onPostBuild({ inputs, constants: { PUBLISH_DIR: publish }, utils: { build: { failBuild } } });
