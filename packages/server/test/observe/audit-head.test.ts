import { expect, test } from 'vitest';
import { openDesk } from '../cli/support/desk.ts';
import { onStack } from '../support/on-stack.ts';

test(
  'a service tells its log every hour how far the audit log has come',
  onStack(async ({ clock, logLines, store }) => {
    const said = () => logLines.filter(({ message }) => message === 'the head of the audit log');
    await clock.advance(3_600_000);
    expect(said().map(({ fields }) => fields)).toEqual([
      { seq: expect.any(Number), kid: store.ring?.newest, hmac: expect.any(String) },
    ]);
    await clock.advance(3_600_000);
    expect(said().length).toBe(2);
  }),
);

test('a command copies what it changes to standard error where a log is asked for', async () => {
  const desk = await openDesk({ environment: { MODEL_GATEWAY_LOG: 'info' } });
  const quiet = await openDesk();
  try {
    const create = ['apps', 'create', 'other', '--json', '--config'];
    const { code, errors } = await desk.run([...create, desk.file]);
    expect(code).toBe(0);
    const lines = errors.map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({
      ...{ level: 'info', msg: 'audit line', action: 'app.create', subject: 'other' },
      ...{ seq: lines.length, kid: expect.stringMatching(/^made-/), hmac: expect.any(String) },
    });
    expect((await quiet.run([...create, quiet.file])).errors).toEqual([]);
  } finally {
    await Promise.all([desk.close(), quiet.close()]);
  }
});
