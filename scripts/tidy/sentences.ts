import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import { lineIn, readComments, readPassages } from './prose.ts';
import { type Measure, withRatchet } from './ratchet.ts';

const wordsMax = 35;

/** Sentences that are too long; a file may keep its existing number. */
export function findSentences(project: Project): readonly Finding[] {
  const long = [...readPassages(project), ...readComments(project)].flatMap((passage) => {
    const { path, text } = passage;
    return sentencesIn(text).flatMap(({ index, words }) => {
      if (words <= wordsMax) return [];
      const cure = `split this sentence: it has ${words} words, ${wordsMax} are allowed`;
      return [{ path, line: lineIn(passage, index), rule: 'long-sentences', cure }];
    });
  });
  const measures = [...Map.groupBy(long, ({ path }) => path)].flatMap(([key, findings]) =>
    findings.map((finding): Measure => ({ key, actual: findings.length, most: 0, finding })),
  );
  return withRatchet(project, 'long-sentences', measures);
}

/** Up to a full stop before a blank, or to the end. */
const sentence = /\S[\s\S]*?(?:[.!?]["”’)\]*_]*(?=\s|$)|$)/g;

/** Each sentence of a passage: its position, and its number of words. */
export function sentencesIn(text: string): readonly { index: number; words: number }[] {
  return [...text.matchAll(sentence)].map(({ index, 0: sentenceText }) => {
    const words = sentenceText.split(/\s+/).filter((word) => /[\p{L}\p{N}`…]/u.test(word));
    return { index, words: words.length };
  });
}
