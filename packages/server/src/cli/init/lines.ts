import type { Config } from '../../domain/config.ts';
import { listedNames } from '../../lib/nearest.ts';
import { firstCallLine } from '../../operations/keys/sample-keys.ts';
import type { Answers } from './ask-platforms.ts';
import { configOption } from './new-file.ts';

export interface FirstDocument {
  readonly file: string;
  readonly apps: readonly string[];
  readonly platforms: readonly string[];
  /** By platform; null without one. */
  readonly projects: Readonly<Record<string, string | null>>;
  /** Shown only this once. */
  readonly key: string;
  /** For the first call; null where no platform lists one. */
  readonly model: string | null;
}

export function firstLines(
  { file, apps: [app = ''], platforms, projects, key, model }: FirstDocument,
  parts: {
    readonly config: Config;
    readonly answers: readonly Answers[];
    readonly unbound: readonly Answers[];
  },
): readonly string[] {
  const { config, answers, unbound } = parts;
  const { place, option } = configOption(file);
  const run = `npx model-gateway`;
  const { host, port } = config.listen;
  const bound = Object.entries(projects).filter(([, id]) => id !== null);
  const problems = answers.flatMap(({ check }) => (check.problem === null ? [] : [check.problem]));
  return [
    `Wrote ${place}: ${platforms.join(', ')}, and the app ${app} with a budget of $5 a day.`,
    ...bound.map(([platform, id]) => `Calls of ${app} on ${platform} are billed to ${id}.`),
    ...problems.map(
      (problem) => `Not checked: ${problem}. Check later: ${run} platforms check${option}`,
    ),
    '',
    `The key of ${app} (shown this once; only its hash is stored):`,
    `  ${key}`,
    '',
    'Next:',
    ...unbound.flatMap(({ platform: { name, projectHint } }) => [
      `  ${run} projects bind ${app} ${name} ID${option}`,
      `    calls of ${app} on ${name} are rejected until this names their project: ${projectHint}`,
    ]),
    `  ${run} serve${option}`,
    ...(model === null
      ? ['    add a model to the file first: no platform lists one']
      : [
          '',
          'A first call, in a second terminal:',
          '',
          firstCallLine(`http://${host}:${port}`, key, { model, maxTokens: 2_000 }),
        ]),
  ];
}

export function sampleLines({
  file,
  apps,
}: {
  file: string;
  apps: readonly string[];
}): readonly string[] {
  const { place, option } = configOption(file);
  return [
    `Wrote ${place}: the simulator as the only platform, so nothing is billed, and the apps`,
    `${listedNames(apps)}.`,
    '',
    'Next:',
    `  npx model-gateway serve${option}`,
    '    starts it; the first start prints a key for each app and a call to paste',
    `  npx model-gateway platforms check${option}`,
    '    once you have put a platform of yours into the file, and its key into the environment',
    `  npx model-gateway keys issue --app ${apps[0] ?? 'NAME'} --email YOU@YOUR-COMPANY${option}`,
    '    makes a key for a service that is to call',
  ];
}
