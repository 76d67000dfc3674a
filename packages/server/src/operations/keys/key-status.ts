import {
  type KeyLine,
  type KeyNarrowing,
  keyLinesAtOnce,
  selectKeyLines,
} from '../../store/queries/key-lines.ts';
import { selectKey } from '../../store/queries/registry.ts';
import { appRow } from '../apps/apps.ts';
import type { AdminContext } from '../context/context.ts';

export const keyStates = ['replaced', 'new', 'active', 'expired', 'disabled'] as const;

export interface KeyStatus extends KeyLine {
  readonly state: (typeof keyStates)[number];
  /** The newest key of its rotation chain, if that is another key. */
  readonly replacedBy: string | undefined;
}

export interface KeyScope {
  readonly app?: string | undefined;
  /** Undefined: all. */
  readonly apps: readonly string[] | undefined;
  /** Limits the keys to this key's rotation chain. */
  readonly key?: string | undefined;
}

/** Retains no key: there may be 100,000. Throws an AdminError for an unregistered app. */
export async function eachKey(
  context: AdminContext,
  { app, apps, key }: KeyScope,
  work: (key: KeyStatus) => void,
): Promise<void> {
  const { store, clock } = context;
  let isEmpty = true;
  const nowMs = clock.now();
  const rotationChain = key && ((await store.readForOperator(selectKey(key)))?.lineage ?? key);
  const narrowing = rotationChain === undefined ? { app } : { lineage: rotationChain };
  const rotations = await readRotations(store, narrowing, nowMs);
  await eachLine(store, narrowing, (line) => {
    if (apps?.includes(line.app) === false || (app ?? line.app) !== line.app) return;
    isEmpty = false;
    work({ ...line, ...statusOf(line, rotations.get(line.lineage), nowMs) });
  });
  if (isEmpty && app !== undefined) await appRow(context, app);
}

/** Reads page by page, so no turn of the event loop handles all keys. */
async function eachLine(
  { readForOperator }: AdminContext['store'],
  narrowing: KeyNarrowing,
  work: (line: KeyLine) => void,
): Promise<void> {
  let page: readonly KeyLine[];
  let after = '';
  do {
    page = await readForOperator(selectKeyLines(after, narrowing));
    for (const line of page) work(line);
    after = page.at(-1)?.id ?? after;
  } while (page.length === keyLinesAtOnce);
}

interface Rotation {
  /** The newest key that replaced another one. */
  newest: KeyLine | undefined;
  working: number;
}

async function readRotations(
  store: AdminContext['store'],
  narrowing: KeyNarrowing,
  nowMs: number,
): Promise<ReadonlyMap<string, Rotation>> {
  const rotations = new Map<string, Rotation>();
  await eachLine(store, { ...narrowing, isRotated: true }, (line) => {
    const known = rotations.get(line.lineage) ?? { newest: undefined, working: 0 };
    rotations.set(line.lineage, known);
    if (works(line, nowMs)) known.working += 1;
    const isNewer = line.createdAt > (known.newest?.createdAt ?? 0);
    if (line.id !== line.lineage && isNewer) known.newest = line;
  });
  return rotations;
}

function works({ isEnabled, expiresAt = Infinity }: KeyLine, nowMs: number): boolean {
  return isEnabled && expiresAt > nowMs;
}

function statusOf(
  line: KeyLine,
  { newest, working }: Rotation = { newest: undefined, working: 0 },
  nowMs: number,
): Pick<KeyStatus, 'state' | 'replacedBy'> {
  const isOlder = newest !== undefined && newest.id !== line.id;
  const next = isOlder && newest.createdAt >= line.createdAt ? newest : undefined;
  return { state: stateOf(), replacedBy: next?.id };

  function stateOf(): KeyStatus['state'] {
    if (!line.isEnabled) return 'disabled';
    if (!works(line, nowMs)) return 'expired';
    if (next !== undefined && works(next, nowMs)) return 'replaced';
    return working > 1 ? 'new' : 'active';
  }
}
