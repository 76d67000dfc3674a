import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SentRequest } from './front.ts';

const file = fileURLToPath(new URL('sent.json', import.meta.url));

/** Headers that differ from machine to machine, or that only HTTP requires. */
const unnamed = new Set([
  ...['host', 'connection', 'content-length', 'accept-encoding', 'user-agent', 'accept-language'],
  ...['sec-fetch-mode', 'priority', 'transfer-encoding'],
]);

/**
 * The contents of each client's requests: request lines, names of headers, and paths of fields in
 * its bodies.
 */
type Sent = Readonly<Record<string, readonly string[]>>;

/** Records the requests as the expected ones from now on. */
export function recordSent(requests: readonly SentRequest[]): void {
  const all = { ...recorded(), ...describeAll(requests) };
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
}

function recorded(): Sent {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The differences between the requests and the recorded ones, in both directions. */
export function compareSent(requests: readonly SentRequest[]): readonly string[] {
  const before = recorded();
  const changes: string[] = [];
  for (const [client, lines] of Object.entries(describeAll(requests))) {
    const recordedLines = before[client] ?? [];
    const added = lines.filter((line) => !recordedLines.includes(line));
    const missing = recordedLines.filter((line) => !lines.includes(line));
    for (const line of added) changes.push(`${client} sends what it did not: ${line}`);
    for (const line of missing) changes.push(`${client} no longer sends: ${line}`);
  }
  return changes;
}

function describeAll(requests: readonly SentRequest[]): Sent {
  const all = new Map<string, Set<string>>();
  for (const { client, line, headers, body } of requests) {
    const lines = all.get(client) ?? new Set();
    all.set(client, lines);
    lines.add(line);
    for (const name of Object.keys(headers)) if (!unnamed.has(name)) lines.add(`${name}: header`);
    if (body !== undefined) for (const path of fieldsOf(body, '')) lines.add(path);
  }
  return Object.fromEntries([...all].map(([client, lines]) => [client, [...lines].sort()]));
}

/** The paths of all fields; all elements of an array have one path. */
function fieldsOf(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => fieldsOf(item, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [path];
  // The contents of a schema belong to its author.
  if (/(schema|parameters)$/.test(path)) return [path];
  return Object.entries(value).flatMap(([name, inner]) =>
    fieldsOf(inner, path === '' ? name : `${path}.${name}`),
  );
}
