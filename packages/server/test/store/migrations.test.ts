import { describe, expect, test } from 'vitest';
import {
  loadMigrations,
  type Migration,
  pendingMigrations,
} from '../../src/store/schema/migrations.ts';

const kinds = ['sqlite', 'postgres'] as const;

describe.each(kinds)('the migrations of %s', (kind) => {
  const migrations = loadMigrations(kind);

  test('are numbered without a gap', () => {
    const numbers = migrations.map(({ version }) => version);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  test('name, from the fifth on, the services that still run on them', () => {
    for (const { version, compatibleFrom } of migrations) {
      if (version < 5) expect(compatibleFrom).toBeUndefined();
      else expect(compatibleFrom).toBeLessThanOrEqual(version);
    }
  });

  test('only add, where older services run on them', () => {
    const additive = migrations.filter(({ version, compatibleFrom = version }) => {
      return compatibleFrom < version;
    });
    expect(additive.length).toBeGreaterThan(0);
    expect(additive.flatMap(({ sql }) => takingLines(sql))).toEqual([]);
  });
});

test.each([
  'drop table lease;',
  'alter table lease drop column owner;',
  'alter table lease rename column owner to holder;',
  'alter table lease alter column owner drop not null;',
  'alter table lease add column since bigint not null;',
  'delete from lease;',
  'update lease set owner = null;',
  'create unique index one_owner on lease (owner);',
])('"%s" removes something from older services', (sql) => {
  expect(takingLines(`${sql}\n`)).toEqual([sql]);
});

test('a table that is rebuilt under its name removes nothing, and a dropped table does', () => {
  const rebuilt = 'drop table lease;\n\nalter table lease_new rename to lease;\n';
  expect(takingLines(rebuilt)).toEqual([]);
  expect(takingLines(rebuilt.replace('to lease', 'to term'))).toHaveLength(2);
});

test('a unique index removes nothing if it covers only a column that older ones leave null', () => {
  const column = 'alter table lease add column reference text;\n';
  const index = 'create unique index one on lease (reference)\n where reference is not null;\n';
  expect(takingLines(column + index)).toEqual([]);
  expect(takingLines(index)).toHaveLength(1);
  expect(takingLines(column.replace('text', "text default 'a'") + index)).toHaveLength(1);
  expect(takingLines(column + index.replace('reference is', 'owner is'))).toHaveLength(1);
});

test('a trigger on writes to a view removes nothing, a trigger on writes to a table may', () => {
  const trigger =
    'create trigger one instead of delete on held begin\n  update hold set a = 1;\nend;\n';
  expect(takingLines(trigger)).toEqual([]);
  expect(takingLines(trigger.replace('instead of', 'before'))).toHaveLength(1);
});

test('a trigger that clears new columns removes nothing from services without them', () => {
  const columns = 'alter table key add column a text;\nalter table key add column b text;\n';
  const update = '  update key set a = null, b = null where id = new.id;\n';
  const trigger = `create trigger one after update on key begin\n${update}end;\n`;
  expect(takingLines(columns + trigger)).toEqual([]);
  expect(takingLines(trigger)).toHaveLength(1);
  expect(takingLines(columns + trigger.replace('b = null', 'b = 1'))).toHaveLength(1);
  expect(takingLines(columns + trigger.replace('b = null', 'c = null'))).toHaveLength(1);
});

/** Statements that may make a service fail that does not expect them. */
function takingLines(sql: string): readonly string[] {
  // A separate test shows that such a table has its columns and rows.
  const others = sql
    .replaceAll(insteadOfView, '')
    .replaceAll(/^drop table (\w+);\s+alter table \w+ rename to \1;$/gm, '')
    // The text of a table gets a constraint: no row changes, and services store it unchanged.
    .replaceAll(/^update sqlite_schema$/gm, '')
    .replaceAll(clearing, (statement, table: string, sets: string) => {
      const columns = sets.split(', ').map((set) => set.replace(' = null', ''));
      return columns.every((column) => isNewAndOptional(sql, table, column)) ? '' : statement;
    })
    .replaceAll(uniqueWhereTold, (index, table: string, column: string) =>
      isNewAndOptional(sql, table, column) ? '' : index,
    );
  return others.split('\n').filter((line) => taking.some((pattern) => pattern.test(line)));
}

/** A trigger on writes to a view, which no older service makes. */
const insteadOfView =
  /^create (?:trigger \w+ instead of [^;]*? begin|function \w+\(\) returns trigger)(?:.|\n)*?^end(?: \$\$)?;$/gm;

/** An update, in a trigger, that clears columns of the row that was written. */
const clearing = /^ +update (\w+) set (\w+ = null(?:, \w+ = null)*) where id = new\.id;$/gm;

/** A unique index over rows that have a value in one column. */
const uniqueWhereTold = /^create unique index \w+ on (\w+) \([^)]*\)\s+where (\w+) is not null;$/gm;

/** A service without such a column writes null into it. */
function isNewAndOptional(sql: string, table: string, column: string): boolean {
  return new RegExp(`^alter table ${table} add column ${column} \\w+;$`, 'm').test(sql);
}

const taking = [
  /^\s*(drop|delete|update|truncate)\b/i,
  /\balter table \w+ (drop|rename|alter)\b/i,
  /\badd column\b(?!.*\bdefault\b).*\bnot null\b/i,
  /^\s*create unique index\b/i,
];

describe('a service of schema 6', () => {
  const known = [1, 2, 3, 4, 5, 6].map(step);

  test('brings an older store up to date', () => {
    expect(pendingMigrations(known, [])).toEqual(known);
    expect(pendingMigrations(known, [applied(1), applied(2)])).toEqual(known.slice(2));
    expect(pendingMigrations(known, known.map(appliedOf))).toEqual([]);
  });

  test.each([
    { from: [6], starts: true },
    { from: [4, 6], starts: true },
    { from: [7], starts: false },
    { from: [7, 4], starts: false },
    { from: [4, null], starts: false },
  ])('on a store whose next steps are compatible from $from: starts, $starts', (row) => {
    const { from, starts } = row;
    const later = from.map((compatibleFrom, index) => applied(index + 7, compatibleFrom));
    const start = () => pendingMigrations(known, [...known.map(appliedOf), ...later]);
    if (starts) expect(start()).toEqual([]);
    else
      expect(start).toThrow(
        `has schema ${6 + from.length}, but this model-gateway supports up to 6`,
      );
  });

  test('rejects a store whose next step does not declare its compatibility', () => {
    const row = { version: 7n, name: 'later' };
    expect(() => pendingMigrations(known, [row])).toThrow('has schema 7');
  });
});

function step(version: number): Migration {
  return { version, name: `step${version}`, sql: '', compatibleFrom: undefined };
}

function applied(version: number, compatibleFrom: number | null = null) {
  const from = compatibleFrom === null ? null : BigInt(compatibleFrom);
  return { version: BigInt(version), name: 'later', compatible_from: from };
}

function appliedOf({ version }: Migration) {
  return applied(version);
}
