import process from 'node:process';
import { expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { rootWarning } from '../../src/cli/start-warnings.ts';
import { startServed } from '../support/process.ts';
import { openDesk } from './support/desk.ts';

test('root gets the advice to start the service as another user', () => {
  expect(rootWarning(0)).toMatch(/runs as root .* use a dedicated user/);
});

test('a user without rights gets no advice, nor does a system without such users', () => {
  expect(rootWarning(1_000)).toBeUndefined();
  const { geteuid } = process;
  process.geteuid = () => 1_000;
  expect(rootWarning()).toBeUndefined();
  Reflect.deleteProperty(process, 'geteuid');
  expect(rootWarning()).toBeUndefined();
  if (geteuid !== undefined) process.geteuid = geteuid;
});

test('a service started by root logs it once, any other never', async () => {
  const desk = await openDesk();
  const served = await startServed(['serve', '--config', desk.file], { cwd: desk.folder });
  expect(await served.end('SIGTERM')).toBe(0);
  // The log's last lines are written when the process ends.
  await until(() => served.log().includes('"stopped"'), served.log);
  const said = served
    .log()
    .split('\n')
    .filter((line) => line.includes('runs as root'));
  expect(said).toHaveLength(process.geteuid?.() === 0 ? 1 : 0);
  for (const line of said) expect(JSON.parse(line)).toMatchObject({ level: 'warn' });
  await desk.close();
});
