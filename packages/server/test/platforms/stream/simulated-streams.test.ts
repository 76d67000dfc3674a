import { createSimulator, serveSimulator } from '@model-gateway/simulator';
import { afterEach, describe, expect, it } from 'vitest';
import type { PathFamily } from '../../../src/domain/path-family.ts';
import { pathFamilies } from '../../../src/domain/platform-kinds/kind-facts.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { createSimulatorPlatform } from '../../../src/platforms/kinds/simulator.ts';
import type { AttemptOutcome, Platform } from '../../../src/platforms/model/port.ts';
import { createFollower } from '../support/follow-attempt.ts';
import { attemptOn, madeOf, modelRow, testContext } from '../support/try-platform.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const config = { name: 'sim', kind: 'simulator' } as const;

function embedded() {
  const simulator = createSimulator({ clock: systemClock });
  const { id: projectId } = simulator.createProject('prod-acme-core-search');
  const platform = madeOf(createSimulatorPlatform(config, testContext, { simulator }));
  return { projectId, platform };
}

async function served() {
  const { url, simulator, close } = await serveSimulator({ port: 0 });
  const { id: projectId } = simulator.createProject('prod-acme-core-search');
  const platform = madeOf(createSimulatorPlatform({ ...config, baseUrl: url }, testContext));
  opened.push(platform, { close });
  return { projectId, platform };
}

interface Told {
  readonly projectId: string;
  readonly platform: Platform;
  readonly pathFamily: PathFamily;
}

const answer = {
  text: 'Hé there 🙂.',
  reasoningTokens: 16,
  toolCalls: [{ name: 'weather', arguments: '{"city":"Ulm"}' }],
};

async function ask({ platform, projectId, pathFamily }: Told, stream: object | undefined) {
  const order = JSON.stringify({ ...answer, ...(stream && { stream }) });
  const request = { messages: [{ role: 'user', content: order } as const], maxTokens: 4_000 };
  const model = platform.model({ ...modelRow('sim-told'), speaks: [pathFamily] });
  const followed = createFollower();
  const following = stream === undefined ? {} : { stream: followed.stream };
  const outcome = await attemptOn(platform, { model, request, projectId, ...following });
  return { ...followed, outcome };
}

/** Without ids, which each call has; only streams report reasoning, and instructions are input. */
function comparable(outcome: AttemptOutcome): unknown {
  if (outcome.kind === 'failed') return outcome;
  const said = outcome.content.filter(({ type }) => type !== 'reasoning');
  const content = said.map((part) => ({ ...part, toolCallId: '' }));
  return { ...outcome, requestId: '', content, usage: outcome.usage.outputTokens };
}

const ways = {
  'word by word': {},
  'each unit by itself': { split: 'units' },
  'arguments in 40 pieces': { toolPieces: 40 },
  'CRLF, comments': { lineEnd: 'crlf', comments: true },
  CR: { lineEnd: 'cr' },
  'three events in a piece': { eventsEach: 3 },
  'pieces of a byte': { bytesEach: 1 },
  'counts of 0 at first': { counts: 'zero-first' },
  'counts with the finish reason': { counts: 'last' },
  'counts with each delta': { counts: 'each' },
};

describe.each(pathFamilies)('the simulator on %s', (pathFamily) => {
  it.each(Object.entries(ways))('streams the same as its complete response: %s', async (_, way) => {
    for (const at of [embedded(), await served()]) {
      const whole = await ask({ ...at, pathFamily }, undefined);
      const { outcome, deltas } = await ask({ ...at, pathFamily }, way);
      expect(comparable(outcome)).toEqual(comparable(whole.outcome));
      expect(outcome).toMatchObject({ kind: 'answered', usage: { doubts: [] } });
      const text = deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('');
      expect(text).toBe(answer.text);
      expect(deltas.at(-1)).toMatchObject({ type: 'tool-call', toolName: 'weather' });
      if (way !== ways['pieces of a byte']) continue;
      for (const delta of deltas)
        if ('text' in delta) expect(delta.text).not.toMatch(/[\ud800-\udbff]$/);
    }
  });

  it.each(['break', 'error', 'end'])('ends a stream early by %s, and it broke', async (how) => {
    for (const at of [embedded(), await served()]) {
      for (const after of [0, 1, 4]) {
        const { outcome, deltas } = await ask({ ...at, pathFamily }, { stop: { how, after } });
        // An error object before any content is the status that it names.
        const isRefusal = how === 'error' && deltas.length === 0;
        const isMessage = pathFamily === 'anthropic-v1-messages';
        const refusal = isMessage ? 529 : 500;
        const status = isRefusal ? refusal : 200;
        expect(outcome).toMatchObject({ kind: 'failed', code: 'SERVER', status });
        // A failed response is at its end, and has its counts.
        const isWhole = how === 'error' && pathFamily.endsWith('responses');
        expect('broke' in outcome).toBe(!isWhole && !isRefusal);
        const usage = outcome.usage?.atLeast ?? outcome.usage;
        expect(usage?.outputTokens !== undefined).toBe(isWhole || isMessage);
        const billed = isRefusal ? 'no' : 'unknown';
        expect(outcome).toMatchObject({ isRetryable: deltas.length === 0, billed });
      }
    }
  });

  it('reports 0 and 0 at first and breaks, and has reported nothing', async () => {
    const stream = { counts: 'zero-first', stop: { how: 'break', after: 4 } };
    const { outcome } = await ask({ ...embedded(), pathFamily }, stream);
    expect(outcome).toMatchObject({ kind: 'failed', broke: true, usage: undefined });
  });

  it('writes an event of 2 MiB, which is rejected', async () => {
    for (const at of [embedded(), await served()]) {
      const { outcome } = await ask({ ...at, pathFamily }, { large: { after: 2 } });
      expect(outcome).toMatchObject({ kind: 'failed', code: 'SERVER', broke: true });
      expect(outcome).toHaveProperty('detail', expect.stringContaining('ANSWER_TOO_LARGE'));
    }
  });
});
