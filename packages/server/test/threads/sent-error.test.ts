import { expect, test } from 'vitest';
import { UsageError } from '../../src/cli/process/usage-error.ts';
import { failureOf } from '../../src/cli/report-failure.ts';
import { receivedError, sentError } from '../../src/cli/threads/sent-error.ts';
import { CompositionError } from '../../src/compose/composition-error.ts';
import { AdminError } from '../../src/operations/context/admin-error.ts';
import { StoreError } from '../../src/store/port/port.ts';

const crossed = (error: unknown) => receivedError(structuredClone(sentError(error)));

test.each([
  [new UsageError('cannot listen'), 'usage'],
  [new CompositionError(['one', 'two']), 'usage'],
  [new AdminError('it has money'), 'refused'],
  [new AdminError('no such app', { isBadValue: true }), 'usage'],
  [new StoreError('too many clients'), 'refused'],
])('an operator’s message is the same in a line of another thread: %s', (error, kind) => {
  expect(failureOf(crossed(error))).toEqual({ message: error.message, kind });
});

test('a bug keeps its stack', () => {
  const bug = new TypeError('x is not a function');
  const received = crossed(bug);
  expect(() => failureOf(received)).toThrow('x is not a function');
  expect(received.stack).toBe(bug.stack);
  expect(crossed('text').message).toBe('text');
});
