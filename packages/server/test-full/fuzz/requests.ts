import { routes, streamingPaths } from '@model-gateway/contract';
import fc from 'fast-check';
import { goodBodies, mutate, mutations } from '../../test/fuzz/bodies.ts';

/** A request as it is sent. */
export interface FuzzedRequest {
  readonly bytes: Buffer;
  /** True if its length is correct: then it must get a response, and another may follow. */
  readonly isFramed: boolean;
  readonly isHead: boolean;
}

/** API keys by their defect; `none` sends none. */
export type Keys = Readonly<Record<(typeof keyNames)[number], string>>;

/** The kinds of API keys that requests are sent with. */
export const keyNames = ['search', 'tutor', 'poor', 'few', 'closed', 'nobodys', 'odd'] as const;

const keyName = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('search' as const, 'tutor' as const) },
  fc.constantFrom(...keyNames),
);

const posted = fc.constantFrom('/v1/chat' as const, '/v1/objects' as const, '/v1/agents/run');
const anyPath = fc.oneof(
  fc.constantFrom(...Object.values(routes).map(({ path }) => path), ...streamingPaths),
  fc.constantFrom('/v1/chat/', '/V1/chat', '/v1//chat', '/v1/%63hat', '/v1', '/../v1/chat', '*'),
  fc.constantFrom('/v1/chat?a=1', '/v1/usage?', '/v1/usage#x', '//', '/v1/chat;x', '/%', '/%00'),
  fc.constantFrom(
    'http://gateway.test/v1/usage',
    'http://[/v1/usage',
    'mailto:a@b',
    '/favicon.ico',
  ),
  fc.webPath().map((path) => (path.startsWith('/') ? path : `/${path}`)),
  fc
    .constantFrom('ada', 'a%2Fb', '%E0%A4%A', '%00', 'a/b', '', 'x'.repeat(129), '%ff', '..')
    .map((user) => `/v1/credits/${user}`),
);
const method = fc.oneof(
  fc.constantFrom('GET', 'GET', 'GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'),
  fc.constantFrom('TRACE', 'QUERY', 'PROPFIND', 'M-SEARCH', 'LOCK'),
);
const header = fc.oneof(
  fc.constantFrom<readonly [string, string]>(
    ...([
      ['idempotency-key', 'same'],
      ['idempotency-key', 'other'],
      ['idempotency-key', ''],
      ['idempotency-key', 'é'],
      ['idempotency-key', 'k'.repeat(256)],
      ['content-type', 'text/plain'],
      ['content-type', 'application/json; charset=latin1'],
      ['content-type', 'APPLICATION/JSON'],
      ['accept-encoding', 'gzip, br'],
      ['content-encoding', 'gzip'],
      ['expect', 'miracles'],
      ['upgrade', 'websocket'],
      ['connection', 'upgrade'],
      ['x-http-method-override', 'DELETE'],
      ['x-forwarded-for', '127.0.0.1'],
      ['range', 'bytes=0-1'],
      ['cookie', 'a'.repeat(20_000)],
    ] as const),
  ),
);

/** Changes in the text of a body that make it invalid JSON. */
const textChange = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('cut', 'insert', 'repeat', 'number', 'name'),
  piece: fc.constantFrom('"', '{', '}', '[', ',', ':', '\\', '\u0000', '\ufeff', '1e400', '-', 'é'),
});

function changeText(text: string, changes: readonly TextChange[]): string {
  let changed = text;
  for (const { at, how, piece } of changes) {
    const index = at % (changed.length + 1);
    const [head, tail] = [changed.slice(0, index), changed.slice(index)];
    if (how === 'cut') changed = head;
    else if (how === 'insert') changed = head + piece + tail;
    else if (how === 'repeat') changed = head + tail.slice(0, 20) + tail;
    else if (how === 'number') changed = head + tail.replace(/\d+/, '1e400');
    else changed = head + tail.replace(/"\w+":/, '"__proto__":');
  }
  return changed;
}
type TextChange = typeof textChange extends fc.Arbitrary<infer T> ? T : never;

const body = posted.chain((path) =>
  fc
    .tuple(
      goodBodies[path],
      fc.oneof(mutations, fc.constant([])),
      fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, fc.array(textChange, { maxLength: 2 })),
    )
    .map(([good, changes, edits]) => {
      return { path, text: changeText(JSON.stringify(mutate(good, changes)) ?? '', edits) };
    }),
);

/** One request in three: a body to its route, anything to any route, bytes that are hardly HTTP. */
export function requestsWith(keys: Keys): fc.Arbitrary<FuzzedRequest> {
  const own = fc.oneof(
    { weight: 6, arbitrary: fc.constant([]) },
    fc.array(header, { maxLength: 2 }),
  );
  const toRoute = fc
    .tuple(body, keyName, own)
    .map(([{ path, text }, key, more]) =>
      framed('POST', path, [['x-api-key', keys[key]], ...withType(more)], Buffer.from(text)),
    );
  const toAnywhere = fc
    .tuple(method, anyPath, fc.option(keyName), fc.array(header, { maxLength: 3 }), body)
    .map(([verb, path, key, more, { text }]) => {
      const given = key === null ? [] : ([['x-api-key', keys[key]]] as const);
      const sent = verb === 'GET' || verb === 'HEAD' ? '' : text;
      return framed(verb, path, [...given, ...withType(more)], Buffer.from(sent));
    });
  const garbled = fc
    .tuple(toRoute, fc.array(byteChange, { minLength: 1, maxLength: 4 }))
    .map(([{ bytes }, changes]): FuzzedRequest => {
      return { bytes: changeBytes(bytes, changes), isFramed: false, isHead: false };
    });
  return fc.oneof(
    { weight: 6, arbitrary: toRoute },
    { weight: 3, arbitrary: toAnywhere },
    { weight: 2, arbitrary: garbled },
  );
}

type Headers = readonly (readonly [string, string])[];

function withType(headers: Headers): Headers {
  const has = headers.some(([name]) => name === 'content-type');
  return has ? headers : [['content-type', 'application/json'], ...headers];
}

function framed(verb: string, path: string, headers: Headers, content: Buffer): FuzzedRequest {
  const length = content.length === 0 ? [] : ([['content-length', `${content.length}`]] as const);
  const lines = [['host', 'gateway.test'] as const, ...headers, ...length];
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const first = Buffer.from(`${verb} ${path} HTTP/1.1\r\n${head}\r\n`);
  return { bytes: Buffer.concat([first, content]), isFramed: true, isHead: verb === 'HEAD' };
}

const byteChange = fc.record({
  at: fc.nat(),
  /** Most parser failures come from the head. */
  isInHead: fc.boolean(),
  how: fc.constantFrom('cut', 'insert', 'replace'),
  piece: fc.oneof(
    fc.constantFrom(
      ...['\r\n', '\n', '\r', ' ', '\t', ':', '\0', '\r\n\r\n', 'HTTP/0.9', 'HTTP/2.0', 'CONNECT '],
      ...['content-length: 5\r\n', 'transfer-encoding: chunked\r\n', 'x-api-key: two\r\n', '-1'],
      ...['expect: 100-continue\r\n', 'upgrade: h2c\r\nconnection: upgrade\r\n', 'ffffffff\r\n'],
    ),
    fc.uint8Array({ minLength: 1, maxLength: 8 }),
  ),
});
type ByteChange = typeof byteChange extends fc.Arbitrary<infer T> ? T : never;

function changeBytes(bytes: Buffer, changes: readonly ByteChange[]): Buffer {
  let changed = bytes;
  for (const { at, isInHead, how, piece } of changes) {
    const within = isInHead ? Math.max(1, changed.indexOf('\r\n\r\n')) : changed.length + 1;
    const index = at % within;
    const extra = Buffer.from(piece);
    const rest = how === 'replace' ? index + extra.length : index;
    const tail = how === 'cut' ? [] : [extra, changed.subarray(rest)];
    changed = Buffer.concat([changed.subarray(0, index), ...tail]);
  }
  return changed;
}
