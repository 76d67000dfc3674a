import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { run } from '../../../../harness/process.ts';
import { answering, startScriptedServer } from './support/scripted-server.ts';

it('a lack of descriptors differs from a platform that is down', async () => {
  const server = await startScriptedServer(answering(200, '{}'));
  const script = fileURLToPath(new URL('support/out-of-descriptors.ts', import.meta.url));
  const command = `ulimit -n 64 && exec "${process.execPath}" "${script}" ${server.url}`;
  const stdout = await run('bash', ['-c', command]);
  expect(stdout.trim()).toBe('no-descriptors EMFILE false');
  await server.close();
});
