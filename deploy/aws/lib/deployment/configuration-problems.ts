import { loadConfig } from '../../../../packages/server/src/config/load-config.ts';
import { configurationText, nameOfVariable } from '../gateway/configuration.ts';
import { timesOf } from '../times.ts';
import type { Deployment } from './properties.ts';

/**
 * The errors of the service itself for its configuration. Values that only AWS has are replaced, so
 * a key with a secret is not checked.
 */
export function configurationProblems(deployment: Deployment): readonly string[] {
  const file = 'gateway.yaml';
  const text = configurationText(deployment, timesOf(deployment));
  const environment = standIns(deployment);
  const loaded = loadConfig({ file, text, environment, readFile: () => '' });
  if (!('problems' in loaded)) return [];
  const configuration: unknown = JSON.parse(text);
  return loaded.problems
    .filter((problem) => !isOfSecret(problem, configuration, Object.keys(deployment.secrets)))
    .map((problem) => `${file}: ${problem}`);
}

function standIns({ apps, platforms, secrets }: Deployment): Record<string, string> {
  const named = (names: readonly string[], value: string) =>
    Object.fromEntries(names.map((name) => [name, value]));
  const projects = apps.map(({ name }) => [
    nameOfVariable('PROJECT', name),
    `proj_${name.replaceAll('-', '0')}`,
  ]);
  const keys = Object.keys(platforms).map((name) => nameOfVariable('PLATFORM', name));
  return {
    ...Object.fromEntries(projects),
    ...named([...keys, ...Object.keys(secrets), 'DATABASE_PASSWORD'], 'secret'),
    ...{ DATABASE_HOST: 'database', DATABASE_URL: 'postgres://database/gateway' },
  };
}

/** Whether the value at a problem's path contains a secret, which is unavailable here. */
function isOfSecret(problem: string, configuration: unknown, secrets: readonly string[]): boolean {
  const [path = ''] = problem.split(': ', 1);
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  const value = keys.reduce<unknown>(
    (found, key) => (typeof found === 'object' && found !== null ? Reflect.get(found, key) : found),
    configuration,
  );
  return typeof value === 'string' && secrets.some((name) => value.includes(`{${name}}`));
}
