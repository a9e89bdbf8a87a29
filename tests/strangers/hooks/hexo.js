// Writes the output file and the source of each page and post.
const fs = require("fs");

hexo.extend.filter.register("before_exit", () => {
  for (const kind of ["pages", "posts"])
    for (const page of hexo.locals.get(kind).toArray())
      fs.appendFileSync(process.env.truth, `${page.path}\tsource/${page.source}\n`);
});
