import { expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { expectClean, readCalls } from '../support/books.ts';
import { chatOf } from '../support/exchange.ts';
import { onStack } from '../support/on-stack.ts';
import { defaultYaml } from '../support/stack.ts';

const yaml = `${defaultYaml}
streaming: true
limits: { stopMs: 3000 }
`;
const text = 'Some words that come one by one, and are not told to their end.';
const stream = { gapMs: 1_000 };

test(
  'a stop lets streams run for its time, ends them with SERVER, and books the most they cost',
  onStack(
    async (stack) => {
      const response = await stack.post('search', '/v1/chat/stream', chatOf('sim-echo'));
      const { clock, service } = stack;
      const [body] = await Promise.all([response.text(), clock.run(service.stop())]);
      const [, data = ''] = /event: error\ndata: (.*)\n/.exec(body) ?? [];
      const [call] = await readCalls(stack.store, 'search', utcDayOf(clock.now()));
      expect(call).toMatchObject({ code: 'SERVER', basis: 'estimated' });
      expect(body.match(/event: text/g)?.length).toBeGreaterThan(2);
      expect(JSON.parse(data)).toMatchObject({
        error: { code: 'SERVER', model: 'sim-echo' },
        ...{ usage: null, cost: { estimated: true }, partial: true },
      });
      await expectClean(stack);
    },
    { yaml, script: () => ({ kind: 'answer', text, stream }) },
  ),
);
