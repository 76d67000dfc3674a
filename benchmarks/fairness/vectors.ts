import {
  type AttackCall,
  listCall,
  type RouteName,
  routeNames,
  slowStreamCall,
  unknownCall,
  waitingCall,
} from './calls.ts';
import type { CallAttack, OperatorAttack, SocketAttack, Vector } from './vector.ts';

type Load = Pick<CallAttack, 'connections' | 'keys' | 'withPoorApp' | 'isUnpaced'>;

const on = (connections: number, keys: number): Load => ({ connections, keys });

function calls(call: AttackCall, load: Load, more: Partial<Vector> = {}): Vector {
  const { connections, keys, withPoorApp, isUnpaced } = load;
  const name = [
    `${call.name}, ${call.path} ${call.verdict}, ${connections}/${keys}`,
    ...(withPoorApp === true ? ['two apps'] : []),
    ...(isUnpaced === true ? ['above the plan'] : []),
    ...(more.service?.isBehindProxy === true ? ['behind a proxy'] : []),
  ].join(', ');
  return { name, attack: { kind: 'calls', call, ...load }, ...more };
}

function sockets(name: string, attack: Omit<SocketAttack, 'kind'>, more: Partial<Vector> = {}) {
  return {
    name: `${name}, ${attack.count}`,
    attack: { kind: 'sockets' as const, ...attack },
    ...more,
  };
}

function operators(name: string, work: OperatorAttack['work'], more: Partial<Vector> = {}): Vector {
  return { name: `operators: ${name}`, attack: { kind: 'operators', work }, ...more };
}

const slowHead = 'POST /v1/chat HTTP/1.1\r\nhost: gateway.test\r\n';
const bodyHead =
  `${slowHead}x-api-key: KEY\r\ncontent-type: application/json\r\n` +
  'content-length: 4000000\r\n\r\n';
/** More sockets than a service with so few open files accepts. */
const fewFiles = { filesMax: 620, inFlight: 100 } as const;
const keyless = { count: 400, opening: '' };
const keylessMore = { opensConnections: true, leadSeconds: 1 } as const;

/** The attacks of every run. */
export const defaultVectors: readonly Vector[] = [
  calls(unknownCall('repeated', 'chat'), on(8, 1)),
  calls(unknownCall('repeated', 'chat'), on(100, 1)),
  calls(unknownCall('repeated', 'chat'), on(300, 7)),
  calls(unknownCall('names', 'completions'), on(100, 1)),
  calls(listCall('parts', 'chat', 'rejected'), on(150, 1)),
  calls(listCall('messages', 'chat', 'rejected'), on(150, 7)),
  calls(listCall('messages', 'completions', 'rejected'), on(150, 1)),
  calls(listCall('messages', 'completions', 'admitted'), on(150, 7)),
  calls(listCall('messages', 'messages', 'admitted'), on(150, 1)),
  calls(listCall('messages', 'countTokens', 'admitted'), on(100, 7)),
  calls(listCall('messages', 'quote', 'admitted'), on(100, 7)),
  calls(listCall('messages', 'agents', 'admitted'), on(40, 1)),
  calls(listCall('messages', 'objects', 'rejected'), on(40, 7)),
  calls(listCall('items', 'responses', 'admitted'), on(150, 1)),
  calls(listCall('texts', 'embeddings', 'admitted'), on(150, 1)),
  calls(listCall('texts', 'openaiEmbeddings', 'admitted'), on(150, 7)),
  calls(listCall('long', 'chat', 'admitted'), on(60, 7)),
  calls(listCall('long', 'chat', 'admitted'), { ...on(70, 1), withPoorApp: true }),
  calls(slowStreamCall, on(1_050, 1), { usesStreams: true, leadSeconds: 25 }),
  sockets('slow heads', { count: 300, opening: slowHead, drip: 'x' }),
  sockets('slow bodies', { count: 300, opening: bodyHead, drip: ' '.repeat(1_024) }),
  sockets('half-open sockets', { count: 300, opening: bodyHead, endsHalf: true }),
  sockets('connections without a key', keyless, { ...keylessMore, service: fewFiles }),
  calls(unknownCall('repeated', 'chat'), on(100, 1), { service: { isBehindProxy: true } }),
];

/** Operators' work: callers must not notice it. */
export const operatorVectors: readonly Vector[] = [
  operators('uploads of 20 MB, one after the other', 'uploads', { leadSeconds: 2 }),
  operators('50 open consoles, 16 readers of /metrics', 'consoles', { leadSeconds: 2 }),
  operators('a new key a second among 100,000', 'keys', { service: { keys: 100_000 } }),
];

/** Every pair of a number of connections and a number of keys. */
const loads = [8, 40, 100, 150, 300].flatMap((connections) => [
  on(connections, 1),
  on(connections, 7),
]);

const ofMessages = routeNames.filter((name) => !/embeddings|responses/i.test(name));
const ofTexts: readonly RouteName[] = ['embeddings', 'openaiEmbeddings'];
const ofLongTexts: readonly RouteName[] = ['chat', 'completions', 'responses', 'messages'];
const ofParts: readonly RouteName[] = ['chat', 'completions', 'messages'];
const verdicts = ['rejected', 'admitted'] as const;

/** Every shape on every route that accepts it. */
const everyCall: readonly AttackCall[] = [
  ...routeNames.map((route) => unknownCall('repeated', route)),
  ...routeNames.map((route) => unknownCall('names', route)),
  ...routeNames.map((route) => unknownCall('values', route)),
  ...verdicts.flatMap((verdict) => [
    ...ofMessages.map((route) => listCall('messages', route, verdict)),
    ...ofParts.map((route) => listCall('parts', route, verdict)),
    listCall('items', 'responses', verdict),
    ...ofTexts.map((route) => listCall('texts', route, verdict)),
    ...ofLongTexts.map((route) => listCall('long', route, verdict)),
  ]),
];

const behindProxy = { ...keylessMore, service: { ...fewFiles, isBehindProxy: true } } as const;

/** The attacks that `--all` adds: each shape on each route, with the next pair of the loads. */
const furtherVectors: readonly Vector[] = [
  ...everyCall.flatMap((call, index) => {
    const load = loads[index % loads.length];
    return load === undefined ? [] : [calls(call, load)];
  }),
  calls(unknownCall('repeated', 'chat'), { ...on(40, 1), isUnpaced: true }),
  calls(slowStreamCall, on(1_050, 7), { usesStreams: true, leadSeconds: 5 }),
  calls(waitingCall, on(400, 7)),
  sockets('connections without a key behind a proxy', keyless, behindProxy),
];

const defaultNames = new Set(defaultVectors.map(({ name }) => name));

/** All attacks, each once. */
export const allVectors: readonly Vector[] = [
  ...defaultVectors,
  ...operatorVectors,
  ...furtherVectors.filter(({ name }) => !defaultNames.has(name)),
];

/** Their victims kept at most 2 % while time was shared first come, first served. */
const worstAt = [2, 3, 5, 6, 18, 22];

/** The 6 worst attacks by measurement, for the other stores and threads. */
export const worstVectors: readonly Vector[] = worstAt.flatMap((at) => defaultVectors[at] ?? []);
