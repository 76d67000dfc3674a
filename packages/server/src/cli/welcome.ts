import { firstCallLine, reachableUrl, type SampleKey } from '../operations/keys/sample-keys.ts';

export function welcomeLines(url: string, keys: readonly SampleKey[]): readonly string[] {
  const sample = keys.find((key) => key.isPlain);
  if (sample === undefined) return [];
  const width = Math.max(...keys.map(({ app }) => app.length));
  return [
    '',
    'API keys of the sample apps (shown only now; only hashes are stored):',
    ...keys.map(({ app, key }) => `  ${app.padEnd(width)}  ${key}`),
    '',
    'Try a first call (free, answered by the simulator):',
    '',
    firstCallLine(reachableUrl(url), sample.key),
    '',
  ];
}

/** Empty if an app has a key. */
export function keyHintLines(
  caller: { readonly app: string | undefined } | undefined,
): readonly string[] {
  if (caller === undefined) return [];
  const { app } = caller;
  const create = 'npx model-gateway apps create NAME --daily-budget-usd 5';
  const issue = `npx model-gateway keys issue --app ${app ?? 'NAME'} --email YOU@YOUR-COMPANY`;
  return [
    '',
    'No API key exists yet. In another terminal, run:',
    ...(app === undefined ? [`  ${create}`] : []),
    `  ${issue}`,
    '',
  ];
}
