import assert from 'node:assert';
import type { Environment } from '../../src/config/choose-file.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Config } from '../../src/domain/config.ts';

const file = '/etc/gateway/gateway.yaml';

/** The configuration of a text. */
export function configOf(text: string, environment: Environment = {}): Config {
  const loaded = loadConfig({ file, environment, readFile: () => text });
  assert('config' in loaded, 'problems' in loaded ? loaded.problems.join('\n') : '');
  return loaded.config;
}

/** The problems of a text. */
export function problemsOf(text: string, environment: Environment = {}): readonly string[] {
  const loaded = loadConfig({ file, environment, readFile: () => text });
  return 'problems' in loaded ? loaded.problems : [];
}

/** The smallest valid file, with more lines after it. */
export function fileWith(lines = ''): string {
  return `company: acme\nplatforms:\n  sandbox: { kind: simulator }\n${lines}`;
}
