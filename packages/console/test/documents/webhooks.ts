import type { WebhooksPage, WebhookTestResult } from '@model-gateway/server/operations/documents';

/** A working webhook, and a webhook that was removed from the configuration. */
export const webhooks: WebhooksPage = {
  items: [
    {
      ...{ name: 'ops', state: 'on', origin: 'https://hooks.example', format: 'slack' },
      ...{ events: ['budget.used'], at: [80, 100], apps: ['search'], delivered: 1_204 },
      ...{ waiting: 2, dead: 1, lastError: 'answered 500' },
    },
    {
      ...{ name: 'old', state: 'gone', origin: null, format: null, events: [], at: [] },
      ...{ apps: null, delivered: 9, waiting: 0, dead: 0, lastError: null },
    },
  ],
  after: null,
};

export const noWebhooks: WebhooksPage = { items: [], after: null };

/** A successful test delivery. */
export const webhookTested: WebhookTestResult = {
  ...{ hook: 'ops', id: 'evt_1', isDelivered: true, status: 204, words: '', error: null },
};
