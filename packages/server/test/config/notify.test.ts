import { describe, expect, test } from 'vitest';
import { defaultWebhookEvents, webhookEvents } from '../../src/domain/notify.ts';
import { configOf, fileWith, problemsOf } from './load.ts';

const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const next = `whsec_${Buffer.alloc(64, 2).toString('base64')}`;
const environment = { SECRET: secret, SLACK: 'https://hooks.slack.example/services/T0/B0/hush' };

test('webhooks are read with the defaults of absent keys', () => {
  const text = fileWith(`
notify:
  - { name: ops, url: "https://hooks.acme.example/gateway", secret: "\${SECRET}" }
  - name: money
    url: "\${SLACK}"
    format: slack
    secret: ["\${SECRET}", ${next}]
    events: [budget.threshold, wallet, estimates]
    at: [100, 90]
    apps: [search]
  - { name: inside, url: "http://10.0.0.7:9000/?a=b", secret: "\${SECRET}", allowPrivate: true }
`);
  expect(configOf(text, environment).notify).toEqual([
    {
      ...{ name: 'ops', url: 'https://hooks.acme.example/gateway', secrets: [secret] },
      ...{ format: 'standard', events: defaultWebhookEvents, at: [50, 80, 100], apps: undefined },
      allowPrivate: false,
    },
    {
      ...{ name: 'money', url: environment.SLACK, secrets: [secret, next], format: 'slack' },
      events: ['budget.threshold', 'wallet.low', 'estimates.grow'],
      ...{ at: [90, 100], apps: ['search'], allowPrivate: false },
    },
    {
      ...{ name: 'inside', url: 'http://10.0.0.7:9000/?a=b', secrets: [secret] },
      ...{ format: 'standard', events: defaultWebhookEvents, at: [50, 80, 100], apps: undefined },
      allowPrivate: true,
    },
  ]);
  expect(configOf(fileWith('notify:')).notify).toEqual([]);
  expect(webhookEvents).toContain('wallet.low');
  expect(defaultWebhookEvents).not.toContain('wallet.low');
});

test('a chat that checks no signature needs no secret', () => {
  const text = fileWith(`notify: [{ name: chat, url: "\${SLACK}", format: slack }]`);
  expect(configOf(text, environment).notify).toMatchObject([{ secrets: [], format: 'slack' }]);
});

test('all faults of webhooks are reported at once, with their paths, and no secret', () => {
  const text = fileWith(`
notify:
  - { name: ops, url: "http://hooks.acme.example/hush", secret: hush, format: json }
  - { name: ops, url: "ftp://hush.example", secret: [], events: [budget, budgets], at: [0, 101] }
  - { name: Ops, url: "https://me:hush@a.example", secret: [a, b, c], events: [], at: [], apps: [] }
  - { name: b, url: "https://a.example/#hush", secret: "\${SHORT}", at: [50, "50"], apps: [A] }
  - { name: c, url: hush, events: [test, budget.threshold, budget.threshold], allowPrivate: 1 }
  - { urls: [] }
  - all
`);
  const problems = problemsOf(text, { SHORT: `whsec_${Buffer.alloc(23).toString('base64')}` });
  const noSecret =
    'must be whsec_ and the base64 of 24 to 64 random bytes, preferably from a variable';
  const all = [...webhookEvents, ...new Set(webhookEvents.map((type) => type.split('.')[0]))];
  const words = `${all.slice(0, 8).join(', ')} and ${all.length - 8} more`;
  expect(problems).toEqual([
    'notify[0].format: must be one of standard, slack, teams; it is "json"',
    `notify[0].secret: ${noSecret}`,
    'notify[0].url: is plain HTTP; use https://, or set allowPrivate: true to allow it',
    'notify[1].name: "ops" is already used at notify[0].name',
    'notify[1].url: must be a URL that starts with https://',
    'notify[1].secret: has 0 secrets; use one, or two during a rotation',
    `notify[1].events[1]: must be one of ${words}; it is "budgets"; did you mean "budget"?`,
    'notify[1].at[0]: must be a whole number of percent from 1 to 100; it is "0"',
    'notify[1].at[1]: must be a whole number of percent from 1 to 100; it is "101"',
    'notify[2].name: must be the name of a webhook: a-z, 0-9 and "-", a letter first, at most 63 characters; it is "Ops"',
    'notify[2].url: must not contain a user, a password or a "#"',
    ...[0, 1, 2].map((index) => `notify[2].secret[${index}]: ${noSecret}`),
    'notify[2].secret: has 3 secrets; use one, or two during a rotation',
    'notify[2].events: is empty; list events, or remove the key for all events',
    'notify[2].at: is empty; list shares, such as [50, 80, 100]',
    'notify[2].apps: is empty; list apps, or remove the key for all apps',
    'notify[3].url: must not contain a user, a password or a "#"',
    `notify[3].secret: ${noSecret}`,
    'notify[3].at[1]: "50" is already used at notify[3].at[0]',
    'notify[3].apps[0]: must be the name of an app: a-z, 0-9 and "-", a letter first, at most 63 characters; it is "A"',
    'notify[4].url: must be a URL that starts with https://',
    'notify[4].allowPrivate: must be true or false; it is "1"',
    'notify[4].secret: is required',
    `notify[4].events[0]: must be one of ${words}; it is "test"`,
    'notify[4].events[2]: "budget.threshold" is already used at notify[4].events[1]',
    'notify[5].urls: is an unknown key; did you mean "url"? The keys are name, url, secret, format, events, at, apps, allowPrivate',
    'notify[5].name: is required',
    'notify[5].url: is required',
    'notify[5].secret: is required',
    'notify[6]: must be a section, such as { key: value }',
  ]);
  expect(problems.join('\n')).not.toContain('hush');
});

test('at most 32 webhooks are allowed', () => {
  const hooks = Array.from({ length: 33 }, (_, index) => {
    return `{ name: h${index}, url: "https://a.example", secret: ${secret} }`;
  });
  expect(problemsOf(fileWith(`notify: [${hooks.join(', ')}]`))).toEqual([
    'notify: takes at most 32 webhooks; it has 33',
  ]);
});

describe('the hash', () => {
  const text = fileWith(
    `notify: [{ name: chat, url: "\${URL}", format: slack, secret: "\${KEY}" }]`,
  );
  const hashOf = (more: object, written = text) =>
    configOf(written, { URL: 'https://a.example/x', KEY: secret, ...more }).hash;

  test('ignores secrets, also in a URL', () => {
    expect(hashOf({ KEY: next })).toBe(hashOf({}));
    expect(hashOf({ URL: 'https://a.example/y?sig=z' })).toBe(hashOf({}));
  });

  test('changes with the receivers, their events and their addresses', () => {
    expect(hashOf({ URL: 'https://b.example/x' })).not.toBe(hashOf({}));
    expect(hashOf({}, text.replace('slack', 'teams'))).not.toBe(hashOf({}));
    expect(hashOf({}, text.replace('format', 'at: [80], format'))).not.toBe(hashOf({}));
    expect(configOf(fileWith('notify: []')).hash).toBe(configOf(fileWith()).hash);
  });
});
