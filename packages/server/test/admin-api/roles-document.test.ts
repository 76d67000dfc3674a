import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { roles } from '../../src/domain/role.ts';
import { rightNames, rights, rightsOf } from '../../src/operations/roles.ts';

test('docs/console.md has the table that the service goes by', () => {
  const document = readFileSync(new URL('../../../../docs/console.md', import.meta.url), 'utf8');
  const rows = [...document.matchAll(/^\| ([^|]+) \|((?: [^|]* ?\|){4})$/gm)].slice(1);
  const told = rows.map(([, says = '', cells = '']) => [
    says,
    cells
      .split('|')
      .slice(0, 4)
      .map((cell) => cell.trim()),
  ]);
  const isGiven = (right: (typeof rightNames)[number], role: (typeof roles)[number]) => {
    if (rightsOf(role, { teamWallets: false }).includes(right)) return '●';
    const may = rightsOf(role, { teamWallets: true }).includes(right);
    return may ? 'with `console.teams.wallets`' : '';
  };
  expect(told.filter(([says]) => says !== ':--' && says !== '---')).toEqual(
    rightNames.map((right) => [rights[right].says, roles.map((role) => isGiven(right, role))]),
  );
});
