import type { KeyRing } from '../../lib/key-ring.ts';
import type { Query, Store } from '../port/port.ts';
import {
  type AuditHead,
  type ChainedLine,
  hashOf,
  headOf,
  wholeStart,
} from '../schema/audit-chain.ts';
import { selectHead } from '../schema/audit-lines.ts';
import { auditLines } from '../schema/audit-table.ts';
import { int } from '../schema/columns.ts';

export interface ChainFindings {
  readonly breaches: number;
  /** The ring lacks the key, or a line has no key after a line with a key. */
  readonly unproven: number;
  /** Outside the chain, in a store that earlier versions may have written. */
  readonly unchained: number;
}

const pageLines = 1_000;

/** Undefined if the store has lost it. */
export const readHead: Query<AuditHead | undefined> = {
  sql: selectHead,
  values: [],
  map: ([row]) => row && headOf(row),
};

const countUnchained: Query<number> = {
  sql: 'select count(*) as lines from audit_log where seq is null',
  values: [],
  isLong: true,
  map: ([row]) => (row === undefined ? 0 : int(row, 'lines')),
};

function selectPage(after: number): Query<readonly ChainedLine[]> {
  return {
    sql: 'select * from audit_log where seq > $1 order by seq limit $2',
    values: [after, pageLines],
    map: (rows) => rows.map(auditLines.read),
  };
}

export async function followChain(store: Store): Promise<ChainFindings> {
  const chain = createFollower(store.ring);
  for (;;) {
    const page = await store.read(selectPage(chain.at().seq));
    for (const line of page) chain.follow(line);
    if (page.length === pageLines) continue;
    // Read last: lines that are added during the run precede it, and are also followed.
    const head = await store.read(readHead);
    if (page.length > 0 && head !== undefined && head.seq > chain.at().seq) continue;
    const unchained = await store.read(countUnchained);
    return chain.endAt(head, unchained);
  }
}

function createFollower(ring: KeyRing | undefined) {
  let last: AuditHead = { seq: 0, kid: '', hmac: '' };
  let breaches = 0;
  let unproven = 0;
  let isWhole = false;
  return { follow, endAt, at: () => last };

  function follow(line: ChainedLine) {
    const { seq = 0, kid = '', hmac = '' } = line;
    const chainedTo = (before: string) => hashOf({ ...line, seq, kid }, before, ring);
    if (last.seq === 0 && chainedTo(wholeStart) === hmac) startWhole();
    const hash = chainedTo(last.hmac);
    const isDowngraded = kid === '' && last.kid !== '';
    // The next lines were chained to a missing line, so they cannot be compared.
    if (seq !== last.seq + 1) breaches += Math.max(1, seq - last.seq - 1);
    else if (hash === undefined || isDowngraded) unproven += 1;
    else if (hash !== hmac) breaches += 1;
    last = { seq, kid: kid === '' ? last.kid : kid, hmac };
  }

  function startWhole() {
    isWhole = true;
    last = { ...last, hmac: wholeStart };
  }

  function endAt(head: AuditHead | undefined, unchained: number): ChainFindings {
    if (last.seq === 0 && head?.hmac === wholeStart) startWhole();
    const missing = (head?.seq ?? 0) - last.seq;
    const isOther = head?.hmac !== last.hmac;
    const atEnd = missing === 0 ? Number(isOther) : Math.max(1, missing);
    // No version of the service writes such lines in this store.
    const added = isWhole ? unchained : 0;
    return { breaches: breaches + atEnd + added, unproven, unchained: unchained - added };
  }
}
