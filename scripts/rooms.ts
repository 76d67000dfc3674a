/** Files of the server with their own rule, and their imports. */
export interface Room {
  readonly name: string;
  /** Rooms below it, separated by blanks. */
  readonly uses: string;
  readonly packages: readonly string[];
  /** Its files; by default its whole folder. */
  readonly files?: string;
  /** Additional patterns, for folders inside the room. */
  readonly inside?: readonly string[];
  /** The message's text after the list of rooms. */
  readonly reason?: string;
}

const throughOperations = ': it reads and changes the store through operations only';
const contract = ['contract'];

/** Rooms of the server, from the top to the bottom: a room uses only rooms that are below it. */
export const rooms: readonly Room[] = [
  { name: 'main', files: '*.ts', uses: 'cli lib', packages: [] },
  {
    name: 'cli',
    uses: 'compose admin-api observe ingress operations platforms catalog config invoices domain lib',
    packages: ['lab'],
    reason: throughOperations,
  },
  {
    name: 'compose',
    uses: 'admin-api observe ingress tracing operations notify calls json-schema platforms ledger registry catalog store books domain lib',
    packages: [],
  },
  {
    name: 'admin-api',
    uses: 'operations catalog invoices domain lib',
    packages: [],
    reason: throughOperations,
  },
  { name: 'observe', uses: 'platforms ledger registry store books domain lib', packages: [] },
  {
    name: 'ingress',
    uses: 'tracing calls json-schema ledger registry catalog store domain lib',
    packages: contract,
  },
  { name: 'tracing', uses: 'calls domain lib', packages: [] },
  {
    name: 'operations',
    uses: 'notify platforms ledger registry catalog store config reports invoices books domain lib',
    packages: contract,
    // Its own folder, which has the name of a room.
    inside: ['!../calls/**'],
  },
  { name: 'notify', uses: 'registry store domain lib', packages: contract },
  {
    name: 'calls',
    uses: 'json-schema platforms ledger registry catalog store books domain lib',
    packages: contract,
  },
  { name: 'json-schema', uses: 'lib', packages: contract },
  { name: 'platforms', uses: 'catalog domain lib', packages: contract },
  { name: 'ledger', uses: 'registry store books domain lib', packages: contract },
  { name: 'registry', uses: 'store domain lib', packages: contract },
  { name: 'catalog', uses: 'domain lib', packages: contract },
  { name: 'store', uses: 'invoices books domain lib', packages: [] },
  {
    name: 'store',
    files: 'store/postgres/*.ts',
    uses: 'invoices books domain lib',
    packages: [],
    inside: ['./pipeline/**', '!./pipeline/pipeline.ts'],
    reason: ', and of the pipeline its one door: pipeline/pipeline.ts',
  },
  { name: 'config', uses: 'domain lib', packages: contract },
  { name: 'reports', uses: 'books lib', packages: [] },
  { name: 'invoices', uses: 'lib', packages: [] },
  { name: 'books', uses: 'lib', packages: [] },
  { name: 'domain', uses: 'lib', packages: [] },
  { name: 'lib', uses: '', packages: contract },
];

/** The other packages: their forbidden imports, exceptions after these, and the reason. */
const packageRows: readonly (readonly [string, readonly string[], string])[] = [
  [
    'lab',
    [
      '../**/src/**',
      '@model-gateway/**',
      '!@model-gateway/{sdk,simulator}',
      '!@model-gateway/simulator/models',
      '!@model-gateway/server/{catalog,cli,compose,config,domain,ingress,ledger,lib,operations,platforms,store}/**',
    ],
    'lab uses the server, the client and the simulator, by their names',
  ],
  [
    'console',
    ['../**/src/**', 'node:*', '@model-gateway/**', '!@model-gateway/server/operations/documents'],
    'the pages run in a browser, and know the service only by its documents',
  ],
  [
    'sdk',
    ['*', '!node:*', '!./**', '!../**', '../**/src/**', '!@model-gateway/contract'],
    'the client has no dependency but the types of contract',
  ],
  ['simulator', ['../**/src/**', '@model-gateway/**'], 'the simulator knows only the wire'],
  ['contract', ['*', '!./**', '!../**'], 'contract depends on nothing'],
];

/** The generated files of the list, by path. */
export function roomFiles(architecture: string): ReadonlyMap<string, string> {
  return new Map([
    ['biome.rooms.jsonc', rulesOf(rooms)],
    ['docs/architecture.md', withDrawing(architecture)],
  ]);
}

/** The rooms that a room uses, in the order of the list. */
export function usedBy({ uses }: Room): readonly string[] {
  return uses.split(' ').filter((name) => name !== '');
}

const header = `// Written from scripts/rooms.ts by scripts/write-rooms.ts: change that list, not this file.
// Who may import whom, types included: each room of the server names the rooms that it uses itself.
// The order is from the top to the bottom: no room uses a room above it.
// The first patterns are forbidden, the next (with !) are the exceptions.
`;

function rulesOf(list: readonly Room[]): string {
  const names = [...new Set(list.map(({ name }) => name))].filter((name) => name !== 'main');
  const all = `{${names.toSorted().join()}}`;
  const server = list.map((room) =>
    ruleOf(`server/src/${room.files ?? `${room.name}/**`}`, patternsOf(room, all), messageOf(room)),
  );
  const others = packageRows.map(([name, group, message]) =>
    ruleOf(`${name}/src/**`, group, message),
  );
  return `${header}{\n  "overrides": [\n${[...server, ...others].join(',\n')}\n  ]\n}\n`;
}

function patternsOf(room: Room, all: string): readonly string[] {
  const from = room.name === 'main' ? './' : '../**/';
  const uses = usedBy(room).toSorted();
  const allowed = uses.length > 1 ? [`!**/{${uses.join()}}/**`] : uses.map((to) => `!**/${to}/**`);
  const packages = room.packages.map((name) =>
    // The server loads single parts of lab, by their names.
    name === 'lab' ? '!@model-gateway/lab/**' : `!@model-gateway/${name}`,
  );
  const outside = ['../**/src/**', '@model-gateway/**'];
  return [`${from}${all}/**`, ...outside, ...allowed, ...(room.inside ?? []), ...packages];
}

function messageOf(room: Room): string {
  const all = [...usedBy(room).toSorted(), ...room.packages].join(', ');
  return `${room.name} may import ${all}${room.reason ?? ': see scripts/rooms.ts'}`;
}

function ruleOf(files: string, group: readonly string[], message: string): string {
  const list = group.map((pattern) => JSON.stringify(pattern)).join(', ');
  return `    {
      "includes": ["packages/${files}"],
      "linter": { "rules": { "style": { "noRestrictedImports": { "level": "error", "options": { "patterns": [{
        "group": [${list}],
        "message": ${JSON.stringify(message)}
      }] } } } } }
    }`;
}

const otherArrows = `lab         → server, sdk, simulator (the server loads lab only by import())
sdk         → contract (types only)
`;

const drawing = /(## Import rules\n\n```text\n)[^`]*(```\n)/;

/** The document with the current arrows between rooms. */
function withDrawing(text: string): string {
  const lines = rooms
    .filter(({ name, files }) => files === undefined || name === 'main')
    .map((room) => [room.name, [...usedBy(room), ...room.packages].join(', ')] as const)
    .map(([name, to]) => `${name.padEnd('json-schema'.length)} → ${to}\n`);
  return text.replace(drawing, `$1${lines.join('')}${otherArrows}$2`);
}
