import { dollars, dollarsOr, factLines, tableLines, yesNo } from '../description/text-lines.ts';
import type { IssuedKey, KeyDocument, KeyInUse } from '../documents/keys.ts';

/** A column appears only if a listed key has a value. */
const limitColumns: readonly (readonly [string, (key: KeyDocument) => string | undefined])[] = [
  ['expires', (key) => key.expiresAt],
  ['a day', (key) => key.dailyUsd && dollars(key.dailyUsd)],
  ['a month', (key) => key.monthlyUsd && dollars(key.monthlyUsd)],
  ['models', (key) => key.models?.join(',')],
  ['rotated from', (key) => key.rotatedFrom],
  ['note', (key) => key.note],
];

function disablerOf({ disabledBy, disabledRole }: KeyDocument): string {
  return disabledBy === undefined ? '' : `${disabledBy} (${disabledRole})`;
}

const useTitles = ['last used', 'calls today', 'spent today'];

export function keysLines(keys: readonly KeyInUse[]): readonly string[] {
  const limits = limitColumns.filter(([, read]) => keys.some((key) => read(key) !== undefined));
  const hasDisabler = keys.some(({ disabledBy }) => disabledBy !== undefined);
  return tableLines(
    [
      'id',
      'app',
      'role',
      'enabled',
      ...(hasDisabler ? ['disabled by'] : []),
      'created',
      'name',
      ...useTitles,
      ...limits.map(([title]) => title),
    ],
    keys.map((key) => [
      key.id,
      key.app ?? key.customerId,
      key.role ?? 'none',
      yesNo(key.enabled),
      ...(hasDisabler ? [disablerOf(key)] : []),
      key.createdAt,
      key.name,
      key.lastUsedAt ?? 'not recorded',
      key.callsToday === null ? 'too many to count' : String(key.callsToday),
      dollarsOr(key.spentTodayUsd, 'not counted'),
      ...limits.map(([, read]) => read(key) ?? ''),
    ]),
    'No keys. Run "keys issue" to create one.',
  );
}

/** Earlier callers get 403. */
const worksSoon = 'The key works on every replica within 1 s.';

/** The only place that shows the key. */
export function issuedLines(issued: IssuedKey): readonly string[] {
  return [
    ...factLines([['key', issued.key], ...factsOf(issued)]),
    worksSoon,
    'The key is shown only now; only its hash is stored.',
  ];
}

export function importedLines(issued: IssuedKey): readonly string[] {
  return [
    ...factLines(factsOf(issued)),
    worksSoon,
    "Only the key's hash is stored; the key is not shown.",
  ];
}

function factsOf({
  id,
  name,
  customerId,
  role,
}: IssuedKey): readonly (readonly [string, string])[] {
  return [
    ['id', id],
    ['name', name],
    ['customer id', customerId],
    [
      'role',
      role ?? 'none: name and customer id do not follow the convention, so its calls get 401',
    ],
  ];
}

/** The minimum number of different characters in a random key. */
const differentMin = 8;

/** Only warns: a key in use elsewhere is always accepted. */
export function guessableLines(key: string): readonly string[] {
  const different = new Set(key).size;
  if (different >= differentMin) return [];
  const count = different === 1 ? '1 character' : `${different} different characters`;
  return [`the key consists of only ${count} and can be guessed; issue a new key if you can`];
}
