export interface JsonEdit {
  /** From the outside in; never empty. */
  readonly path: readonly (string | number)[];
  /** Undefined removes the field or item. */
  readonly json: string | undefined;
  readonly isAdded?: true;
}

/**
 * Keeps all other bytes as written, so no number or text is reformatted. The text must be JSON.
 * Skips missing paths. Changes every duplicate name.
 */
export function editJson(text: string, edits: readonly JsonEdit[]): string {
  const tree: Tree = { json: undefined, isEdit: false, inner: new Map(), isPresent: false };
  for (const edit of edits) addTo(tree, edit);
  const spans: Span[] = [];
  const start = skipBlanks(text, 0);
  const end = walk(text, start, tree, spans);
  const added = edits.filter(({ path, isAdded }) => isAdded && !hasField(tree, path));
  const edited = applySpans(text, spans);
  return added.length === 0 ? edited : withFields(edited, added, text.length - end);
}

/** The text as written; for duplicate names, the first. The text must be JSON. */
export function memberText(text: string, name: string): string | undefined {
  for (const member of membersAt(text, 0)) {
    if (member.name === name) return text.slice(member.start, member.end);
  }
  return undefined;
}

export interface JsonMember {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** In order, duplicates included; empty unless an object. The text must be JSON. */
export function* membersAt(text: string, objectAt: number): Generator<JsonMember> {
  const start = skipBlanks(text, objectAt);
  if (text[start] !== '{') return;
  let at = skipBlanks(text, start + 1);
  while (text[at] !== '}') {
    const nameEnd = endOfString(text, at);
    const valueAt = valueStart(text, nameEnd);
    const end = skipValue(text, valueAt);
    yield { name: nameIn(text.slice(at, nameEnd)), start: valueAt, end };
    at = skipBlanks(text, end);
    if (text[at] === ',') at = skipBlanks(text, at + 1);
  }
}

export function valueStart(text: string, nameEnd: number): number {
  const colonAt = skipBlanks(text, nameEnd);
  return text[colonAt] === ':' ? skipBlanks(text, colonAt + 1) : -1;
}

export function valueText(text: string, start: number): string {
  return text.slice(start, skipValue(text, start));
}

/** The length, if the end quote is missing. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (text.charCodeAt(end - 1) === backslash && isEscaped(text, end))
    end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

/** Returns `start` if no number begins there. */
export function endOfNumber(text: string, start: number): number {
  let end = start;
  while (isOfNumber(text.charCodeAt(end), end > start)) end += 1;
  return end;
}

function isOfNumber(code: number, isBegun: boolean): boolean {
  if ((code >= 0x30 && code <= 0x39) || code === 0x2d) return true;
  // A point, a plus, and an e of either case.
  return isBegun && (code === 0x2e || code === 0x2b || (code | 0x20) === 0x65);
}

interface Tree {
  json: string | undefined;
  isEdit: boolean;
  isPresent: boolean;
  readonly inner: Map<string | number, Tree>;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly json: string;
}

function addTo(tree: Tree, { path, json }: JsonEdit) {
  let node = tree;
  for (const step of path) {
    const next = node.inner.get(step) ?? {
      ...{ json: undefined, isEdit: false, isPresent: false, inner: new Map() },
    };
    node.inner.set(step, next);
    node = next;
  }
  node.json = json;
  node.isEdit = true;
}

function hasField(tree: Tree, [first = '']: JsonEdit['path']): boolean {
  return tree.inner.get(first)?.isPresent === true;
}

function walk(text: string, start: number, tree: Tree, spans: Span[]): number {
  const isList = text[start] === '[';
  if (!isList && text[start] !== '{') return skipValue(text, start);
  const members: Member[] = [];
  let at = skipBlanks(text, start + 1);
  for (let index = 0; text[at] !== ']' && text[at] !== '}'; index++) {
    const memberAt = at;
    let name: string | number = index;
    if (!isList) {
      const nameEnd = endOfString(text, at);
      name = nameIn(text.slice(at, nameEnd));
      at = skipBlanks(text, skipBlanks(text, nameEnd) + 1);
    }
    const node = tree.inner.get(name);
    const isTakenOut = node?.isEdit === true && node.json === undefined;
    const end = node === undefined ? skipValue(text, at) : change(text, at, node, spans);
    members.push({ start: memberAt, end, isTakenOut });
    at = skipBlanks(text, end);
    if (text[at] === ',') at = skipBlanks(text, at + 1);
  }
  takeOut(members, spans);
  return at + 1;
}

function change(text: string, at: number, node: Tree, spans: Span[]): number {
  node.isPresent = true;
  if (!node.isEdit) return walk(text, at, node, spans);
  const end = skipValue(text, at);
  if (node.json !== undefined) spans.push({ start: at, end, json: node.json });
  return end;
}

interface Member {
  readonly start: number;
  readonly end: number;
  readonly isTakenOut: boolean;
}

/** Removes the comma before it, or the comma after it if no retained member precedes it. */
function takeOut(members: readonly Member[], spans: Span[]) {
  let hasStayed = false;
  for (const [index, { start, end, isTakenOut }] of members.entries()) {
    if (!isTakenOut) hasStayed = true;
    else if (hasStayed) spans.push({ start: members[index - 1]?.end ?? start, end, json: '' });
    else spans.push({ start, end: members[index + 1]?.start ?? end, json: '' });
  }
}

function applySpans(text: string, spans: readonly Span[]): string {
  let edited = '';
  let from = 0;
  for (const { start, end, json } of spans.toSorted((a, b) => a.start - b.start)) {
    edited += text.slice(from, start) + json;
    from = end;
  }
  return edited + text.slice(from);
}

/** `behind`: count of blanks after the closing brace. */
function withFields(text: string, added: readonly JsonEdit[], behind: number): string {
  const brace = text.length - behind - 1;
  if (text[brace] !== '}') return text;
  const isEmpty = /\{\s*$/.test(text.slice(0, brace));
  const fields = added.map(({ path, json }) => `${JSON.stringify(String(path[0]))}:${json}`);
  return `${text.slice(0, brace)}${isEmpty ? '' : ','}${fields.join(',')}${text.slice(brace)}`;
}

function nameIn(written: string): string {
  return written.includes('\\') ? String(JSON.parse(written)) : written.slice(1, -1);
}

function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === quote) return endOfString(text, start);
  if (first !== openBrace && first !== openBracket) return skipScalar(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at) - 1;
    else if (code === openBrace || code === openBracket) depth += 1;
    else if (code === closeBrace || code === closeBracket) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

function skipScalar(text: string, start: number): number {
  let at = start;
  while (at < text.length && !/[\s,\]}]/.test(text[at] ?? '')) at += 1;
  return at;
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= 0x20) at += 1;
  return at;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1;
  return backslashes % 2 === 1;
}

const quote = 0x22;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
