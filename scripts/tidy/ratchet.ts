import type { Finding } from './finding.ts';
import type { Project } from './project.ts';

/** The file of exceptions. They may only shrink. */
export const ratchetPath = 'scripts/tidy-ratchet.json';

/** The rules with exceptions: path to allowed number, or a name to 1. */
export const ratchetRules = [
  'avoided-words',
  'avoided-words-in-comments',
  'file-lines',
  'hidden-casts',
  'long-lines',
  'long-sentences',
  'scenario',
  'waits',
] as const;

/** A rule that may have exceptions. */
export type RatchetRule = (typeof ratchetRules)[number];

/** A measured value that must be at most `most`, except for an exception under `key`. */
export interface Measure {
  readonly key: string;
  readonly actual: number;
  readonly most: number;
  readonly finding: Finding;
}

/** The findings among the measures of a rule, and the exceptions that are larger than needed. */
export function withRatchet(
  project: Project,
  rule: RatchetRule,
  measures: readonly Measure[],
): readonly Finding[] {
  const allowed = readRatchet(project, rule);
  const breaches = measures
    .filter(({ key, actual, most }) => actual > Math.max(most, allowed.get(key) ?? 0))
    .map(({ key, actual, finding }) => {
      const number = allowed.get(key);
      if (number === undefined) return finding;
      return { ...finding, cure: `${finding.cure} (${actual} here, ${number} allowed)` };
    });
  const slack = [...allowed].flatMap(([key, number]) => {
    const needed = measures
      .filter((measure) => measure.key === key && measure.actual > measure.most)
      .map(({ actual }) => actual);
    const to = Math.max(0, ...needed);
    if (to >= number) return [];
    const todo = to === 0 ? 'remove it, nothing needs it any more' : `lower it to ${to}`;
    const cure = `${key} is allowed ${number}: ${todo}`;
    return [{ path: ratchetPath, line: 1, rule, cure, lower: { key, to } }];
  });
  return [...breaches, ...slack];
}

/** The text of the ratchet with the ceilings of the findings lowered. */
export function lowerRatchet(text: string, findings: readonly Finding[]): string {
  const list: Record<string, Record<string, number>> = JSON.parse(text);
  for (const { rule, lower } of findings) {
    const limits = list[rule];
    if (lower === undefined || limits === undefined) continue;
    if (lower.to === 0) delete limits[lower.key];
    else limits[lower.key] = lower.to;
  }
  return `${JSON.stringify(list, null, 2)}\n`;
}

function readRatchet(project: Project, rule: RatchetRule): ReadonlyMap<string, number> {
  const text = project.text(ratchetPath);
  const list: unknown = text === undefined ? {} : JSON.parse(text);
  const entries: [string, number][] = [];
  for (const [key, value] of Object.entries(section(list, rule))) {
    if (typeof value === 'number') entries.push([key, value]);
  }
  return new Map(entries);
}

function section(list: unknown, rule: RatchetRule): object {
  const entry = Object.entries(typeof list === 'object' && list !== null ? list : {}).find(
    ([key]) => key === rule,
  )?.[1];
  return typeof entry === 'object' && entry !== null ? entry : {};
}
