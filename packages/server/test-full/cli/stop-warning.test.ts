import { writeFile } from 'node:fs/promises';
import { defaultLimits } from '@model-gateway/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { stopWarning } from '../../src/cli/start-warnings.ts';
import { defaultStreamLimits } from '../../src/domain/limits.ts';
import { type Desk, openDesk } from '../../test/cli/support/desk.ts';
import { startServed } from '../../test/support/process.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

const yaml = (more: string) => `
company: acme
listen: { port: 0 }
admin: { port: 0 }
platforms: { sandbox: { kind: simulator } }
${more}
`;

test.each([
  [{ stopMs: 25_000, totalMs: 300_000 }, true, /totalMs \(300000 ms\).*stopMs \(25000 ms\)/],
  [{ stopMs: 299_999, totalMs: 300_000 }, true, /longer streams and books them as estimated/],
  [{ stopMs: 300_000, totalMs: 300_000 }, true, undefined],
  [{ stopMs: 25_000, totalMs: 300_000 }, false, undefined],
])('%o with streams %s', ({ stopMs, totalMs }, hasStreams, said) => {
  const streams = { ...defaultStreamLimits, totalMs };
  const warning = stopWarning({ ...defaultLimits, stopMs, streams }, hasStreams);
  if (said === undefined) expect(warning).toBeUndefined();
  else expect(warning).toMatch(said);
});

test('a check reports it for the file, and startup for the apps that stream', async () => {
  await writeFile(desk.file, yaml('streaming: true'));
  const checked = await desk.run(['config', 'check', desk.file]);
  expect(checked).toMatchObject({
    code: 0,
    errors: [expect.stringContaining('a shutdown cancels longer streams')],
  });
  await writeFile(desk.file, yaml('apps: [{ name: search, streaming: true }]'));
  expect(await warned()).toBe(true);
  await writeFile(desk.file, yaml('apps: [{ name: search, streaming: false }]'));
  expect(await warned()).toBe(false);
});

async function warned(): Promise<boolean> {
  const served = await startServed(['serve'], { cwd: desk.folder });
  expect(await served.end('SIGTERM')).toBe(0);
  // The log's last lines arrive when the process ends.
  await until(() => served.log().includes('"stopped"'));
  return served.log().includes('a shutdown cancels longer streams and books them as estimated');
}
