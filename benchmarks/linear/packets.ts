import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { cheapestMs, type LinearRow } from './row.ts';

/** 64 KB, less the headers of TCP on the loopback device: the service reads it at once. */
const packetBytes = 65_000;
const atMostMs = 100;
/** A packet without a response by then waits for more bytes. */
const answerMs = 100;

type Shape = readonly [before: string, unit: string, after: string];

const get = 'GET / HTTP/1.1\r\n';
const foo = 'FOO / HTTP/1.1\r\n';
const post = 'POST /v1/chat HTTP/1.1\r\nhost: a\r\n';
const chunked = `${post}transfer-encoding: chunked\r\n\r\n`;
const nul = '\0\r\n\r\n';
const end = '\r\n\r\n';

const shapes: Readonly<Record<string, Shape>> = {
  'tabs and NUL in a value': [`${foo}x:`, '\t', nul],
  'spaces and NUL in a value': [`${foo}x:`, ' ', nul],
  'tabs and spaces and NUL in a value': [`${foo}x:`, '\t ', nul],
  'letters and tabs and NUL in a value': [`${foo}x:`, 'a\t', nul],
  'tabs in a value of a known method': [`${get}x:`, '\t', nul],
  'a value of spaces': [`${foo}x:`, ' ', end],
  'a long value': [`${foo}x: `, 'a', end],
  'a long name': [foo, 'x', `: a${end}`],
  'a name without a value': [foo, 'x', end],
  'short header lines': [foo, 'a:b\r\n', '\r\n'],
  'empty header lines': [foo, 'a:\r\n', nul],
  'header lines of spaces': [foo, 'a: \t \r\n', nul],
  'lines that end in a space': [foo, 'a: b \r\n', nul],
  'repeated hosts': [foo, 'host: a\r\n', '\r\n'],
  'repeated hosts of a known method': [get, 'host: a\r\n', '\r\n'],
  'folded lines': [`${foo}x: a`, '\r\n a', end],
  'folded lines of a known method': [`${get}x: a`, '\r\n\ta', end],
  'a long method': ['', 'F', ` / HTTP/1.1${end}`],
  'a long method of dashes': ['', '-', ` / HTTP/1.1${end}`],
  'a method without an end': ['', 'F', ''],
  'a long target': ['GET /', 'a', ` HTTP/1.1${end}`],
  'a long target of an unknown method': ['FOO /', 'a', ` HTTP/1.1${end}`],
  'spaces behind a target': ['FOO /', ' ', ` HTTP/1.1${end}`],
  'spaces behind a target of a known method': ['GET /', ' ', ` HTTP/1.1${end}`],
  'spaces before a version that does not come': ['GET /', ' ', nul],
  'words behind a target': ['GET /', ' a', nul],
  'words behind a target and HTTP': ['GET /', ' HTTP', nul],
  'repeated versions': ['GET /', ' HTTP/', nul],
  'repeated request lines': ['', 'GET / HTTP/\r\n', ''],
  'repeated request lines without an end': ['', 'GET / HTTP/', ''],
  'repeated request lines of an unknown method': ['', 'FOO / HTTP/1.1\r\n', ''],
  'broken request lines': ['GET\0', 'a b c\r\n', ''],
  'lines of two words': ['\0\r\n', 'a b\r\n', ''],
  'lines of one word': ['\0\r\n', 'a\r\n', ''],
  'words without lines': ['\0', 'a b ', ''],
  'requests in a row': ['', `${get}host: a${end}`, ''],
  'requests in a row without a host': ['', 'GET / HTTP/1.0\r\n\r\n', ''],
  'requests without a key in a row': ['', `GET /v1/usage HTTP/1.1\r\nhost: a${end}`, ''],
  'requests without a host in a row': ['', `${get}\r\n`, ''],
  'requests that expect in a row': ['', `${get}host: a\r\nexpect: a${end}`, ''],
  'pages in a row': ['', `GET /metrics HTTP/1.1\r\nhost: localhost${end}`, ''],
  'requests of an unknown method in a row': ['', `FOO / HTTP/1.1\r\nhost: a${end}`, ''],
  'requests without a route in a row': ['', `GET /a HTTP/1.1\r\nhost: a${end}`, ''],
  'a known request before an unknown one': [
    `${get}host: a${end}FOO / HTTP/1.1\r\n`,
    'a:b\r\n',
    nul,
  ],
  'line feeds': ['', '\n', ''],
  'carriage returns': ['', '\r', ''],
  'empty lines': ['', '\r\n', ''],
  'empty lines before a request': ['', '\r\n', `FOO / HTTP/1.1${end}`],
  'line feeds in a value': [`${foo}x:`, '\n', end],
  'carriage returns in a value': [`${foo}x:`, '\r', end],
  colons: ['', ':', ''],
  'colons in a head': [foo, ':', nul],
  spaces: ['', ' ', ''],
  tabs: ['', '\t', ''],
  NULs: ['', '\0', ''],
  'high bytes': ['', '\xff', ''],
  'high bytes in a value': [`${foo}x:`, '\xff', nul],
  'low bytes': ['', '\x01', ''],
  'a TLS hello': ['\x16\x03\x01\xff\xff\x01\x00\xfc', '\x00\x2f', ''],
  'an HTTP/2 preface': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '\0\0\0\x04\0', ''],
  'a proxy line': ['PROXY TCP4 ', '1', '\r\n'],
  'percent-encodings': ['GET /', '%2f', ` HTTP/1.1\r\nhost: a${end}`],
  slashes: ['GET ', '/', ` HTTP/1.1\r\nhost: a${end}`],
  'a query': ['GET /?', 'a=b&', ` HTTP/1.1\r\nhost: a${end}`],
  'a long host': [`${get}host: `, 'a', end],
  'a long host of an unknown method': [`${foo}host: `, 'a', `\0${end}`],
  'a host of percent signs': [`${foo}host: `, '%', `\0${end}`],
  'a target with a long host': ['FOO http://', 'a', `:/ HTTP/1.1${end}`],
  'chunks of a byte': [chunked, '1\r\na\r\n', ''],
  'a chunk extension': [`${chunked}1;`, 'a=b;', `\r\na\r\n`],
  'chunk sizes of zeros': [chunked, '0', ''],
  trailers: [`${chunked}0\r\n`, 'a: b\r\n', '\r\n'],
  'a body of JSON': [`${post}content-length: 60000${end}`, '[', ''],
};

/** Values of headers that the service reads, with the maximum length of a head. */
const headers = ['x-api-key', 'authorization', 'cookie', 'traceparent', 'x-forwarded-for'];
const units = ['a', ' ', ',', '-', 'a=b; '];
const longHeaders = Object.fromEntries(
  [...headers, 'accept-encoding', 'origin'].flatMap((name) =>
    units.map((unit): [string, Shape] => [
      `${name} of ${JSON.stringify(unit)}`,
      [`GET /admin/v1/overview HTTP/1.1\r\nhost: localhost\r\n${name}: a`, unit, `a${end}`],
    ]),
  ),
);
const headBytes = 16_000;

/** Packets of unauthenticated clients, to both listeners. */
export function packetRows(): readonly LinearRow[] {
  return (['url', 'adminUrl'] as const).flatMap((listener) =>
    [
      ...Object.entries(shapes).map(([name, shape]) => rowOf(name, shape, packetBytes)),
      ...Object.entries(longHeaders).map(([name, shape]) => rowOf(name, shape, headBytes)),
    ].map(
      ({ name, packet }): LinearRow => ({
        name: `${listener === 'url' ? 'public' : 'admin'}: ${name}`,
        atMostMs,
        measure: (service, runs) =>
          cheapestMs(service, runs, () => send(service[listener], packet)),
      }),
    ),
  );
}

function rowOf(name: string, [before, unit, after]: Shape, bytes: number) {
  const units = Math.floor((bytes - before.length - after.length) / unit.length);
  return { name, packet: Buffer.from(before + unit.repeat(units) + after, 'latin1') };
}

/** Sends a packet and waits for the end of its connection. */
async function send(url: string, packet: Buffer): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  // The service might close the connection before it has read everything.
  socket.on('error', () => undefined);
  socket.write(packet);
  const firstData = new Promise<void>((resolve) => socket.once('data', () => resolve()));
  await Promise.race([firstData, closed, sleep(answerMs)]);
  socket.end();
  await closed;
}
