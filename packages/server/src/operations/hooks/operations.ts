import { mayUseApp, visibleApps } from '../context/who.ts';
import { argument, text } from '../description/field.ts';
import { type Operation, operation } from '../description/operation.ts';
import { factLines, tableLines } from '../description/text-lines.ts';
import { listHooks } from './hooks.ts';

const states = { on: 'on', gone: 'off (responded 410)', left: 'not in the configuration' };

const list = operation({
  name: 'notify list',
  about: 'list webhooks with their waiting and failed events',
  right: 'look',
  http: ['GET /webhooks'],
  apps: 'own',
  opens: 'store',
  needs: ['hooks'],
  result: async () => (await import('../documents/hooks.ts')).HookDocuments,
  async run({ admin, who, hooks }) {
    const all = await listHooks(admin, hooks);
    return all
      .filter(({ apps }) => who.apps === undefined || apps?.some((app) => mayUseApp(who, app)))
      .map((hook) => ({ ...hook, apps: hook.apps && visibleApps(who, hook.apps) }));
  },
  lines: (hooks) =>
    tableLines(
      ['webhook', 'at', 'format', 'state', 'delivered', 'waiting', 'dead', 'last error'],
      hooks.map((hook) => [
        ...[hook.name, hook.origin ?? '-', hook.format ?? '-', states[hook.state]],
        ...[hook.delivered, hook.waiting, hook.dead].map(String),
        hook.lastError ?? '-',
      ]),
      'No webhooks. Add some under notify in the configuration.',
      ['delivered', 'waiting', 'dead'],
    ),
});

const test = operation({
  name: 'notify test',
  about: 'send a test event to a webhook and show its response',
  http: ['POST /webhooks/:name/test'],
  opens: 'store',
  needs: ['notify', 'hooks'],
  only: 'name',
  input: { name: argument(text('webhook name', 'name')) },
  example: { name: 'ops' },
  result: async () => (await import('../documents/hooks.ts')).HookTested,
  async run({ admin, notify, hooks }, { name }) {
    const { testHook } = await import('./test-hook.ts');
    return testHook(
      admin,
      notify,
      name,
      hooks.map((hook) => hook.name),
    );
  },
  failure: ({ hook, isDelivered }) =>
    isDelivered ? undefined : `the webhook ${hook} did not accept the test`,
  lines: ({ hook, id, isDelivered, status, words, error }) =>
    factLines([
      ['webhook', hook],
      ['webhook-id', id],
      ['result', isDelivered ? `delivered: answered ${status}` : (error ?? '')],
      ...(words === '' ? [] : [['response', words] as const]),
    ]),
});

export const notify: readonly Operation[] = [list, test];
