import { expect, test } from 'vitest';
import { isForPeople, readableLines } from '../../src/cli/service-log.ts';
import { createLog } from '../../src/lib/log.ts';
import { logLines } from '../../src/store/schema/log-lines.ts';

/** The text that a person reads, without the times of day. */
function linesOf(write: (log: ReturnType<typeof createLog>) => void): readonly string[] {
  const texts: string[] = [];
  const destination = readableLines((text) => void texts.push(text));
  write(createLog({ level: 'info', destination }));
  return texts.map((text) => text.replace(/^\d\d:\d\d:\d\d\.\d{3} /, ''));
}

test('a line is a level, a message and the relevant fields', () => {
  const fields = { status: 200, tookMs: 1.25, callId: undefined, costUsd: null, isLate: false };
  const lines = linesOf((log) => {
    log.request({ route: 'chat', ...fields }, 'answered');
    log.warn({ apps: ['a', 'b'], file: 'the one' }, 'look here');
  });
  expect(lines).toEqual([
    'INFO  answered route=chat status=200 tookMs=1.25 isLate=false\n',
    'WARN  look here apps=["a","b"] file="the one"\n',
  ]);
});

test('copies of the audit log are only for log collectors', () => {
  const lines = linesOf((log) => {
    logLines(log)([auditLine]);
    log.info({}, 'shown');
  });
  expect(lines).toEqual(['INFO  shown\n']);
});

const auditLine = {
  ...{ id: 'log_1', at: 0, actor: 'cli:ann', action: 'app.create', subject: 'search' },
  ...{ before: undefined, after: '{}', seq: 1, kid: 'k1', hmac: 'h' },
};

test('a field with a secret’s name is not shown, and nothing controls the terminal', () => {
  const [line] = linesOf((log) =>
    log.error({ key: 'mgk_secret', app: '\u202eevil\u001b[2J' }, 'x'),
  );
  expect(line).toBe('ERROR x key=[Redacted] app=�evil�[2J\n');
});

test.each([
  { format: undefined, isTerminal: true, isReadable: true },
  { format: undefined, isTerminal: false, isReadable: false },
  { format: 'json', isTerminal: true, isReadable: false },
  { format: 'text', isTerminal: false, isReadable: true },
])('format $format, terminal $isTerminal: readable $isReadable', (one) => {
  expect(isForPeople(one.format, one.isTerminal)).toBe(one.isReadable);
});
