import { emailPolicies, type OidcConfig } from '../domain/console.ts';
import { isLoopback } from '../domain/loopback.ts';
import { type Role, roles } from '../domain/role.ts';
import { mustBe } from '../lib/sentences.ts';
import { appName } from './apps.ts';
import { type Field, hasBroken, report } from './field.ts';
import { omitUndefined } from './omit-undefined.ts';
import { reader, textSchema } from './reader.ts';
import { milliseconds, oneOf, shown, text, textLike } from './scalars.ts';
import { key, mapOf, openSection, required, sectionSchema, uniqueList } from './section.ts';

const issuer = reader(textSchema('^https?://[^?#@]+$'), (field): string | undefined => {
  const value = text(field);
  if (value === undefined) return undefined;
  const url =
    /^https?:\/\/[^?#@]+$/.test(value) && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined) {
    return report(field, mustBe('the https:// URL of an issuer', shown(field)));
  }
  if (url.protocol === 'https:' || isLoopback(url.hostname)) return value;
  return report(
    field,
    'is not https, so an attacker on the network could log in as anyone; use https',
  );
});

const claimName = textLike(/^[\x21-\x7e]{1,128}$/, 'the name of a claim');
const scope = textLike(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/, 'a scope');

const byValue = { empty: 'is empty, so nobody could log in; add at least one entry' };

const oidcKeys = {
  issuer: required('Issuer URL of the OpenID Connect provider', issuer),
  clientId: required('Client id of the gateway at the provider', text),
  clientSecret: key('Client secret, preferably from a variable; absent for a public client', text),
  scopes: key('Requested scopes; default: openid, email, profile', uniqueList(scope)),
  nameClaim: key('Claim with the name of a person; default: email', claimName),
  roleClaim: key('Claim whose values map to roles; default: groups', claimName),
  emailVerified: key(
    'required (default): email counts with email_verified; assumed: also without that claim',
    oneOf(emailPolicies),
  ),
  timeoutMs: key('Time limit of a request to the provider; default: 5000', milliseconds(1)),
  roles: required(
    'Role of each value of that claim; the first match applies',
    mapOf(oneOf(roles), byValue),
  ),
  teams: key('Apps of each value whose role is team', mapOf(uniqueList(appName), byValue)),
};

export const oidcSchema = sectionSchema(oidcKeys);

export function readOidc(field: Field): OidcConfig | undefined {
  const section = openSection(field, oidcKeys);
  const issuer = section.read('issuer');
  const clientId = section.read('clientId');
  const clientSecret = section.read('clientSecret');
  const emailVerified = section.read('emailVerified');
  const roles = section.read('roles') ?? new Map<string, Role>();
  const teams = section.read('teams') ?? new Map<string, readonly string[]>();
  const scopes = section.read('scopes') ?? ['openid', 'email', 'profile'];
  const claims = {
    nameClaim: section.read('nameClaim') ?? 'email',
    roleClaim: section.read('roleClaim') ?? 'groups',
  };
  const [rolesField, teamsField, scopesField] = [
    section.field('roles'),
    section.field('teams'),
    section.field('scopes'),
  ];
  if (!hasBroken(rolesField) && !hasBroken(teamsField)) checkTeams(field, roles, teams);
  if (!scopes.includes('openid') && !hasBroken(scopesField)) {
    report(scopesField ?? field, 'must include openid; without it users cannot be authenticated');
  }
  if (issuer === undefined || clientId === undefined) return undefined;
  const timeoutMs = section.read('timeoutMs');
  const options = omitUndefined({ clientSecret, emailVerified, timeoutMs });
  return { issuer, clientId, ...options, scopes, ...claims, roles, teams };
}

function checkTeams(field: Field, roles: OidcConfig['roles'], teams: OidcConfig['teams']): void {
  const at = (name: string): Field => ({ ...field, path: `${field.path}.${name}` });
  for (const [value, role] of roles) {
    const apps = teams.get(value);
    if (role === 'team' && (apps === undefined || apps.length === 0)) {
      report(at(`roles.${value}`), `is a team without apps; list them in teams.${value}`);
    }
  }
  for (const value of teams.keys()) {
    if (roles.get(value) === 'team') continue;
    report(at(`teams.${value}`), `is not a team; set roles.${value}: team`);
  }
}
