import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import { lineIn, type Passage, readComments, readPassages } from './prose.ts';
import { type Measure, type RatchetRule, withRatchet } from './ratchet.ts';

/** Each way of speaking that plain English avoids: its name, its pattern, and the replacement. */
const avoided: readonly (readonly [name: string, pattern: RegExp, instead: string])[] = [
  ['a start', /\ba (?:start|stop) [a-z]+s\b/gi, '"startup" or "shutdown" as the subject'],
  ['alone', /\balone\b/gi, '"only"'],
  ['anew', /\banew\b/gi, '"again"'],
  ['as well', /\bas well\b/gi, '"also" or "too"'],
  ['beside', /\bbesides?\b/gi, '"next to", "with" or "in addition to"'],
  ['comes to', /\b(?:came|comes?) to\b/gi, '"result" or "total"'],
  ['dearest', /\bdear(?:est|er)\b/gi, '"most expensive"'],
  ['further', /\bfurther\b/gi, '"more", "other" or "additional"'],
  ['given up', /\bgiven up\b/gi, '"abandoned"'],
  ['go on', /\bgo(?:es|ing)? on\b/gi, '"continue"'],
  ['goes by', /\bgo(?:es)? by\b/gi, '"uses" or "follows"'],
  ['hand on', /\bhand(?:s|ed)? (?:on|over)\b/gi, '"forward" or "relay"'],
  ['is no', /\bis no\b/gi, 'what it must be'],
  ['is none of', /\bis none of\b/gi, '"must be one of"'],
  ['is of', /\bis of\b/gi, '"has" or "belongs to"'],
  ['look at', /\blook(?:s|ed)? at\b/gi, '"check"'],
  ['looked after', /\blooked after\b/gi, '"processed"'],
  ['meanwhile', /\bmeanwhile\b/gi, '"until then"'],
  ['moment', /\bmoments?\b/gi, '"time" or "timestamp"'],
  ['mostly', /\bmostly\b/gi, '"usually"'],
  ['of its own', /\bof (?:its|their|his) own\b/gi, '"its own" in front of the noun'],
  ['older word', /\bolder words?\b/gi, '"deprecated alias"'],
  ['one that', /\bone that\b/gi, 'the noun'],
  ['put right', /\b(?:puts? \w+ right|puts? right)\b/gi, '"correct"'],
  ['say', /\b(?:says?|said)\b/gi, '"contain", "report" or "return"'],
  ['so that', /\bso that\b/gi, '"so", or a new sentence'],
  ['stands', /\bstands?\b(?!-in)/gi, '"is" or "appears"'],
  ['tell', /\b(?:tells?|told)\b/gi, '"send", "show" or "notify"'],
  ['those that', /\bthose (?:that|who)\b/gi, 'the noun'],
  ['vouch', /\bvouch(?:es|ed)?\b/gi, '"authenticate"'],
  ['what is', /\bwhat (?:is|was)\b/gi, 'a noun'],
  ['write one such as', /\bwrite one such as\b/gi, '"use, for example"'],
];

/** Words that plain English avoids; the ratchet counts the existing cases of each. */
export function findAvoidedWords(project: Project): readonly Finding[] {
  return [
    ...findIn(project, 'avoided-words', readPassages(project)),
    ...findIn(project, 'avoided-words-in-comments', readComments(project)),
  ];
}

function findIn(project: Project, rule: RatchetRule, all: readonly Passage[]): readonly Finding[] {
  const passages = all.filter(({ path }) => path !== ownPath);
  const measures = avoided.flatMap(([name, pattern, instead]) => {
    const positions = passages.flatMap((passage) => positionsIn(passage, pattern));
    // A new word is in a changed file; after the commit, only the list of all positions is certain
    // to contain it.
    const changed = positions.filter(({ path }) => project.isChanged(path));
    const cure = `instead of "${name}" write ${instead}`;
    return (changed.length > 0 ? changed : positions).map(
      (position): Measure => ({
        ...{ key: name, actual: positions.length, most: 0 },
        finding: { ...position, rule, cure },
      }),
    );
  });
  return withRatchet(project, rule, measures);
}

/** The table above has each of them. */
const ownPath = 'scripts/tidy/avoided-words.ts';

function positionsIn(passage: Passage, pattern: RegExp) {
  const { path, text } = passage;
  // Two words of a pattern can be in two lines.
  const oneLine = text.replaceAll('\n', ' ');
  return [...oneLine.matchAll(pattern)].map(({ index }) => ({
    path,
    line: lineIn(passage, index),
  }));
}

export function countAvoided(text: string): number {
  return avoided.reduce((sum, [, pattern]) => sum + [...text.matchAll(pattern)].length, 0);
}
