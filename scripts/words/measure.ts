import { countAvoided } from '../tidy/avoided-words.ts';
import type { Project } from '../tidy/project.ts';
import { inDocument, isDocument, withoutGenerated } from '../tidy/prose.ts';
import { sentencesIn } from '../tidy/sentences.ts';
import { isTest } from '../tidy/sizes.ts';
import type { TextFile } from '../tidy/source.ts';
import { areas, readTexts } from './texts.ts';

/** The counts of a set of texts. */
export interface Counts {
  readonly texts: number;
  readonly words: number;
  readonly sentences: number;
  /** Words in all sentences. */
  readonly inSentences: number;
  readonly above25: number;
  readonly above35: number;
  readonly avoided: number;
}

const none: Counts = {
  ...{ texts: 0, words: 0, sentences: 0, inSentences: 0, above25: 0, above35: 0, avoided: 0 },
};

/** The counts of several sets of texts, together. */
export function addCounts(all: Iterable<Counts>): Counts {
  const sum = { ...none };
  for (const counts of all) {
    for (const name of countNames) sum[name] += counts[name];
  }
  return sum;
}

const countNames = [
  ...(['texts', 'words', 'sentences', 'inSentences', 'above25', 'above35', 'avoided'] as const),
] as const;

/** README.md and the pages of docs, without decisions and generated pages. */
export function documentCounts({ files }: Project): ReadonlyMap<string, Counts> {
  return countsOf(files, isUserDocument);
}

/** Whether a path is README.md or a page of docs that a person writes. */
export function isUserDocument(path: string): boolean {
  const isPage = /^(?:README|docs\/(?:(?!decisions)[^/]+\/)?[^/]+)\.md$/.test(path);
  return isPage && path !== 'docs/statements.md';
}

/** The READMEs inside of packages/server/src. */
export function roomCounts({ files }: Project): ReadonlyMap<string, Counts> {
  return countsOf(files, (path) => /^packages\/server\/src\/.*README\.md$/.test(path));
}

/** Decision records, and every other maintained document. */
export function otherCounts({ files }: Project): ReadonlyMap<string, Counts> {
  const isOther = (path: string) =>
    isDocument(path) && !isUserDocument(path) && !path.startsWith('packages/server/src/');
  return countsOf(files, isOther, (path) => path.replace(/\/[^/]*$/, ''));
}

function countsOf(
  files: readonly TextFile[],
  isCounted: (path: string) => boolean,
  groupOf: (path: string) => string = (path) => path,
): ReadonlyMap<string, Counts> {
  const groups = Map.groupBy(
    files.filter(({ path }) => isCounted(path)),
    ({ path }) => groupOf(path),
  );
  return new Map(
    [...groups].map(([path, list]) => [path, addCounts(list.map(countsOfDocument))] as const),
  );
}

function countsOfDocument(file: TextFile): Counts {
  const counts = addCounts(inDocument(file).map(({ text }) => countsOfText(text)));
  return { ...counts, texts: 1, words: wordCount(withoutGenerated(file.text)) };
}

/** The counts of the texts of each area. */
export function areaCounts({ sources }: Project): ReadonlyMap<string, Counts> {
  const texts = readTexts(sources.filter(({ path }) => !isTest(path)));
  return new Map(
    areas.map((area) => {
      const ofArea = texts.filter((text) => text.area === area);
      return [area, addCounts(ofArea.map(({ text }) => countsOfText(text)))] as const;
    }),
  );
}

function countsOfText(text: string): Counts {
  const sentences = sentencesIn(text).filter(({ words }) => words > 0);
  const above = (most: number) => sentences.filter(({ words }) => words > most).length;
  return {
    ...{ texts: 1, words: wordCount(text), sentences: sentences.length },
    inSentences: sentences.reduce((sum, { words }) => sum + words, 0),
    ...{ above25: above(25), above35: above(35), avoided: countAvoided(text) },
  };
}

/** The words of doc comments in the sources of the packages. */
export function docCommentWords({ sources }: Project): number {
  const ours = sources.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path));
  const comments = ours.flatMap((source) => source.comments);
  const docs = comments.filter(({ isBlock, text }) => isBlock && text.startsWith('*'));
  return docs.reduce((sum, { text }) => sum + wordCount(text.replaceAll('*', ' ')), 0);
}

function wordCount(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}
