// Draws the tile faces into one SVG sprite. The art comes as React components; they are plain functions, so writing out what
// they return needs no renderer.
import * as art from "riichi-mahjong-tiles";
import { optimize } from "svgo";

const SUITS = { m: "Man", s: "Sou", p: "Pin" };
const HONOURS = ["Ton", "Nan", "Shaa", "Pei", null, "Hatsu", "Chun"];
const CASED = new Set(["viewBox", "gradientUnits", "gradientTransform", "spreadMethod", "maskUnits", "clipPathUnits"]);

const kebab = (name) => name.replace(/[A-Z]/g, (c) => "-" + c.toLowerCase());
const escape = (text) => String(text).replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");

function write(node) {
  if (node === null || node === undefined || node === false) return "";
  if (Array.isArray(node)) return node.map(write).join("");
  if (typeof node !== "object") return escape(node);
  const { children, style, ...props } = node.props;
  if (typeof node.type === "function") return write(node.type(node.props));
  if (typeof node.type === "symbol") return write(children);
  const attributes = Object.entries(props).map(([name, value]) => {
    const key = name === "xlinkHref" ? "href" : CASED.has(name) ? name : kebab(name);
    return ` ${key}="${escape(value)}"`;
  });
  if (style) attributes.push(` style="${escape(Object.entries(style).map(([k, v]) => `${kebab(k)}:${v}`).join(";"))}"`);
  return `<${node.type}${attributes.join("")}>${write(children)}</${node.type}>`;
}

function face(name) {
  const svg = write(art[`Regular${name}`]({}));
  const { data } = optimize(svg, {
    multipass: true,
    floatPrecision: 1,
    plugins: ["preset-default", "convertStyleToAttrs", "removeXlink", { name: "prefixIds", params: { prefix: name, delim: "" } }],
  });
  return data.replace(/^<svg[^>]*>/, "").replace(/<\/svg>$/, "");
}

/** The sprite: a symbol for each kind, named in mpsz (`5m`); 白 is a frame. */
export function sprite() {
  const symbols = [];
  const put = (id, inside) => symbols.push(`<symbol id="${id}" viewBox="0 0 300 400">${inside}</symbol>`);
  for (const [letter, name] of Object.entries(SUITS))
    for (let rank = 1; rank <= 9; rank++) put(`${rank}${letter}`, face(`${name}${rank}`));
  HONOURS.forEach((name, i) =>
    put(`${i + 1}z`, name ? face(name) : '<path d="M40 44h220v312H40zM64 68v264h172V68z" fill="#23508e" fill-rule="evenodd"/>'),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}</svg>`;
}
