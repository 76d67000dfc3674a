import { compact, cover } from './cover.ts';

export type Redact = (text: string) => string;

/** Removing a shorter one, such as a test word, would garble other texts. */
const secretLengthMin = 6;

const pieceLength = 12;

const secretPatterns: readonly RegExp[] = [
  /\b(?:bearer|basic)\s+[\w+/=.~-]{6,}/gi,
  /\b(?:sk|pk|rk|mgk|gsk|xai|bedrock-api-key)[-_][\w+/=.-]{6,}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{12,}/g,
];

const removed = '[redacted]';

/**
 * Removes secrets by value, in pieces, as base64 and despite spacing, and others by pattern.
 * `current` returns the secret that changes.
 */
export function createRedact(
  secrets: readonly (string | undefined)[],
  current: () => string | undefined = () => undefined,
): Redact {
  const fixed = secrets.filter((secret) => secret !== undefined);
  const short = fixed.filter(({ length }) => length >= secretLengthMin && length < pieceLength);
  const piecesOfFixed = piecesOf(fixed);
  let last: { readonly secret: string; readonly pieces: ReadonlySet<string> } | undefined;
  return (text) => {
    let redacted = withoutPieces(text, [piecesOfFixed, ...piecesOfCurrent()]);
    for (const secret of short) redacted = redacted.replaceAll(secret, removed);
    for (const pattern of secretPatterns) redacted = redacted.replace(pattern, removed);
    return redacted;
  };

  function piecesOfCurrent(): readonly ReadonlySet<string>[] {
    const secret = current();
    if (secret === undefined) return [];
    if (secret !== last?.secret) last = { secret, pieces: piecesOf([secret]) };
    return [last.pieces];
  }
}

function withoutPieces(text: string, sets: readonly ReadonlySet<string>[]): string {
  const short = compact(text);
  const isCovered = new Uint8Array(short.text.length);
  for (let start = 0; start + pieceLength <= short.text.length; start++) {
    const piece = short.text.slice(start, start + pieceLength);
    if (sets.some((pieces) => pieces.has(piece))) isCovered.fill(1, start, start + pieceLength);
  }
  return cover(text, short, { isCovered, by: removed });
}

function piecesOf(secrets: readonly string[]): ReadonlySet<string> {
  const pieces = new Set<string>();
  for (const secret of secrets.flatMap(writingsOf)) {
    const { text } = compact(secret);
    for (let start = 0; start + pieceLength <= text.length; start++) {
      pieces.add(text.slice(start, start + pieceLength));
    }
  }
  return pieces;
}

/** Plain, and in base64 at each of three offsets. */
function writingsOf(secret: string): readonly string[] {
  if (secret.length < pieceLength) return [];
  const encoded = [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.from(' '.repeat(before) + secret);
    const whole = bytes.length - (bytes.length % 3);
    // The first and last characters also encode the neighboring bytes.
    const from = before === 0 ? 0 : 4;
    const inner = bytes.subarray(0, whole);
    return [inner.toString('base64').slice(from), inner.toString('base64url').slice(from)];
  });
  return [secret, ...encoded];
}
