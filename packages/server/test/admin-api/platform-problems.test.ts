import { expect, test } from 'vitest';
import { onStack } from '../support/on-stack.ts';
import { consoleOf } from './support/console-of.ts';

const details = 'sandbox rejected the credential (401); check platforms.sandbox.apiKey';
const hidden = 'a model platform has a problem; an operator sees its details';

test(
  'only operators see details of a platform problem, which can name internal hosts',
  onStack(async (stack) => {
    const messages = [{ role: 'user', content: 'Hello' }];
    await stack.post('search', '/v1/chat', { model: 'sim-unauthorized', maxTokens: 5, messages });
    const ask = consoleOf(stack);
    const asked = [
      [ask('operator'), details],
      [ask('finance'), hidden],
      [ask('viewer'), hidden],
      [ask('team', { apps: ['search'] }), hidden],
    ] as const;
    for (const [asking, text] of asked) {
      const health = (await asking('GET /health')).body;
      expect(health.platforms).toMatchObject([{ state: 'unauthorized', problem: text }]);
      const { problems } = (await asking('GET /overview')).body;
      for (const found of [health.problems, problems]) {
        expect(found).toContainEqual({ kind: 'platform', text, href: '/console/health' });
      }
    }
  }),
);
