import { expect, test } from 'vitest';
import { chatOf, meetChat } from '../support/exchange.ts';
import { onStack } from '../support/on-stack.ts';

test(
  'a fault before the API ends one request, with a response, a logged cause and a free permit',
  onStack(async (stack) => {
    const { ingress, concurrency } = stack.service;
    const key = await stack.key('search');
    const answer = await ingress.handle({
      ...{ method: 'POST', path: '/v1/chat', remote: undefined },
      header: (name) => (name === 'x-api-key' ? key : undefined),
      isRepeated: () => false,
      announcedBytes: JSON.stringify(chatOf('sim-echo')).length,
      whenAccepted: (run) => run(),
      onKey: () => undefined,
      whenDisconnected: () => undefined,
      readBody: () => Promise.reject(new ReferenceError('nobody thought of this')),
    });
    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.body)).toEqual({
      error: {
        code: 'INTERNAL',
        message: 'The gateway had an internal error; try again in a moment.',
      },
    });
    const lines = stack.logLines.filter(({ fields }) => fields.status === 500);
    expect(lines.map(({ fields }) => fields.cause)).toEqual([
      expect.stringContaining('ReferenceError: nobody thought of this'),
    ]);
    expect(concurrency.load()).toEqual({ requests: 0, bodyBytes: 0 });
    expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
  }),
);
