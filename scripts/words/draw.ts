import { proseLines } from '../markdown/links.ts';
import type { Project } from '../tidy/project.ts';
import { isTest } from '../tidy/sizes.ts';
import type { TextFile } from '../tidy/source.ts';
import { isUserDocument } from './measure.ts';
import { areas, readTexts } from './texts.ts';

/** Texts drawn at random from each area, and from the documents of users. */
export function draw({ files, sources }: Project, count: number): readonly string[] {
  const texts = readTexts(sources.filter(({ path }) => !isTest(path)));
  const documents = files
    .filter(({ path }) => isUserDocument(path))
    .flatMap(linesIn)
    .filter(({ text }) => text.split(/\s+/).length > 5);
  return [
    ...areas.flatMap((area) => [
      `## ${area}`,
      ...drawn(
        texts.filter((text) => text.area === area),
        count,
      ),
    ]),
    ...['## documents', ...drawn(documents, count)],
  ];
}

function drawn(all: readonly { path: string; text: string }[], count: number): readonly string[] {
  const remaining = [...all];
  const lines: string[] = [];
  while (lines.length < count && remaining.length > 0) {
    const [one] = remaining.splice(Math.floor(Math.random() * remaining.length), 1);
    if (one !== undefined) lines.push(`- ${one.text.replaceAll(/\s+/g, ' ').trim()} (${one.path})`);
  }
  return lines;
}

/** Lines and table cells, with their code. */
function linesIn({ path, text }: TextFile): readonly { path: string; text: string }[] {
  return proseLines(text).flatMap(({ prose }) => {
    const cells = /^\s*\|/.test(prose) ? prose.split(/(?<!\\)\|/) : [prose];
    return cells.map((cell) => ({ path, text: cell }));
  });
}
