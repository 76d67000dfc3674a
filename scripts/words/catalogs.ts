import { type Area, areas, type Text } from './texts.ts';

/** The catalog of each area, by its path: the texts of each file, in the order of the source. */
export function catalogsOf(texts: readonly Text[]): ReadonlyMap<string, string> {
  return new Map(areas.map((area) => [catalogPath(area), catalogOf(texts, area)]));
}

/** The path of the catalog of an area. */
export function catalogPath(area: Area): string {
  return `docs/texts/${area}.txt`;
}

function catalogOf(texts: readonly Text[], area: Area): string {
  const ofArea = texts.filter((text) => text.area === area);
  const files = [...Map.groupBy(ofArea, ({ path }) => path)].map(([path, list]) => {
    const lines = new Set(list.map(({ text }) => text.trim().replaceAll(/\s*\n\s*/g, ' ⏎ ')));
    return `## ${path}\n${[...lines].join('\n')}\n`;
  });
  return files.join('\n');
}
