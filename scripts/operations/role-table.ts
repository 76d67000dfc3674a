import { roles } from '../../packages/server/src/domain/role.ts';
import {
  rightNames,
  rights,
  rightsOf,
} from '../../packages/server/src/operations/context/session.ts';

const table = /(<!-- roles -->\n)[\s\S]*?(<!-- end -->)/;

/** The document with its current table of roles. */
export function withRoleTable(document: string): string {
  const rows = rightNames.map((right) => {
    const cells = roles.map((role) => {
      if (rightsOf(role, { teamWallets: false }).includes(right)) return '●';
      const may = rightsOf(role, { teamWallets: true }).includes(right);
      return may ? 'with `console.teams.wallets`' : '';
    });
    return `| ${[rights[right].description, ...cells].join(' | ')} |`;
  });
  const head = [`| may | ${roles.join(' | ')} |`, `|---|${roles.map(() => ':-:').join('|')}|`];
  return document.replace(table, `$1\n${[...head, ...rows].join('\n')}\n\n$2`);
}
