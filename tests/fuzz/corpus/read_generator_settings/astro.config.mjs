import { defineConfig } from 'astro/config';
const site = `https://example.com`, base = "/docs";
/* trailing */ const options = { output: 'static', build: { format: "file" } }; // outDir: "no"
export default defineConfig({ site, base, ...options, outDir: './dist', integrations: [mdx({ site: /x"{/u })] });
