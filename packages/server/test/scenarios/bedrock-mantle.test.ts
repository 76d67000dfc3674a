import type { Client } from '@model-gateway/sdk';
import { projectIdOf } from '@model-gateway/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathFamilies } from '../../src/domain/platform-kinds/kind-facts.ts';
import { expectClean } from '../support/books.ts';
import { mantleApps, modelOn, type OnMantle, startOnMantle } from '../support/mantle.ts';

/** The calls that reached a model, in order: model and project. */
interface Reached {
  readonly model: string;
  readonly projectId: string;
}

const behaviours = ['echo', 'flaky', 'down', 'reset', 'throttled-once'] as const;

/** One for each surface, since a failing platform is called less and less. */
function openOnMantle(): { reached: Reached[]; opened: () => OnMantle } {
  const reached: Reached[] = [];
  let onMantle: OnMantle | undefined;
  beforeAll(async () => {
    onMantle = await startOnMantle({
      models: behaviours,
      script({ request, projectId }) {
        reached.push({ model: request.model, projectId });
        return undefined;
      },
    });
  });
  afterAll(() => onMantle?.close());
  const opened = () => {
    if (onMantle === undefined) throw new Error('it is open within tests alone');
    return onMantle;
  };
  return { reached, opened };
}

const messages = [{ role: 'user', content: 'What is a gateway?' }] as const;
const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
} as const;
const tool = { name: 'weather', description: 'The weather.', inputSchema: schema };

const operations = {
  chat: (client: Client, model: string) => client.chat({ model, maxTokens: 100, messages }),
  object: (client: Client, model: string) =>
    client.object<unknown>({ model, maxTokens: 100, messages, schema }),
  agent: (client: Client, model: string) =>
    client.agent({ model, maxTokens: 100, messages, tools: [tool] }),
} as const;

type Operation = keyof typeof operations;

const said: Record<Operation, object> = {
  chat: { text: 'What is a gateway?' },
  object: { object: { city: expect.any(String) } },
  agent: { done: false, toolCalls: [{ name: 'weather' }] },
};

// The number of calls that reach a model, and the call's result.
const outcomes = [
  ['echo', 1, undefined],
  ['flaky', 2, undefined],
  ['throttled-once', 2, undefined],
  ['down', 3, 'SERVER'],
  ['reset', 3, 'SERVER'],
] as const;

describe.each(pathFamilies)('on %s', (family) => {
  const { reached, opened } = openOnMantle();

  describe.each<Operation>(['chat', 'object', 'agent'])('%s', (name) => {
    test.each(outcomes)('names its app’s project on every attempt of %s', async (...row) => {
      const [model, attempts, code] = row;
      for (const app of mantleApps) {
        reached.length = 0;
        const client = await opened().server.client(app);
        const call = operations[name](client, modelOn(family, model));
        if (code === undefined) expect(await call).toMatchObject(said[name]);
        else await expect(call).rejects.toMatchObject({ code });
        const projectId = projectIdOf(`prod-acme-core-${app}`);
        expect(reached).toEqual(Array(attempts).fill({ model: `sim-${model}`, projectId }));
      }
    });
  });

  test('an app without a project reaches no model', async () => {
    const { server, front } = opened();
    const client = await server.client('homeless');
    const requests = front.requests.length;
    const call = client.chat({ model: modelOn(family), maxTokens: 9, messages });
    await expect(call).rejects.toMatchObject({ status: 500, code: 'INTERNAL' });
    expect(front.requests).toHaveLength(requests);
  });

  test('every call has named a project, on the header that its surface reads', async () => {
    const { front, server, simulator } = opened();
    const bill = simulator.bill();
    expect(bill).toMatchObject({ missingProjectCalls: 0, storedCalls: 0 });
    expect(new Set(bill.projects.map(({ projectId }) => projectId))).toEqual(
      new Set(mantleApps.map((app) => projectIdOf(`prod-acme-core-${app}`))),
    );
    for (const { path, headers } of front.requests.filter(({ path: of }) => of !== '/v1/models')) {
      const isMessages = path.startsWith('/anthropic/');
      const id = headers[isMessages ? 'anthropic-workspace-id' : 'openai-project'];
      expect(id).toMatch(/^proj_[A-Za-z0-9]+$/);
      expect(headers['anthropic-workspace']).toBe(isMessages ? id : undefined);
    }
    await expectClean(server);
  });
});
