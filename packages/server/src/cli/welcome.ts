import { firstCallLine, reachableUrl, type SampleKey } from '../operations/keys/sample-keys.ts';

export function welcomeLines(url: string, keys: readonly SampleKey[]): readonly string[] {
  const sample = keys.find((key) => key.isPlain);
  if (sample === undefined) return [];
  const width = Math.max(...keys.map(({ app }) => app.length));
  return [
    '',
    'Keys of the sample apps (shown this once; only their hashes are stored):',
    ...keys.map(({ app, key }) => `  ${app.padEnd(width)}  ${key}`),
    '',
    'A first call, answered by the simulator, free:',
    '',
    firstCallLine(reachableUrl(url), sample.key),
    '',
  ];
}

/** Empty where an app has a key. */
export function keyHintLines(
  caller: { readonly app: string | undefined } | undefined,
): readonly string[] {
  if (caller === undefined) return [];
  const { app } = caller;
  const create = 'npx model-gateway apps create NAME --daily-budget-usd 5';
  const issue = `npx model-gateway keys issue --app ${app ?? 'NAME'} --email YOU@YOUR-COMPANY`;
  return [
    '',
    'No app can call yet: there is no API key. Next, also while this runs:',
    ...(app === undefined ? [`  ${create}`] : []),
    `  ${issue}`,
    '',
  ];
}
