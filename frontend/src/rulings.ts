/** The rulings of docs/rules, as they are written there: by id, each with its title and its paragraphs in either language. */
export interface Ruling {
  id: string;
  title: string;
  parts: { kind: "text" | "table"; lang: "zh" | "en" | "both"; text: string }[];
}

const FILES = import.meta.glob<string>("../../docs/rules/*.md", { query: "?raw", import: "default" });

/** Those of a rule set's own page, then the common ones; `also`: an id that may stand on another region's page. */
export async function rulingsOf(rules: string, also: string): Promise<Ruling[]> {
  const named = Object.entries(FILES).map(([path, load]) => [path.replace(/^.*\/|\.md$/g, ""), load] as const);
  const own = named.filter(([name]) => rules === name || rules.startsWith(`${name}_`));
  const common = named.filter(([name]) => name === "common");
  const read = async (files: typeof named) => (await Promise.all(files.map(([, load]) => load()))).flatMap(parse);
  const found = await read([...own, ...common]);
  if (!also || found.some((ruling) => ruling.id === also)) return found;
  return [...(await read(named)).filter((ruling) => ruling.id === also), ...found];
}

function parse(text: string): Ruling[] {
  return text
    .split(/^### /m)
    .slice(1)
    .flatMap((section) => {
      const head = /^([A-Z]\d+) · (.*)/.exec(section);
      if (!head) return [];
      const body = section.slice(head[0].length).split(/^## /m)[0]!;
      return [{ id: head[1]!, title: head[2]!, parts: body.split(/\n\s*\n/).map((block) => block.trim()).filter(Boolean).map(part) }];
    });
}

function part(text: string): Ruling["parts"][number] {
  if (text.startsWith("|")) return { kind: "table", lang: "both", text };
  const words = text.replace(/`[^`]*`/g, "");
  const chinese = (words.match(/[\u3400-\u9fff]/g)?.length ?? 0) / Math.max(1, words.length);
  return { kind: "text", lang: chinese > 0.35 ? "zh" : chinese > 0.12 ? "both" : "en", text };
}
