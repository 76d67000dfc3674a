import { describe, expect, test } from 'vitest';
import { configOf, fileWith, problemsOf } from './load.ts';

const least = 'issuer: "https://login.acme.example", clientId: gw, roles: { ops: operator }';
const oidcOf = (lines: string, environment = {}) =>
  configOf(fileWith(`console: { oidc: { ${lines} } }\n`), environment).console.oidc;

describe('console.oidc', () => {
  test('has the claims that most providers have', () => {
    expect(oidcOf(least)).toEqual({
      ...{ issuer: 'https://login.acme.example', clientId: 'gw' },
      ...{ scopes: ['openid', 'email', 'profile'], nameClaim: 'email', roleClaim: 'groups' },
      ...{ roles: new Map([['ops', 'operator']]), teams: new Map() },
    });
    expect(configOf(fileWith()).console.oidc).toBeUndefined();
  });

  test('keeps the order of roles, and accepts names of any kind', () => {
    const more = `issuer: "http://127.0.0.1:9000", clientId: gw, clientSecret: "\${S}", nameClaim: upn, roleClaim: "https://acme/roles", scopes: [openid, groups], roles: { /b: team, "a b": finance, /a: team }, teams: { /a: [search], /b: [tutor, search] }`;
    expect(oidcOf(more, { S: 's3cret' })).toEqual({
      ...{ issuer: 'http://127.0.0.1:9000', clientId: 'gw', clientSecret: 's3cret' },
      ...{ scopes: ['openid', 'groups'], nameClaim: 'upn', roleClaim: 'https://acme/roles' },
      roles: new Map([
        ['/b', 'team'],
        ['a b', 'finance'],
        ['/a', 'team'],
      ]),
      teams: new Map([
        ['/a', ['search']],
        ['/b', ['tutor', 'search']],
      ]),
    });
  });

  test.each([
    ['clientId: gw, roles: { a: viewer }', 'console.oidc.issuer: is required'],
    ['issuer: "https://x.example", roles: { a: viewer }', 'console.oidc.clientId: is required'],
    ['issuer: "https://x.example", clientId: gw', 'console.oidc.roles: is required'],
    [`${least}, roleClaims: x`, 'console.oidc.roleClaims: is an unknown key'],
    [least.replace('https:', 'http:'), 'console.oidc.issuer: is not https'],
    [least.replace('https://login.acme.example', 'login'), 'must be the https:// URL of an issuer'],
    [
      least.replace('operator', 'admin'),
      'must be one of viewer, team, finance, operator; it is "admin"',
    ],
    [least.replace('operator', 'team'), 'is a team without apps; list them in teams.ops'],
    [`${least}, teams: { ops: [search] }`, 'is not a team; set roles.ops: team'],
    [least.replace('ops: operator', ''), 'console.oidc.roles: is empty'],
    [`${least}, scopes: [email]`, 'must include openid'],
    [
      least.replace('ops: operator', 'a: team').replace('gw', 'gw, teams: { a: [A] }'),
      'console.oidc.teams',
    ],
  ])('%s is rejected with its path', (lines, problem) => {
    const problems = problemsOf(fileWith(`console: { oidc: { ${lines} } }\n`));
    expect(problems.join('\n')).toContain(problem);
  });
});
