import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { endOf } from '../../harness/process.ts';
import { rootFolder } from '../image/base.ts';
import { configurationOf, type Manifest, podOf } from './manifests.ts';

const launcher = join(rootFolder, 'packages/server/bin/model-gateway.js');
const keyRing = `2026:${'0123456789abcdef'.repeat(4)}`;

/** The contents of the Secrets in the values files, by the variable that a file of them becomes. */
export const secretTexts: Readonly<Record<string, string>> = {
  DATABASE_PASSWORD: 'password',
  MODEL_GATEWAY_STORE: 'postgres://gateway:password@postgres:5432/gateway?sslmode=verify-full',
  MODEL_GATEWAY_KEYS: keyRing,
  HOSTED_KEY: 'key-of-the-platform',
  HOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
};

/**
 * The errors of the service's own `config check` for a rendering's configuration; empty if it
 * accepts it. The pod's variables are set, and files replace its Secrets.
 */
export async function configurationProblems(
  manifests: readonly Manifest[],
  folder: string,
): Promise<string> {
  const text = configurationOf(manifests);
  if (text === undefined) return 'it renders no configuration';
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'gateway.yaml');
  await writeFile(file, text);
  const environment = { ...(await environmentOf(manifests, folder)), MODEL_GATEWAY_CONFIG: file };
  const argv = [launcher, 'config', 'check'];
  const { code, output } = await endOf(process.execPath, argv, { environment });
  return code === 0 ? '' : output;
}

async function environmentOf(manifests: readonly Manifest[], folder: string) {
  const variables = podOf(manifests).containers.flatMap(({ env = [] }) => env);
  const environment: Record<string, string> = {};
  for (const { name, value } of variables) {
    const secret = name.replace(/_FILE$/, '');
    if (secret === name) environment[name] = value;
    else {
      environment[name] = join(folder, secret);
      const text = secretTexts[secret];
      if (text === undefined) throw new Error(`the check has no secret ${secret}`);
      await writeFile(join(folder, secret), text);
    }
  }
  return environment;
}
