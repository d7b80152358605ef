import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";
import { sprite } from "./sprite.mjs";

const generated = new URL("src/generated/", import.meta.url);
mkdirSync(generated, { recursive: true });
const tiles = new URL("tiles.svg", generated);
const drawn = sprite();
if (!existsSync(tiles) || readFileSync(tiles, "utf8") !== drawn) writeFileSync(tiles, drawn);

/** The licences of all that the built page holds, as one file beside it. */
const notice: Plugin = {
  name: "third-party-notice",
  generateBundle() {
    const parts = ["preact", "@preact/signals", "@preact/signals-core", "uqr", "riichi-mahjong-tiles"].map((name) => {
      const folder = new URL(`node_modules/${name}/`, import.meta.url);
      const { version, license } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
      const file = ["LICENSE", "LICENSE.md", "LICENSE.txt"].map((file) => new URL(file, folder)).find((file) => existsSync(file));
      const art = name === "riichi-mahjong-tiles" ? "The art is by FluffyStuff, in the public domain (CC0 1.0); the package is by Takafumi Sakai.\n" : "";
      return `${name} ${version} (${license})\n${art}${file ? "\n" + readFileSync(file, "utf8").trim() + "\n" : ""}`;
    });
    this.emitFile({ type: "asset", fileName: "THIRD_PARTY.txt", source: parts.join(`\n${"-".repeat(72)}\n\n`) });
  },
};

export default defineConfig({
  base: "./", // the server may live under any path
  plugins: [notice],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: { target: "es2020", assetsInlineLimit: 0, chunkSizeWarningLimit: 300 },
  server: { fs: { allow: [".."] }, proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
});
