import { type PathFamilies, type PathFamily, wireOfPath } from '../domain/path-family.ts';
import type { PlatformConfig } from '../domain/platform.ts';
import { speaksWords as words } from '../domain/platform-kinds/kind-facts.ts';
import { factsOf } from '../domain/platform-kinds/platform-kinds.ts';
import type { Wire } from '../domain/wire.ts';
import { type Field, readList, report } from './field.ts';
import { reader } from './reader.ts';
import { oneOf, shown } from './scalars.ts';
import { key, type Section, uniqueList, type ValuesOf } from './section.ts';

type Word = (typeof words)[number];

const pathOf: Readonly<Record<Word, PathFamily>> = {
  chat: 'v1-chat',
  responses: 'v1-responses',
  messages: 'anthropic-v1-messages',
  'v1-chat': 'v1-chat',
  'v1-responses': 'v1-responses',
  'openai-v1-chat': 'openai-v1-chat',
  'openai-v1-responses': 'openai-v1-responses',
  'anthropic-v1-messages': 'anthropic-v1-messages',
};

const word = oneOf(words);
const list = uniqueList(word);

export const speaksKeys = {
  speaks: key(
    'API formats of the model, or paths of mantle; the first one serves all other formats',
    reader<readonly Word[]>({ ...list.schema, minItems: 1 }, list),
  ),
  pathFamily: key('Deprecated: use speaks', word),
};

export const speaksDependencies = { pathFamily: { not: { required: ['speaks'] } } };

/** Undefined if the row has no such key, which some kinds require. */
export function readSpeaks(
  section: Section<ValuesOf<typeof speaksKeys>>,
  row: Field,
  platform: PlatformConfig | undefined,
): PathFamilies | undefined {
  const speaks = section.field('speaks');
  const alias = section.field('pathFamily');
  const field = speaks ?? alias;
  if (speaks !== undefined && alias !== undefined) {
    return report(alias, 'is an alias of speaks; remove one of the two');
  }
  const facts = platform && factsOf(platform.kind);
  const accepted = facts?.speaks ?? words;
  if (field === undefined) {
    if (platform === undefined || facts?.needsSpeaks !== true) return undefined;
    const path = `${row.path}.speaks`;
    return report({ ...row, path }, `is required on ${platform.name}; list ${accepted.join(', ')}`);
  }
  if (platform !== undefined && accepted.length === 0) {
    return report(
      field,
      `the kind ${platform.kind} of ${platform.name} does not support it: its package decides`,
    );
  }
  return readPaths(field, field === speaks, accepted);
}

function readPaths(
  field: Field,
  isList: boolean,
  accepted: readonly Word[],
): PathFamilies | undefined {
  const read = onePerWire(accepted);
  if (!isList) {
    const path = read(field);
    return path && [path];
  }
  const [first, ...others] = readList(field, read, {
    empty: `is empty; list ${accepted.join(', ')}`,
  });
  return first === undefined ? undefined : [first, ...others];
}

/** A second path for one wire format would never be called. */
function onePerWire(accepted: readonly Word[]) {
  const readWord = oneOf(accepted);
  const firsts = new Map<Wire, string>();
  return (field: Field): PathFamily | undefined => {
    const chosen = readWord(field);
    if (chosen === undefined) return undefined;
    const path = pathOf[chosen];
    const first = firsts.get(wireOfPath[path]);
    if (first !== undefined) {
      const rule = `has the API format of ${first}; remove one of the two`;
      return report(field, `${shown(field)} ${rule}`);
    }
    firsts.set(wireOfPath[path], field.path);
    return path;
  };
}
