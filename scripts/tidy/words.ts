import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import { isDocument } from './prose.ts';
import { nameOf, type Source, type SyntaxNode, type TextFile } from './source.ts';

/**
 * Private words, and the standard word for each. A name is compared word by word, so `Gate` forbids
 * `GatePlace` and leaves `gateway` unchanged. The meanings of our words are in `docs/glossary.md`.
 */
const privateWords: Readonly<Record<string, string>> = {
  office: 'AdminContext',
  shell: 'CommandContext',
  moment: 'an AbortSignal, or a one-shot event',
  headcount: 'an in-flight counter',
  gate: 'a concurrency limiter, with permits',
  entrance: 'access',
  hand: 'the local allowance',
  wish: 'a request',
  slice: 'a grant',
  trip: 'a pipeline',
  contact: 'the health of a connection',
  culprit: 'invalid',
  oddity: 'strict JSON',
  drains: 'detached calls',
  pulse: 'a heartbeat',
  spread: 'a histogram',
  tallies: 'counters',
  figures: 'metrics queries',
  tray: 'a shared buffer',
  bell: 'a wake-up signal',
  beat: 'a heartbeat',
  hook: 'a webhook',
  stranger: 'an unauthenticated client, or unknown',
  aside: 'for operators, or read-only',
  attendance: 'active apps',
  upkeep: 'maintenance',
  anew: 'again',
  dearest: 'most expensive, or highest',
  rehearsal: 'a dry run, or a preview',
  rehearse: 'preview',
  peak: 'a maximum cost',
  lineage: 'a key rotation chain',
  told: 'sent, shown or reported',
  asked: 'a query, a request or a filter',
  found: 'a match, a row or a result',
  heard: 'received',
  kept: 'stored or retained',
  odd: 'unexpected, or invalid',
  vouch: 'authenticate',
  siblings: 'other threads',
  news: 'events',
};

/** A shell is bash or zsh; "not found" is status 404. */
const allowed = new Set(['shell', 'notFound', 'NotFound']);

/** Declared names that use a private word, and sentences that need a second reading. */
export function findWords({ files, sources }: Project): readonly Finding[] {
  const ours = sources.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path));
  const findings = [...ours.flatMap(inNames), ...ours.flatMap(inComments)];
  const documents = files.filter(({ path }) => isDocument(path) && !path.startsWith(decisions));
  return [
    ...findings,
    ...documents.flatMap(inDocument),
    ...files.flatMap(({ path, text }) => inText(path, text)),
  ];
}

/** Decisions keep their own words. */
const decisions = 'docs/decisions/';

/** A process, a caller and a part of the program are not persons: each is "it". */
const person = /\b(?:(?:no|some|any|every)body(?:['’]s)?|whom|him(?:self)?|he|his)\b/i;

function inComments({ path, comments }: Source): readonly Finding[] {
  return comments.flatMap(({ text, line }) => personIn(path, line, text));
}

function inDocument({ path, text }: TextFile): readonly Finding[] {
  return text.split('\n').flatMap((line, index) => {
    // The names of files are not sentences.
    const prose = line.replace(/\]\([^)]*\)|`[^`]*`/g, '');
    return personIn(path, index + 1, prose);
  });
}

function personIn(path: string, line: number, text: string): readonly Finding[] {
  const match = person.exec(text);
  if (match === null) return [];
  const cure = `name it: "it", "no caller", "the operator"; no "${match[0]}"`;
  return [{ path, line, rule: 'words', cure }];
}

function inNames(source: Source): readonly Finding[] {
  return source.nodes.flatMap(({ node, parent }) => {
    if (node.type !== 'Identifier' || !isDeclared(node, parent)) return [];
    const name = nameOf(node) ?? '';
    const cure = cureOf(name);
    if (cure === undefined) return [];
    return [{ path: source.path, line: source.lineOf(node.start), rule: 'words', cure }];
  });
}

function isDeclared(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (parent?.id === node) return true;
  return Array.isArray(parent?.params) && parent.params.includes(node);
}

function cureOf(name: string): string | undefined {
  if (allowed.has(name)) return undefined;
  if (name === 'of') return 'name the thing: `of` is not a noun';
  for (const word of name.split(/(?=[A-Z])|[-_\d]+/)) {
    const better = privateWords[word.toLowerCase()];
    if (better !== undefined) return `${name}: write ${better}`;
  }
  return undefined;
}

function inText(path: string, text: string): readonly Finding[] {
  if (!/\.(md|ts)$/.test(path) || path.startsWith('scripts/tidy')) return [];
  return text.split('\n').flatMap((line, index) => {
    const match = /\bwho(m?)ever\b/i.exec(line);
    if (match === null) return [];
    const cure = `name it, or write "any": no "${match[0]}"`;
    return [{ path, line: index + 1, rule: 'words', cure }];
  });
}
