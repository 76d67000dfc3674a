import type { AdminContext } from '../admin/context.ts';
import { issueKey } from '../admin/keys.ts';
import type { Config } from '../domain/config.ts';
import { selectApps, selectKeys } from '../registry/queries.ts';
import { sampleEmail } from './sample-keys.ts';

/** A key that the first start made. */
export interface SampleKey {
  readonly app: string;
  readonly key: string;
  /** True for an app that a call needs nothing but a key for. */
  readonly isPlain: boolean;
}

/** The model of the curl line: it repeats what it is told. */
const sampleModel = 'sim-echo';

/**
 * Issues a key for each app when the store has none yet and nothing can cost money: only
 * simulators are configured.
 */
export async function issueSampleKeys(
  admin: AdminContext,
  config: Pick<Config, 'platforms'>,
): Promise<readonly SampleKey[]> {
  if (config.platforms.some(({ kind }) => kind !== 'simulator')) return [];
  if ((await admin.store.read(selectKeys)).length > 0) return [];
  const keys: SampleKey[] = [];
  for (const app of await admin.store.read(selectApps(admin.company))) {
    const email = sampleEmail(app.name);
    const { key } = await issueKey(admin, { app: app.name, email, isSample: true });
    const isAllowed = app.models?.has(sampleModel) ?? true;
    keys.push({ app: app.name, key, isPlain: app.credits === undefined && isAllowed });
  }
  return keys;
}

/** What the first start prints: the keys, once, and a call to paste. */
export function welcome(url: string, keys: readonly SampleKey[]): readonly string[] {
  const sample = keys.find((key) => key.isPlain);
  if (sample === undefined) return [];
  const width = Math.max(...keys.map(({ app }) => app.length));
  const body = JSON.stringify({
    model: sampleModel,
    maxTokens: 100,
    messages: [{ role: 'user', content: 'Hello, gateway!' }],
  });
  return [
    '',
    'Keys of the sample apps (shown this once; only their hashes are stored):',
    ...keys.map(({ app, key }) => `  ${app.padEnd(width)}  ${key}`),
    '',
    'A first call, answered by the simulator, free:',
    '',
    `curl -s ${reachable(url)}/v1/chat -H 'x-api-key: ${sample.key}' -H 'content-type: application/json' -d '${body}'`,
    '',
  ];
}

/** What to do next where nobody can call yet: no app has a key. Empty where somebody can. */
export async function keyHint({ store, company }: AdminContext): Promise<readonly string[]> {
  if ((await store.read(selectKeys)).some(({ isEnabled }) => isEnabled)) return [];
  const apps = await store.read(selectApps(company));
  const app = apps.find(({ isEnabled }) => isEnabled);
  const create = 'npx model-gateway apps create NAME --daily-budget-usd 5';
  const name = app?.name ?? 'NAME';
  const issue = `npx model-gateway keys issue --app ${name} --email YOU@YOUR-COMPANY`;
  return [
    '',
    'Nobody can call yet, since no key exists. Next, also while this runs:',
    ...(app === undefined ? [`  ${create}`] : []),
    `  ${issue}`,
    '',
  ];
}

/** A service that listens on every address is reached here by one of them. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
