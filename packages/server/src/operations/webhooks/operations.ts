import { mayUseApp, visibleApps } from '../context/session.ts';
import { argument, text } from '../description/field.ts';
import { type Operation, operation } from '../description/operation.ts';
import { factLines, tableLines } from '../description/text-lines.ts';
import { listWebhooks } from './webhooks.ts';

const states = { on: 'on', gone: 'off (responded 410)', left: 'not in the configuration' };

const list = operation({
  name: 'notify list',
  about: 'list webhooks with their waiting and failed events',
  right: 'look',
  http: ['GET /webhooks'],
  apps: 'own',
  opens: 'store',
  needs: ['hooks'],
  result: async () => (await import('../documents/webhooks.ts')).WebhookDocuments,
  async run({ admin, session, hooks }) {
    const all = await listWebhooks(admin, hooks);
    return all
      .filter(
        ({ apps }) => session.apps === undefined || apps?.some((app) => mayUseApp(session, app)),
      )
      .map((webhook) => ({ ...webhook, apps: webhook.apps && visibleApps(session, webhook.apps) }));
  },
  lines: (webhooks) =>
    tableLines(
      ['webhook', 'at', 'format', 'state', 'delivered', 'waiting', 'dead', 'last error'],
      webhooks.map((webhook) => [
        ...[webhook.name, webhook.origin ?? '-', webhook.format ?? '-', states[webhook.state]],
        ...[webhook.delivered, webhook.waiting, webhook.dead].map(String),
        webhook.lastError ?? '-',
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
  result: async () => (await import('../documents/webhooks.ts')).WebhookTestResult,
  async run({ admin, notify, hooks }, { name }) {
    const { testWebhook } = await import('./test-webhook.ts');
    return testWebhook(
      admin,
      notify,
      name,
      hooks.map((webhook) => webhook.name),
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
