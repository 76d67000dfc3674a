import { mayUseApp, visibleApps } from '../context/who.ts';
import { argument, text } from '../description/field.ts';
import { type Operation, operation } from '../description/operation.ts';
import { factLines, tableLines } from '../description/text-lines.ts';
import { listHooks } from './hooks.ts';

const states = { on: 'on', gone: 'off: it answered 410', left: 'not in the file' };

const list = operation({
  name: 'notify list',
  about: 'list every hook, and what waits for it or was given up',
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
      ['hook', 'at', 'format', 'state', 'delivered', 'waiting', 'dead', 'last error'],
      hooks.map((hook) => [
        ...[hook.name, hook.origin ?? '-', hook.format ?? '-', states[hook.state]],
        ...[hook.delivered, hook.waiting, hook.dead].map(String),
        hook.lastError ?? '-',
      ]),
      'There is no hook: declare some below notify in the configuration.',
      ['delivered', 'waiting', 'dead'],
    ),
});

const test = operation({
  name: 'notify test',
  about: 'send a hook a test, and show what it answers',
  http: ['POST /webhooks/:name/test'],
  opens: 'store',
  needs: ['notify', 'hooks'],
  only: 'name',
  input: { name: argument(text('the name of the hook', 'name')) },
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
    isDelivered ? undefined : `the hook ${hook} did not take the test`,
  lines: ({ hook, id, isDelivered, status, words, error }) =>
    factLines([
      ['hook', hook],
      ['webhook-id', id],
      ['result', isDelivered ? `delivered: answered ${status}` : (error ?? '')],
      ...(words === '' ? [] : [['it said', words] as const]),
    ]),
});

export const notify: readonly Operation[] = [list, test];
