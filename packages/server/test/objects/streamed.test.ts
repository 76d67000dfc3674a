import { describe, expect, test } from 'vitest';
import { agentOf } from '../agents/ask.ts';
import { expectClean } from '../support/books.ts';
import { onStack } from '../support/on-stack.ts';
import type { Stack } from '../support/stack.ts';
import { modes, modesYaml, objectOf } from './ask.ts';

const options = { yaml: `${modesYaml}\nstreaming: true\n` };

/** The events of a stream of the app `search`: names and data. */
async function streamOf(stack: Stack, path: string, body: object) {
  const response = await stack.post('search', path, body);
  const text = await stack.clock.run(response.text());
  return text.split('\n\n').flatMap((event) => {
    const [, name] = /^event: (\w+)$/m.exec(event) ?? [];
    const [, data] = /^data: (.*)$/m.exec(event) ?? [];
    return name === undefined || data === undefined ? [] : [{ name, data: JSON.parse(data) }];
  });
}

describe('a streamed object', () => {
  test.each(modes)('is shown as the JSON that it is parsed from: $mode', async ({ model }) => {
    await onStack(async (stack) => {
      const events = await streamOf(stack, '/v1/objects/stream', objectOf(model));
      const shown = events.filter(({ name }) => name === 'json').map(({ data }) => data.text);
      const last = events.at(-1);
      expect(last?.name).toBe('finish');
      expect(JSON.parse(shown.join(''))).toEqual(last?.data.object);
      expect(events.map(({ name }) => name)).not.toContain('text');
      await expectClean(stack);
    }, options)();
  });

  test(
    'that does not fit is an error after it was shown',
    onStack(async (stack) => {
      const events = await streamOf(stack, '/v1/objects/stream', objectOf('sim-wrong-shape'));
      const last = events.at(-1);
      expect(last).toMatchObject({ name: 'error', data: { error: { code: 'BAD_OUTPUT' } } });
      expect(last?.data.cost.estimated).toBe(false);
      expect(events.map(({ name }) => name)).toContain('json');
      await expectClean(stack);
    }, options),
  );
});

describe('a streamed agent turn', () => {
  test(
    'sends its tool calls complete, after they have been checked',
    onStack(async (stack) => {
      const events = await streamOf(stack, '/v1/agents/stream', agentOf('sim-echo'));
      const told = events.filter(({ name }) => name === 'toolCall').map(({ data }) => data);
      const last = events.at(-1);
      expect(last?.name).toBe('finish');
      expect(told.length).toBeGreaterThan(0);
      expect(told).toEqual(last?.data.toolCalls);
      await expectClean(stack);
    }, options),
  );

  test(
    'with a tool that was not offered sends no tool call',
    onStack(async (stack) => {
      const events = await streamOf(stack, '/v1/agents/stream', agentOf('sim-wrong-tool'));
      expect(events.map(({ name }) => name)).not.toContain('toolCall');
      const error = { code: 'BAD_OUTPUT' };
      expect(events.at(-1)).toMatchObject({ name: 'error', data: { error } });
      await expectClean(stack);
    }, options),
  );
});
