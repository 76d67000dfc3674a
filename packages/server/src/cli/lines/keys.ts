import type { KeyDocument } from '../../admin/key-document.ts';
import type { IssuedKey } from '../../admin/keys.ts';
import { factLines, tableLines, yesNo } from '../print.ts';

/** The table of `keys list`. */
export function keysLines(keys: readonly KeyDocument[]): readonly string[] {
  return tableLines(
    ['id', 'app', 'role', 'enabled', 'created', 'name'],
    keys.map((key) => [
      key.id,
      key.app ?? key.customerId,
      key.role ?? 'none',
      yesNo(key.enabled),
      key.createdAt,
      key.name,
    ]),
    'There is no key: "keys issue" makes one.',
  );
}

/** A new key, which is shown this once. */
export function issuedLines(issued: IssuedKey): readonly string[] {
  return [
    ...factLines([
      ['key', issued.key],
      ['id', issued.id],
      ['name', issued.name],
      ['customer id', issued.customerId],
      [
        'role',
        issued.role ?? 'none: name and customer id are off the convention, so its calls get 401',
      ],
    ]),
    'The key is shown this once; only its hash is stored.',
  ];
}
