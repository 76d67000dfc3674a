import { expect, test } from 'vitest';
import { sharedStack } from '../support/shared-stack.ts';
import { consoleOf } from './support/console-of.ts';

const shared = sharedStack();

test('a report of another replica is 404, and the error names the replica to use', async () => {
  const { stack } = shared();
  const [one, other] = [consoleOf(stack)('operator'), consoleOf(stack)('operator')];
  const { status, body } = await one('POST /reports', { kind: 'audit' });
  expect(status).toBe(202);
  expect((await one(`GET /reports/${body.id}`)).status).toBe(200);
  const missing = await other(`GET /reports/${body.id}`);
  expect(missing.status).toBe(404);
  const { instanceId } = stack.service.live;
  expect(missing.body.error.message).toBe(
    `report ${body.id} is not in the process ${instanceId}; reports exist for 1 day, only in the process that created them`,
  );
  expect((await other(`DELETE /reports/${body.id}`, {})).status).toBe(404);
});
