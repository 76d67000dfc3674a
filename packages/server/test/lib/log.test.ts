import { expect, test } from 'vitest';
import { createLog } from '../../src/lib/log.ts';

function recorded(level: string) {
  const lines: string[] = [];
  const log = createLog({ level, destination: { write: (line) => void lines.push(line) } });
  return { log, lines };
}

const fields = {
  requestId: 'req_1',
  path: '/v1/"chat"\n',
  status: 200,
  tookMs: 1.25,
  callId: undefined,
  costUsd: null,
  estimated: false,
};

test('a request line is like all others', () => {
  const { log, lines } = recorded('info');
  log.request(fields, 'answered');
  log.info(fields, 'answered');
  const [request, other] = lines.map((line) => ({ ...JSON.parse(line), time: 'some time' }));
  expect(request).toEqual(other);
  expect(Object.keys(request)).toEqual(Object.keys(other));
  expect(lines[0]).toMatch(
    /^\{"level":"info","time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z",.*\}\n$/,
  );
});

test('a log of warnings has no line for requests', () => {
  const { log, lines } = recorded('warn');
  log.request(fields, 'answered');
  log.warn(fields, 'look here');
  expect(lines).toHaveLength(1);
});

test('a field with a secret’s name is not shown', () => {
  const { log, lines } = recorded('info');
  log.info({ key: 'mgk_secret', platform: { apiKey: 'sk-secret' } }, 'told');
  expect(lines.join('')).not.toContain('secret');
});
