import { type AgentRunRequest, LlmError, metaOf, tool } from '@model-gateway/sdk';
import type { Outcome } from '@model-gateway/simulator';
import { expect, test } from 'vitest';
import { chatOf } from '../support/exchange.ts';
import { onStack } from '../support/on-stack.ts';
import type { Stack, StackOptions } from '../support/stack.ts';

const clock = tool<{ zone: string }>({
  name: 'clock',
  input: { type: 'object', properties: { zone: { type: 'string' } }, required: ['zone'] },
  execute: () => 'noon',
});
const request: AgentRunRequest = {
  model: 'sim-echo',
  maxTokens: 500,
  messages: [{ role: 'user', content: 'How late is it?' }],
  tools: [clock],
};

/** The model calls the tool with these arguments, one turn each, and then finishes. */
function asking(...inputs: readonly string[]): StackOptions {
  const outcomes = inputs.map(
    (text): Outcome => ({ kind: 'answer', toolCalls: [{ name: 'clock', arguments: text }] }),
  );
  return { script: () => outcomes.shift() ?? { kind: 'answer', text: 'It is noon.' } };
}

const good = '{"zone":"UTC"}';
const bad = '{"zone":7}';

async function spentUsd(stack: Stack): Promise<string | undefined> {
  const client = await stack.client('search');
  return (await stack.clock.run(client.usage())).budget?.spentUsd;
}

test(
  'a run’s cost equals the budget’s payment, including repeated bad outputs',
  onStack(
    async (stack) => {
      const client = await stack.client('search', { maxAttempts: 2 });
      const retried: string[] = [];
      const onRetry = ({ error }: { error: LlmError }) => retried.push(error.code);
      const run = client.runAgent(request, { onRetry }).then((result) => result);
      const { turns, costUsd } = await stack.clock.run(run);
      expect({ turns, retried }).toEqual({ turns: 2, retried: ['BAD_OUTPUT'] });
      expect(stack.simulator.bill().total.calls).toBe(3);
      expect(costUsd).toBe(await spentUsd(stack));
    },
    asking(bad, good),
  ),
);

test(
  'a failed run also reports the cost of its last turn',
  onStack(
    async (stack) => {
      const client = await stack.client('search', { maxAttempts: 2 });
      const run = client.runAgent(request).catch((error: unknown) => error);
      const error = await stack.clock.run(run);
      if (!LlmError.is(error)) throw new Error('the run did not fail', { cause: error });
      expect(error).toMatchObject({ code: 'BAD_OUTPUT', attempts: 2, run: { turns: 1 } });
      expect(stack.simulator.bill().total.calls).toBe(3);
      expect(error.run?.costUsd).toBe(await spentUsd(stack));
    },
    asking(good, bad, bad),
  ),
);

test(
  'the client reports the same id as the operator’s log',
  onStack(async (stack) => {
    const client = await stack.client('search');
    const answer = await stack.clock.run(client.chat(chatOf('sim-echo')));
    const failed = client.chat(chatOf('sim-truncated')).catch((error: unknown) => error);
    const error = await stack.clock.run(failed);
    if (!LlmError.is(error)) throw new Error('the call did not fail', { cause: error });
    const lines = stack.logLines.filter(({ message }) => message === 'answered');
    const [first, second] = lines.map(({ fields }) => fields.requestId);
    expect(metaOf(answer)).toMatchObject({ gatewayRequestId: first, replayed: false });
    expect(error.gatewayRequestId).toBe(second);
    expect(error.costUsd).toBe(lines[1]?.fields.costUsd);
  }),
);

test(
  'a replayed response differs from a new one',
  onStack(async (stack) => {
    const client = await stack.client('search');
    const ask = () => client.chat(chatOf('sim-echo'), { idempotencyKey: 'k1' });
    const answers = [await stack.clock.run(ask()), await stack.clock.run(ask())];
    expect(answers.map((answer) => metaOf(answer).replayed)).toEqual([false, true]);
    expect(new Set(answers.map((answer) => metaOf(answer).headers['x-call-id'])).size).toBe(1);
  }),
);
