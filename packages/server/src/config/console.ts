import { type ConsoleConfig, consoleDefaults } from '../domain/console.ts';
import { isLoopback } from '../domain/loopback.ts';
import { type Field, report } from './field.ts';
import { oidcSchema, readOidc } from './oidc.ts';
import { omitUndefined } from './omit-undefined.ts';
import { origin } from './origin.ts';
import { described, valueSchema } from './reader.ts';
import { parsed, yesOrNo } from './scalars.ts';
import { key, openSection, section, sectionSchema } from './section.ts';

const consoleUrl = origin('https://gateway-admin.acme.example');

const hours = parsed(
  valueSchema('integer', '^([1-9]|1\\d|2[0-4])$', { minimum: 1, maximum: 24 }),
  'a whole number of hours from 1 to 24',
  (value) => (/^([1-9]|1\d|2[0-4])$/.test(value) ? Number(value) : undefined),
);

const teamKeys = { wallets: key('true: teams top up the wallets of their own apps', yesOrNo) };

const consoleKeys = {
  enabled: key('Default: true if admin listens only on this machine', yesOrNo),
  url: key('https URL for browsers (the proxy in front of admin)', consoleUrl),
  insecureHttp: key('true: allow a url without TLS on another machine', yesOrNo),
  sessionHours: key('Maximum lifetime of a session, in hours', hours),
  oidc: key('Login with company accounts', described(oidcSchema)),
  teams: key(
    'Permissions of teams in addition to the table of roles',
    section(teamKeys, { wallets: false }),
  ),
};

export const consoleSchema = sectionSchema(consoleKeys);

export function readConsole(
  field: Field | undefined,
  { host }: { readonly host: string },
): ConsoleConfig {
  const isOwn = isLoopback(host);
  if (field === undefined) return { enabled: isOwn, ...consoleDefaults };
  const section = openSection(field, consoleKeys);
  const url = section.read('url');
  const oidc = section.readWith('oidc', readOidc);
  const insecureHttp = section.read('insecureHttp') ?? consoleDefaults.insecureHttp;
  const enabled = section.read('enabled') ?? (isOwn || url !== undefined);
  if (enabled && !isOwn && url === undefined && section.field('url') === undefined) {
    report(field, `requires console.url (the https URL for browsers) while admin.host is ${host}`);
  }
  if (url !== undefined && isClear(url) && !insecureHttp) {
    report(
      section.field('url') ?? field,
      'is not https, so others can read the sessions; use https, or set console.insecureHttp',
    );
  }
  return {
    ...omitUndefined({ url, oidc }),
    ...{ enabled, insecureHttp },
    sessionHours: section.read('sessionHours') ?? consoleDefaults.sessionHours,
    teamWallets: section.read('teams')?.wallets ?? consoleDefaults.teamWallets,
  };
}

function isClear(url: string): boolean {
  return url.startsWith('http:') && !isLoopback(new URL(url).hostname);
}
