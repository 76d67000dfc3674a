import process from 'node:process';
import { run } from '../../harness/process.ts';

/** Issues an API key with the gateway's own command line. */
export async function issueKey(parts: {
  readonly launcher: string;
  readonly config: string;
  readonly app: string;
}): Promise<string> {
  const { launcher, config, app } = parts;
  const options = ['--app', app, '--email', 'bench@acme.example', '--json', '--config', config];
  const argv = [launcher, 'keys', 'issue', ...options];
  const stdout = await run(process.execPath, argv);
  const issued: { readonly key?: unknown } = JSON.parse(stdout);
  if (typeof issued.key !== 'string') throw new Error('keys issue printed no key');
  return issued.key;
}
