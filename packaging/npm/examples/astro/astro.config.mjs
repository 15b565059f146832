import { defineConfig } from "astro/config";
import rehref from "rehref/astro";

export default defineConfig({
  site: "https://example.org",
  base: "/docs",
  integrations: [rehref({ relative: true })],
});
