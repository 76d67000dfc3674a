/** A pattern as positions: each is one character of a match, with its possible successors. */
export interface Automaton {
  /** The characters that a position accepts, one bit each. */
  readonly takes: readonly bigint[];
  readonly follows: readonly ReadonlySet<number>[];
  /** Positions at which a match may end. */
  readonly last: ReadonlySet<number>;
}

/** Part of a pattern. Source: Glushkov, The abstract theory of automata, 1961. */
interface Part {
  readonly isEmpty: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const nothing: Part = { isEmpty: true, first: [], last: [] };
/** The end of the text is a character after all others. */
const characters = 256;
const token =
  /\(\?(?:<?[=!]|:|<\w+>)|\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u\w{4}|x\w\w|.)|[\s\S]/y;
const repeat = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y;

/** Reads a pattern, without its lookaheads and lookbehinds. */
export function automatonOf(source: string, flags: string): Automaton {
  const takes: bigint[] = [];
  const follows: Set<number>[] = [];
  let at = 0;
  const { last } = readChoice();
  return { takes, follows, last: new Set(last) };

  function readChoice(): Part {
    const choices = [readSequence()];
    while (source[at] === '|') {
      at += 1;
      choices.push(readSequence());
    }
    return {
      isEmpty: choices.some(({ isEmpty }) => isEmpty),
      first: choices.flatMap(({ first }) => first),
      last: choices.flatMap((choice) => choice.last),
    };
  }

  function readSequence(): Part {
    let whole = nothing;
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const next = repeated(readOne());
      link(whole.last, next.first);
      whole = {
        isEmpty: whole.isEmpty && next.isEmpty,
        first: whole.isEmpty ? [...whole.first, ...next.first] : whole.first,
        last: next.isEmpty ? [...whole.last, ...next.last] : next.last,
      };
    }
    return whole;
  }

  function readOne(): Part {
    const text = next(token)?.[0] ?? '';
    if (text.startsWith('(')) {
      const group = readChoice();
      at += 1;
      return /[=!]$/.test(text) ? nothing : group;
    }
    if (text === '^' || text === '\\b' || text === '\\B') return nothing;
    const position =
      takes.push(text === '$' ? 1n << BigInt(characters) : acceptedBits(text, flags)) - 1;
    follows.push(new Set());
    return { isEmpty: false, first: [position], last: [position] };
  }

  function repeated(part: Part): Part {
    const [text, least, comma, most] = next(repeat) ?? [];
    if (text === undefined) return part;
    const isEndless = /^[*+]/.test(text) || (comma === ',' && most === '');
    if (isEndless) link(part.last, part.first);
    return { ...part, isEmpty: part.isEmpty || /^[*?]/.test(text) || least === '0' };
  }

  function link(from: readonly number[], to: readonly number[]) {
    for (const position of from) for (const next of to) follows[position]?.add(next);
  }

  function next(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    at += match?.[0].length ?? 0;
    return match;
  }
}

function acceptedBits(text: string, flags: string): bigint {
  const pattern = new RegExp(`^${text}$`, flags.replaceAll(/[gym]/g, ''));
  let bits = 0n;
  for (let code = 0; code < characters; code++) {
    if (pattern.test(String.fromCharCode(code))) bits |= 1n << BigInt(code);
  }
  return bits;
}
