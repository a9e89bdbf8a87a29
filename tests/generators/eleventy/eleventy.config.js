export default function (config) {
  config.addPassthroughCopy("content/copied.html");
  return {
    dir: { input: "content", output: "out" },
  };
}
