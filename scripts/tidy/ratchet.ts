import type { Finding } from './finding.ts';
import type { Project } from './project.ts';

/** Where the exceptions are kept. They may only shrink. */
export const ratchetPath = 'scripts/tidy-ratchet.json';

/** What may have exceptions: path to allowed number, or a name to 1. */
export const ratchetRules = ['file-lines', 'long-lines', 'scenario'] as const;

/** A rule that may have exceptions. */
export type RatchetRule = (typeof ratchetRules)[number];

/** Something measured that must be at most `most`, save for an exception under `key`. */
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
    .map(({ finding }) => finding);
  const slack = [...allowed].flatMap(([key, number]) => {
    const cure = slackCure(
      number,
      measures.filter((measure) => measure.key === key),
    );
    if (cure === undefined) return [];
    return [{ path: ratchetPath, line: 1, rule, cure: `${key} is allowed ${number}: ${cure}` }];
  });
  return [...breaches, ...slack];
}

function slackCure(allowed: number, measures: readonly Measure[]): string | undefined {
  const needed = measures.filter(({ actual, most }) => actual > most).map(({ actual }) => actual);
  if (needed.length === 0) return 'remove it, nothing needs it any more';
  const most = Math.max(...needed);
  return most < allowed ? `lower it to ${most}` : undefined;
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
  const found = Object.entries(typeof list === 'object' && list !== null ? list : {}).find(
    ([key]) => key === rule,
  )?.[1];
  return typeof found === 'object' && found !== null ? found : {};
}
