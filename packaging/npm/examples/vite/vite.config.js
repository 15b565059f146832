import { defineConfig } from "vite";
import rehref from "rehref/vite";

export default defineConfig({
  base: "/docs/",
  build: { rollupOptions: { input: ["index.html", "guide/index.html"] } },
  plugins: [rehref({ url: "https://example.org/docs/", relative: true })],
});
