import {
  type AlertType,
  defaultWebhookEvents,
  type WebhookConfig,
  webhookEvents,
  webhookFormats,
  webhooksMax,
} from '../domain/notify.ts';
import { tooMany } from '../lib/sentences.ts';
import { appName } from './apps.ts';
import { type Field, readList, report } from './field.ts';
import { reader, textSchema, wordSchema } from './reader.ts';
import { oneOf, parsed, shortName, text, unique, yesOrNo } from './scalars.ts';
import { key, openSection, required, sectionSchema, uniqueList } from './section.ts';

const webhookName = shortName('a webhook');

const urlCharactersMax = 2_000;

/** No problem shows the URL: it might be a secret. */
const webhookUrl = reader(textSchema('^[Hh][Tt][Tt][Pp][Ss]?:'), (field): URL | undefined => {
  const value = text(field);
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return report(field, 'must be a URL that starts with https://');
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    return report(field, 'must not contain a user, a password or a "#"');
  }
  if (value.length > urlCharactersMax) {
    return report(field, tooMany(urlCharactersMax, 'characters', value.length));
  }
  return url;
});

const secretPattern = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/** No problem shows the value: it might be a secret. */
const secretText = reader(textSchema(secretPattern.source), (field) => {
  const value = text(field);
  if (value === undefined) return undefined;
  const [, base64 = ''] = secretPattern.exec(value) ?? [];
  const { length } = Buffer.from(base64, 'base64');
  if (length >= 24 && length <= 64) return value;
  return report(
    field,
    'must be whsec_ and the base64 of 24 to 64 random bytes, preferably from a variable',
  );
});

const secrets = reader(
  {
    anyOf: [
      secretText.schema,
      { type: 'array', items: secretText.schema, minItems: 1, maxItems: 2 },
    ],
  },
  (field): readonly string[] | undefined => {
    if (field.tree.kind === 'scalar') {
      const secret = secretText(field);
      return secret === undefined ? undefined : [secret];
    }
    const values = readList(field, secretText);
    if (field.tree.kind !== 'list') return undefined;
    const { length } = field.tree.items;
    if (length === 1 || length === 2) return values;
    return report(field, `has ${length} secrets; use one, or two during a rotation`);
  },
);

const families = [...new Set(webhookEvents.map(familyOf))];
const eventOrFamily = oneOf([...webhookEvents, ...families]);

function familyOf(type: AlertType): string {
  return type.slice(0, type.indexOf('.'));
}

const eventWords = uniqueList(eventOrFamily, {
  empty: 'is empty; list events, or remove the key for all events',
});
const events = reader(eventWords.schema, (field): readonly AlertType[] => {
  const words = eventWords(field) ?? [];
  return webhookEvents.filter((type) => words.includes(type) || words.includes(familyOf(type)));
});

const percent = parsed(
  { type: ['integer', 'string'], minimum: 1, maximum: 100, pattern: '^([1-9]\\d?|100)$' },
  'a whole number of percent from 1 to 100',
  (value) => (/^([1-9]\d?|100)$/.test(value) ? value : undefined),
);

const percents = uniqueList(percent, { empty: 'is empty; list shares, such as [50, 80, 100]' });
const shares = reader(percents.schema, (field) =>
  percents(field)
    ?.map(Number)
    .toSorted((a, b) => a - b),
);

const apps = uniqueList(appName, { empty: 'is empty; list apps, or remove the key for all apps' });

const webhookKeys = {
  name: required('Name of the webhook in commands, metrics and the log', webhookName),
  url: required('Webhook URL; use a variable if the URL is a secret itself', webhookUrl),
  secret: key('Signing secret, whsec_…; two during a rotation', secrets),
  format: key('standard, or the format of a chat', oneOf(webhookFormats)),
  events: key('Event types to send; default: all except wallet.low', events),
  at: key('Shares of a budget at which to send an event, in percent', shares),
  apps: key('Send only events of these apps; default: all apps, and events without an app', apps),
  allowPrivate: key('true: allow plain HTTP and private addresses', yesOrNo),
};

const defaultAt = [50, 80, 100];

export const webhookSchema = sectionSchema(
  webhookKeys,
  { format: 'standard', allowPrivate: false },
  {
    anyOf: [
      { required: ['secret'] },
      { required: ['format'], properties: { format: wordSchema(['slack', 'teams']) } },
    ],
  },
);

export const webhooksSchema = { type: 'array', items: webhookSchema, maxItems: webhooksMax };

export function readWebhooks(field: Field): readonly WebhookConfig[] {
  const newName = unique(webhookName);
  return readList(field, (item) => readWebhook(item, newName), {
    ...{ id: 'name', max: webhooksMax, noun: 'webhooks' },
  });
}

function readWebhook(item: Field, newName: typeof webhookName | ReturnType<typeof unique<string>>) {
  const section = openSection(item, webhookKeys);
  const name = section.readWith('name', newName) ?? '';
  const url = section.read('url');
  const format = section.read('format') ?? 'standard';
  const signingSecrets = section.read('secret');
  const allowPrivate = section.read('allowPrivate') ?? false;
  const urlField = section.field('url');
  if (url?.protocol === 'http:' && !allowPrivate && urlField !== undefined) {
    report(urlField, 'is plain HTTP; use https://, or set allowPrivate: true to allow it');
  }
  const isSigned = section.field('secret') !== undefined;
  // A chat checks no signature: everyone with its URL may write to it.
  if (item.tree.kind === 'table' && !isSigned && format === 'standard') {
    report({ ...item, path: `${item.path}.secret` }, 'is required');
  }
  return {
    ...{ name, format, allowPrivate },
    url: url?.href ?? '',
    secrets: signingSecrets ?? [],
    events: section.read('events') ?? defaultWebhookEvents,
    at: section.read('at') ?? defaultAt,
    apps: section.read('apps'),
  };
}
