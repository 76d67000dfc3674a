import { HookTested, HookTesting } from '../../operations/documents.ts';
import { testHook } from '../../operations/hooks/test-hook.ts';
import { type AnyRoute, route } from '../route.ts';

/** What operators do with hooks. */
export const operatorChanges: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: '/admin/v1/webhooks/:name/test',
    action: 'operate',
    apps: 'all',
    summary: 'Sends a hook a test, and says what it answers',
    body: HookTesting,
    answer: HookTested,
    async handle({ admin, config, parameters: { name } }) {
      return { body: await testHook(admin, config.notify, name) };
    },
  }),
];
