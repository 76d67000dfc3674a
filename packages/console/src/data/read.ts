import { useEffect, useState } from 'preact/hooks';
import { read } from './client.ts';
import { type Failure, failureOf } from './failure.ts';
import { isLive } from './live.ts';

/** A document of the service, as far as it is here. */
export interface Read<T> {
  /** The last that came; it stays while another is on its way, and when that fails. */
  readonly data: T | undefined;
  /** Why the last attempt brought nothing. */
  readonly failure: Failure | undefined;
  /** Whether what is here may have changed since. */
  readonly isStale: boolean;
  /** When it came, in milliseconds since 1970. */
  readonly at: number | undefined;
  readonly etag: string | undefined;
  again(): void;
}

interface Entry {
  readonly path: string;
  readonly topics: Set<string>;
  readonly listeners: Set<() => void>;
  data?: unknown;
  etag?: string | undefined;
  at?: number;
  failure?: Failure | undefined;
  isLoading: boolean;
  /** It has changed since it was last asked for. */
  isDue: boolean;
}

const entries = new Map<string, Entry>();
/** Documents that no page looks at are kept for a way back. */
const keptMax = 60;
/** What is younger is shown as it is, without a look whether it has changed. */
const freshMs = 2_000;
/** How often documents are read again that have a topic, while nothing tells of changes. */
const pollMs = 10_000;

/**
 * Reads a document and keeps it up to date while a component looks at it: it is read again when its
 * topic changes. One that is here already is shown at once. Nothing is read without a path.
 */
export function useRead<T>(path: string | undefined, topic?: string): Read<T> {
  const [, draw] = useState(0);
  useEffect(() => {
    if (path === undefined) return;
    const entry = entryOf(path);
    const listener = () => draw((count) => count + 1);
    entry.listeners.add(listener);
    if (topic !== undefined) entry.topics.add(topic);
    if (Date.now() - (entry.at ?? 0) > freshMs) void load(entry);
    return () => entry.listeners.delete(listener);
  }, [path, topic]);
  const entry = path === undefined ? undefined : entries.get(path);
  return {
    data: Object(entry).data,
    failure: entry?.failure,
    isStale: entry !== undefined && (entry.isDue || entry.isLoading || entry.failure !== undefined),
    at: entry?.at,
    etag: entry?.etag,
    again: () => void (path !== undefined && load(entryOf(path))),
  };
}

function entryOf(path: string): Entry {
  const found = entries.get(path);
  if (found !== undefined) return found;
  for (const [old, { listeners }] of entries) {
    if (entries.size < keptMax) break;
    if (listeners.size === 0) entries.delete(old);
  }
  const entry = { path, topics: new Set<string>(), listeners: new Set<() => void>() };
  const made: Entry = { ...entry, isLoading: false, isDue: false };
  entries.set(path, made);
  return made;
}

async function load(entry: Entry): Promise<void> {
  entry.isDue = true;
  if (entry.isLoading) return;
  entry.isLoading = true;
  while (entry.isDue) {
    entry.isDue = false;
    tell(entry);
    try {
      const { data, etag } = await read<unknown>(entry.path);
      Object.assign(entry, { data, etag, at: Date.now(), failure: undefined });
    } catch (error) {
      entry.failure = failureOf(error);
    }
  }
  entry.isLoading = false;
  tell(entry);
}

function tell({ listeners }: Entry): void {
  for (const listener of listeners) listener();
}

/** Reads what has changed: documents of this topic that are looked at; all without a topic. */
export function markChanged(topic?: string): void {
  for (const entry of entries.values()) {
    if (topic !== undefined && !entry.topics.has(topic)) continue;
    if (entry.listeners.size > 0) void load(entry);
    else entry.at = 0;
  }
}

/** Forgets everything, as another person's session must. */
export function forgetAll(): void {
  entries.clear();
}

/** Reads again now and then what has a topic, while nothing tells of changes. */
export function startPolling(): () => void {
  const timer = setInterval(() => {
    if (isLive() || document.visibilityState === 'hidden') return;
    for (const entry of entries.values()) {
      if (entry.topics.size > 0 && entry.listeners.size > 0) void load(entry);
    }
  }, pollMs);
  return () => clearInterval(timer);
}
