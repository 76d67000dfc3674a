import { useLayoutEffect, useState } from 'preact/hooks';
import { read } from './client.ts';
import { type Failure, failureOf } from './failure.ts';
import { isLive } from './live.ts';

export interface Read<T> {
  /** The last document; it stays during a reload, and after a failed one. */
  readonly data: T | undefined;
  readonly failure: Failure | undefined;
  readonly isStale: boolean;
  /** Neither a document nor a failure has arrived. */
  readonly isPending: boolean;
  /** Milliseconds since 1970. */
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
  isDue: boolean;
}

const entries = new Map<string, Entry>();
const entriesMax = 60;
/** Younger documents are shown without a new read. */
const freshMs = 2_000;
/** Without a live stream, documents with a topic are read again this often. */
const pollMs = 10_000;

/**
 * Reads again when its topic changes; shows a cached document at once. Reads nothing without a
 * path.
 */
export function useRead<T>(path: string | undefined, topic?: string): Read<T> {
  const [, draw] = useState(0);
  // An effect that waits for a drawn frame would read a frame later.
  useLayoutEffect(() => {
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
    isPending: path !== undefined && entry?.at === undefined && entry?.failure === undefined,
    isStale: entry !== undefined && (entry.isDue || entry.isLoading || entry.failure !== undefined),
    at: entry?.at,
    etag: entry?.etag,
    again: () => void (path !== undefined && load(entryOf(path))),
  };
}

function entryOf(path: string): Entry {
  const existing = entries.get(path);
  if (existing !== undefined) return existing;
  for (const [old, { listeners }] of entries) {
    if (entries.size < entriesMax) break;
    if (listeners.size === 0) entries.delete(old);
  }
  const entry = { path, topics: new Set<string>(), listeners: new Set<() => void>() };
  const made: Entry = { ...entry, isLoading: false, isDue: false };
  entries.set(path, made);
  return made;
}

const waiting = new Set<() => void>();

/** Whether each document of the page has arrived or failed once. */
export function useIsRead(): boolean {
  const [isRead, setRead] = useState(false);
  useLayoutEffect(() => {
    const listener = () => setRead(true);
    waiting.add(listener);
    // Other effects of the page start its reads first; fresh documents need none.
    queueMicrotask(endWaiting);
    return () => void waiting.delete(listener);
  }, []);
  return isRead;
}

async function load(entry: Entry): Promise<void> {
  entry.isDue = true;
  if (entry.isLoading) return;
  entry.isLoading = true;
  while (entry.isDue) {
    entry.isDue = false;
    notify(entry);
    try {
      const { data, etag } = await read<unknown>(entry.path);
      Object.assign(entry, { data, etag, at: Date.now(), failure: undefined });
    } catch (error) {
      entry.failure = failureOf(error);
    }
  }
  entry.isLoading = false;
  notify(entry);
  endWaiting();
}

/** Nothing was read before the first page: its script might still be loading. */
function endWaiting(): void {
  if (entries.size === 0 || [...entries.values()].some((one) => one.isLoading)) return;
  for (const listener of waiting) listener();
  waiting.clear();
}

function notify({ listeners }: Entry): void {
  for (const listener of listeners) listener();
}

/** Only documents in view are read; without a topic, all of them. */
export function markChanged(topic?: string): void {
  for (const entry of entries.values()) {
    if (topic !== undefined && !entry.topics.has(topic)) continue;
    if (entry.listeners.size > 0) void load(entry);
    else entry.at = 0;
  }
}

/** Another person's session must not see what this one read. */
export function clearAll(): void {
  entries.clear();
}

export function startPolling(): () => void {
  const timer = setInterval(() => {
    if (isLive() || document.visibilityState === 'hidden') return;
    for (const entry of entries.values()) {
      if (entry.topics.size > 0 && entry.listeners.size > 0) void load(entry);
    }
  }, pollMs);
  return () => clearInterval(timer);
}
