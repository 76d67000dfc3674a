import { expect, test } from 'vitest';
import { runCommand } from '../packages/server/src/cli/program.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { createIds } from '../packages/server/src/lib/id.ts';
import { deskYaml, openDesk } from '../packages/server/test/cli/support/desk.ts';
import { startReceiver } from '../packages/server/test/notify/support/receiver.ts';
import { secret } from '../packages/server/test/notify/support/webhooks.ts';
import {
  codeBlocks,
  readRepositoryFile,
  sectionOf,
  tableRows,
  withoutQuotes,
} from './testing/markdown.ts';
import { eventOf } from './webhook.ts';

const document = readRepositoryFile('docs/notify.md');

test('the commands and the receiver of docs/notify.md do what the text describes', async () => {
  expect(codeBlocks(document, 'ts')).toEqual([readRepositoryFile('examples/webhook.ts')]);
  const { received, url } = await startReceiver((response) => response.end());
  const webhook = `{ name: ops, url: "${url}", secret: ${secret}, allowPrivate: true }`;
  const desk = await openDesk({ yaml: `${deskYaml}notify: [${webhook}]\n` });
  const lines = codeBlocks(document, 'sh').join('').trim().split('\n');
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    const printed: string[] = [];
    const print = (text: string) => void printed.push(text);
    const exitCode = await runCommand(line.split(' ').slice(2), {
      ...{ clock: systemClock, ids: createIds(systemClock), print, warn: print },
      environment: { MODEL_GATEWAY_CONFIG: desk.file },
      readStandardInput: async () => '',
    });
    expect(exitCode, printed.join('\n')).toBe(0);
  }
  const [got] = received;
  const headers = Object.fromEntries(
    Object.entries(got?.headers ?? {}).map(([name, value]) => [name, String(value)]),
  );
  const [shown = ''] = codeBlocks(document, 'json');
  const timestamp = expect.any(String);
  expect(eventOf(got?.body ?? '', headers, secret)).toEqual({ ...JSON.parse(shown), timestamp });
  const rows = tableRows(sectionOf(document, 'Request format'));
  for (const [name] of rows) expect(headers[withoutQuotes(name)]).toBeDefined();
  expect(rows).toHaveLength(3);
  await desk.close();
});
