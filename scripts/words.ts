import process from 'node:process';
import { parseArgs } from 'node:util';
import { createProject, type Project } from './tidy/project.ts';
import { filesOfCommit, repositoryFiles } from './tidy/repository.ts';
import { isTest } from './tidy/sizes.ts';
import { draw } from './words/draw.ts';
import {
  addCounts,
  areaCounts,
  type Counts,
  docCommentWords,
  documentCounts,
  otherCounts,
  roomCounts,
} from './words/measure.ts';
import { areas, readTexts } from './words/texts.ts';

// Counts the words of documents, of comments and of the texts that the product shows.
//   --old=COMMIT   also counts that commit, and the texts that have changed since
//   --draw=N       prints N sentences drawn at random from each area and the documents instead

const { values } = parseArgs({ options: { old: { type: 'string' }, draw: { type: 'string' } } });
const today = createProject(repositoryFiles());
if (values.draw !== undefined) print(draw(today, Number(values.draw)));
else {
  const old = values.old === undefined ? undefined : createProject(filesOfCommit(values.old));
  if (old !== undefined) {
    print([`At ${values.old}:`, ...report(old), '', 'Today:']);
  }
  print(report(today));
  if (old !== undefined) print(['', ...changes(old, today)]);
}

function report(project: Project): readonly string[] {
  return [
    '  words  mean   >25  >35 avoided',
    ...section('README and docs', documentCounts(project)),
    ...section('READMEs of rooms', roomCounts(project), true),
    ...section('other documents', otherCounts(project)),
    ...section('texts of the product', areaCounts(project)),
    `${String(docCommentWords(project)).padStart(7)}                         doc comments`,
  ];
}

function section(name: string, counts: ReadonlyMap<string, Counts>, isShort = false) {
  const rows = isShort ? [] : [...counts].map(([key, each]) => row(`  ${key}`, each));
  return [...rows, row(name, addCounts(counts.values()))];
}

function row(name: string, { words, sentences, inSentences, above25, above35, avoided }: Counts) {
  const mean = sentences === 0 ? '–' : (inSentences / sentences).toFixed(1);
  const share = sentences === 0 ? '–' : `${((100 * above25) / sentences).toFixed(1)}%`;
  const cells = [String(words).padStart(7), mean.padStart(5), share.padStart(5)];
  return [...cells, String(above35).padStart(4), String(avoided).padStart(7), name].join(' ');
}

/** The texts of each area that the other state does not have. */
function changes(old: Project, today: Project): readonly string[] {
  return areas.map((area) => {
    const before = textsOf(old, area);
    const after = textsOf(today, area);
    const unchanged = [...before].filter((text) => after.has(text)).length;
    return `${area}: ${before.size} texts, ${before.size - unchanged} of them changed or removed; ${after.size} today`;
  });
}

function textsOf({ sources }: Project, area: string): ReadonlySet<string> {
  const texts = readTexts(sources.filter(({ path }) => !isTest(path)));
  return new Set(texts.filter((each) => each.area === area).map(({ text }) => text));
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
