import { answered, badOutput, final, lost, retried, uncounted, unusable } from './expected.ts';
import { type Fault, replying } from './faults.ts';
import type { Met } from './platform.ts';
import { answers, type ModelAnswer, plainUsage } from './surfaces.ts';

/** Faults of responses with the status 200, in their content and their headers. */
export const answerFaults: readonly Fault[] = [
  { name: '200, empty', does: () => replying(200, ''), comesTo: unusable },
  {
    name: '200, HTML',
    does: () => replying(200, '<h1>It works</h1>', { 'content-type': 'text/html' }),
    comesTo: unusable,
  },
  { name: '200, null', does: () => replying(200, 'null'), comesTo: unusable },
  {
    name: '200, an error',
    does: (surface) => replying(200, surface.error(200, 'busy')),
    comesTo: lost,
  },
  {
    name: '200, an error with the code of a status',
    does: (surface) => replying(200, surface.error(200, 'rate_limit_exceeded')),
    comesTo: retried('THROTTLED'),
  },
  {
    name: '200, cut off',
    does: () => (met) => replying(200, met.answer.slice(0, -20))(met),
    comesTo: unusable,
  },
  {
    name: '200, trailing garbage',
    does: () => (met) => replying(200, `${met.answer}}`)(met),
    comesTo: unusable,
  },
  {
    name: '200, longer than it states',
    does: () => (met) => replying(200, met.answer, { 'content-length': '40' })(met),
    comesTo: unusable,
  },
  { name: '200, shorter than it states', does: () => shorter, comesTo: unusable },
  {
    name: '200, no content type',
    does: () => (met) => replying(200, met.answer, {})(met),
    comesTo: final(answered),
  },
  {
    name: 'a request id with NUL',
    does: () => (met) => replying(200, withRequestId(met.answer, 'a\\u0000b'))(met),
    comesTo: final(answered),
  },
  {
    name: 'a request id of a megabyte',
    does: () => (met) => replying(200, withRequestId(met.answer, 'a'.repeat(1e6)))(met),
    comesTo: final(answered),
  },
  {
    name: 'a request id that is not ASCII',
    does: () => (met) => replying(200, met.answer, { 'x-request-id': '\u00e9\u00ff' })(met),
    comesTo: final(answered),
  },
  { name: 'usage missing', does: stating(undefined), comesTo: uncounted },
  { name: 'usage null', does: stating('null'), comesTo: uncounted },
  { name: 'usage negative', does: stating('-1'), comesTo: uncounted },
  { name: 'usage a fraction', does: stating('1.5'), comesTo: uncounted },
  { name: 'usage a string', does: stating('"20"'), comesTo: uncounted },
  { name: 'usage "NaN"', does: stating('"NaN"'), comesTo: uncounted },
  { name: 'usage NaN, which is not JSON', does: stating('NaN'), comesTo: uncounted },
  { name: 'usage above 2^53', does: stating('9007199254740994'), comesTo: uncounted },
  { name: 'usage 1e300', does: stating('1e300'), comesTo: uncounted },
  {
    name: 'usage zero',
    does: stating('0'),
    // Next to content zeros are not counts. Vectors have no output.
    comesTo: (operation) =>
      operation === 'embeddings' ? final({ ...answered, exact: 0n }) : uncounted,
  },
  {
    name: 'usage above the bound',
    does: writing((answer) => ({ ...answer, usage: { input: '100000', output: '10' } })),
    comesTo: final({ ...uncounted.always, stated: 100_000n * 150_000n + 10n * 600_000n }),
  },
  {
    name: 'usage above the hold',
    isOfText: true,
    does: writing((answer) => ({ ...answer, usage: { input: '20', output: '8000' } })),
    comesTo: final({ ...answered, exact: 20n * 150_000n + 8_000n * 600_000n, wallet: 'hold' }),
  },
  {
    name: 'duplicate tool calls',
    isOfText: true,
    does: writing(() => ({ toolCalls: [search, search] })),
    // Each of them gets its own id.
    comesTo: (operation) => (operation === 'agents' ? final(answered) : badOutput),
  },
  {
    name: 'an unknown tool',
    isOfText: true,
    does: writing(() => ({ toolCalls: [{ ...search, name: 'rm_rf' }] })),
    comesTo: badOutput,
  },
  {
    name: 'arguments that are not JSON',
    isOfText: true,
    does: writing(() => ({ toolCalls: [{ ...search, arguments: '{"query": book' }] })),
    comesTo: badOutput,
  },
  {
    name: 'arguments that do not fit',
    isOfText: true,
    does: writing(() => ({ toolCalls: [{ ...search, arguments: '{"query":1}' }] })),
    comesTo: badOutput,
  },
  {
    name: 'text that is not JSON',
    isOfText: true,
    does: writing(() => ({ text: 'Sure! Here it is: {' })),
    comesTo: (operation) => (operation === 'objects' ? badOutput : final(answered)),
  },
];

const search = { id: 'call_1', name: 'search', arguments: '{"query":"books"}' } as const;

/** The response with an id of its request: JSON text without its quotes. */
function withRequestId(answer: string, id: string): string {
  return answer.replace('{', `{"request_id":"${id}",`);
}

function shorter({ socket, answer }: Met) {
  const length = `content-length: ${answer.length + 9}`;
  socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n${length}\r\n\r\n${answer}`);
}

function writing(change: (answer: ModelAnswer) => ModelAnswer): Fault['does'] {
  return (surface, operation) =>
    replying(200, surface.write({ usage: plainUsage, ...change(answers[operation]) }));
}

/** Every count is this JSON text. */
function stating(count: string | undefined): Fault['does'] {
  const usage = count === undefined ? undefined : { input: count, output: count };
  return writing((answer) => ({ ...answer, usage }));
}
