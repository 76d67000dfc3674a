import { expect, test } from 'vitest';
import { roles } from '../../src/domain/role.ts';
import {
  maskUser,
  mayUseApp,
  rightNames,
  rights,
  rightsOf,
  visibleApps,
} from '../../src/operations/context/session.ts';

const closed = { teamWallets: false };

test('the rights of each role', () => {
  expect(Object.fromEntries(roles.map((role) => [role, rightsOf(role, closed)]))).toEqual({
    viewer: ['look', 'spend'],
    team: ['look', 'spend', 'users', 'keys'],
    finance: ['look', 'spend', 'users', 'money', 'wallets'],
    operator: ['look', 'spend', 'users', 'keys', 'money', 'wallets', 'operate', 'access'],
  });
  expect(rightsOf('team', { teamWallets: true })).toContain('wallets');
  expect(rightNames).toEqual(Object.keys(rights));
});

test('a team sees its own apps', () => {
  const team = { apps: ['search'] };
  expect(visibleApps(team, ['search', 'tutor'])).toEqual(['search']);
  expect(visibleApps({ apps: undefined }, ['search', 'tutor'])).toEqual(['search', 'tutor']);
  expect(mayUseApp(team, 'tutor')).toBe(false);
  expect(mayUseApp({ apps: undefined }, 'tutor')).toBe(true);
});

test('a login without the right to see users sees none', () => {
  const user = { app: 'search', userId: 'ann' };
  expect(maskUser({ permissions: ['users'] }, undefined, user)).toBe('ann');
  expect(maskUser({ permissions: [] }, undefined, user)).toBe('***');
});
