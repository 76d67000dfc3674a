import { expect, test } from 'vitest';
import { openConsole } from '../support/console.ts';
import { onStack } from '../support/on-stack.ts';

const authorization = 'Basic b3BzOnNlY3JldA==';

test(
  'credentials for a proxy in front keep the session valid, and its changes protected',
  onStack(async (stack) => {
    const { ask } = await openConsole(stack, { role: 'operator' });
    const read = await ask('/admin/v1/apps', { headers: { authorization } });
    expect(read.status).toBe(200);
    const change = { method: 'POST', body: { name: 'nightly', role: 'viewer', days: 30 } };
    const forged = { authorization, 'x-requested-with': undefined };
    expect((await ask('/admin/v1/tokens', { ...change, headers: forged })).status).toBe(403);
    const made = await ask('/admin/v1/tokens', { ...change, headers: { authorization } });
    expect(made.status).not.toBe(403);
    const wrong = await ask('/admin/v1/apps', { headers: { authorization: 'Bearer mgt_wrong' } });
    expect(wrong.status).toBe(401);
    const empty = await ask('/admin/v1/apps', { headers: { authorization: 'Bearer' } });
    expect(empty.status).toBe(401);
  }),
);
