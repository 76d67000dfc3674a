import { describe, expect, test } from 'vitest';
import { LlmError, tool } from '../src/index.ts';
import { messagesOf, runRequest, turn } from './agent-script.ts';
import { failure, openScripted } from './scripted-client.ts';

const executed: unknown[] = [];
const wipe = tool<object>({
  name: 'wipe',
  input: { type: 'object' },
  execute: (input) => void executed.push(input),
});
const request = { ...runRequest, tools: [wipe] };
const calls = [1, 2, 3].map((disk) => ({ name: 'wipe', input: { disk } }));
const steps = () => [turn({ calls }), turn({ text: 'Done.' })];

describe('a tool that needs approval', () => {
  test('is executed, or denied with a reason for the model', async () => {
    executed.length = 0;
    const requested: unknown[] = [];
    const { client, runtime, script } = openScripted(steps());
    const onToolCall = async (call: { id: string; name: string }, number: number) => {
      requested.push([number, call.id, executed.length]);
      return { 'call-1': undefined, 'call-2': false, 'call-3': 'That disk is in use.' }[call.id];
    };
    const settled = await runtime.settle(client.runAgent(request, { onToolCall }));
    expect(settled).toMatchObject({ kind: 'answer', answer: { text: 'Done.' } });
    // All approvals are requested before a tool is executed.
    expect(requested).toEqual([
      ...[
        [1, 'call-1', 0],
        [1, 'call-2', 0],
        [1, 'call-3', 0],
      ],
    ]);
    expect(executed).toEqual([{ disk: 1 }]);
    expect(messagesOf(script.seen[1]).slice(-3)).toEqual([
      { role: 'tool', toolCallId: 'call-1', content: 'null' },
      { role: 'tool', toolCallId: 'call-2', content: 'It was denied.' },
      { role: 'tool', toolCallId: 'call-3', content: 'That disk is in use.' },
    ]);
  });

  test('can wait: an exception of onToolCall ends the run, which can be resumed', async () => {
    executed.length = 0;
    const { client, runtime, script } = openScripted(steps());
    const pause = new LlmError({ message: 'ask a person', status: 0, code: 'PAUSED', attempts: 0 });
    const onToolCall = () => {
      throw pause;
    };
    const error = failure(await runtime.settle(client.runAgent(request, { onToolCall })));
    expect(error).toBe(pause);
    expect(executed).toEqual([]);
    const resume = JSON.parse(JSON.stringify(error.run));
    const again = client.runAgent(request, { resume, onToolCall: () => true });
    expect(await runtime.settle(again)).toMatchObject({ answer: { text: 'Done.', turns: 2 } });
    expect(executed).toHaveLength(3);
    expect(script.seen).toHaveLength(2);
  });

  test('ends with the run during the request; a non-function is a TypeError', async () => {
    const { client, runtime } = openScripted(steps());
    const options = { runTimeoutMs: 50, onToolCall: () => new Promise(() => {}) };
    const error = failure(await runtime.settle(client.runAgent(request, options)));
    expect(error).toMatchObject({ code: 'TIMEOUT', run: { turns: 1 } });
    const wrong: unknown = Reflect.apply(client.runAgent, undefined, [request, { onToolCall: 7 }]);
    await expect(wrong).rejects.toThrow(/onToolCall must be a function that takes a call/);
  });
});
