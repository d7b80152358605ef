import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { defineConfig } from "vite";
import { sprite } from "./sprite.mjs";

const generated = new URL("src/generated/", import.meta.url);
mkdirSync(generated, { recursive: true });
const tiles = new URL("tiles.svg", generated);
const drawn = sprite();
if (!existsSync(tiles) || readFileSync(tiles, "utf8") !== drawn) writeFileSync(tiles, drawn);

export default defineConfig({
  base: "./", // the server may live under any path
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: { target: "es2020", assetsInlineLimit: 0, chunkSizeWarningLimit: 300 },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
});
