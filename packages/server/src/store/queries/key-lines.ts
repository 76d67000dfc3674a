import { parseKeyName } from '../../domain/key-name.ts';
import type { Query, SqlRow } from '../port/port.ts';
import { asOptionalBig, asOptionalInt, int, optionalText, text } from '../schema/columns.ts';

/** The few fields for sorting and filtering keys: there may be 100,000 keys. */
export interface KeyLine {
  readonly id: string;
  readonly app: string;
  /** A person or team. */
  readonly contact: string;
  readonly note: string;
  readonly isEnabled: boolean;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  /** The first key's id, which rotated keys share. */
  readonly lineage: string;
  readonly lastUsedAt: number | undefined;
  readonly dailyPicoUsd: bigint | undefined;
}

/** Keys per query, whose rows are copied between threads at once. */
export const keyLinesAtOnce = 1_000;

/** An app or a key rotation chain, not both. */
export interface KeyNarrowing {
  /** May also match a few keys of other apps: the key's name decides. */
  readonly app?: string | undefined;
  readonly lineage?: string | undefined;
  /** Rotated keys, and their successors. */
  readonly isRotated?: boolean;
}

const selectLines = `
  select k.id, k.name, k.customer_id, k.note, k.enabled, k.created_at, k.expires_at,
         k.lineage, u.last_used_at, b.cap
    from api_key k
    left join key_use u on u.key_id = k.id
    left join budget_definition b
      on b.scope = 'key:' || coalesce(k.lineage, k.id) and b.span = 'day'
   where k.id > $1`;
const ofApp = "and (k.customer_id = $3 or k.name like 'llm::%::' || $3 || '::%')";
const ofRotationChain = 'and (k.id = $3 or k.lineage = $3)';
const ofRotations =
  'and (k.lineage is not null or k.id in (select lineage from api_key where lineage is not null))';

/** From an id on. */
export function selectKeyLines(
  after: string,
  { app, lineage, isRotated = false }: KeyNarrowing,
): Query<readonly KeyLine[]> {
  const narrowed = lineage ?? app;
  const ofOne = lineage === undefined ? ofApp : ofRotationChain;
  return {
    sql: [
      selectLines,
      narrowed === undefined ? '' : ofOne,
      isRotated ? ofRotations : '',
      'order by k.id limit $2',
    ].join(' '),
    values: [after, keyLinesAtOnce, ...(narrowed === undefined ? [] : [narrowed])],
    map: (rows) => rows.map(lineOf),
  };
}

function lineOf(row: SqlRow): KeyLine {
  const [id, customerId] = [text(row, 'id'), text(row, 'customer_id')];
  const { app = customerId, email = customerId } = parseKeyName(text(row, 'name')) ?? {};
  return {
    ...{ id, app, contact: email, note: optionalText(row, 'note') ?? '' },
    ...{ isEnabled: int(row, 'enabled') === 1, createdAt: int(row, 'created_at') },
    expiresAt: asOptionalInt(row.expires_at, 'expires_at'),
    lineage: optionalText(row, 'lineage') ?? id,
    lastUsedAt: asOptionalInt(row.last_used_at, 'last_used_at'),
    dailyPicoUsd: asOptionalBig(row.cap, 'cap'),
  };
}
