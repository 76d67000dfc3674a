import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import { withRatchet } from './ratchet.ts';
import { isNode, nameOf, type Source } from './source.ts';

const tablePath = 'packages/contract/src/errors.ts';
const documentPath = 'docs/errors.md';
const scenarioFolder = 'packages/server/test/scenarios';

interface Code {
  readonly name: string;
  readonly status: number;
  readonly line: number;
}

/** Error codes on which the table, the document and the scenarios disagree. */
export function findErrorCodes(project: Project): readonly Finding[] {
  const table = project.sources.find((source) => source.path === tablePath);
  if (table === undefined) return [];
  const codes = codesOf(table, 'apiErrors');
  const gatewayCodes = codesOf(table, 'gatewayErrors');
  return [
    ...findInDocument(project, codes),
    ...findScenarios(project, codes),
    ...findStrayScenarios(project, [...codes, ...gatewayCodes]),
  ];
}

/** The keys of an exported object and the `status` of each. */
function codesOf(table: Source, name: string): readonly Code[] {
  const declarator = table.nodes.find(
    ({ node }) => node.type === 'VariableDeclarator' && nameOf(node.id) === name,
  )?.node;
  if (declarator === undefined) return [];
  return table.nodes.flatMap(({ node, parent }) => {
    const isInside = declarator.start <= node.start && node.end <= declarator.end;
    const key = nameOf(node.key);
    if (!isInside || node.type !== 'Property' || key === undefined || !/^[A-Z_]+$/.test(key)) {
      return [];
    }
    const status = /\bstatus: (\d{3})/.exec(table.text.slice(node.start, node.end))?.[1];
    if (!isNode(parent) || status === undefined) return [];
    return [{ name: key, status: Number(status), line: table.lineOf(node.start) }];
  });
}

function findInDocument(project: Project, codes: readonly Code[]): readonly Finding[] {
  const text = project.text(documentPath);
  if (text === undefined) return [];
  const rows = text.split('\n').flatMap((line, index) => {
    const row = /^\|\s*(\d{3})\s*\|\s*`?([A-Z_]{3,})`?\s*\|/.exec(line);
    return row === null ? [] : [{ status: Number(row[1]), name: row[2], line: index + 1 }];
  });
  const missing = codes
    .filter((code) => !rows.some((row) => row.name === code.name && row.status === code.status))
    .map(({ name, status, line }) => {
      const cure = `add the row "| ${status} | \`${name}\` | …" to ${documentPath}`;
      return { path: tablePath, line, rule: 'error-codes', cure };
    });
  const stray = rows
    .filter((row) => !codes.some((code) => code.name === row.name && row.status === code.status))
    .map(({ name, status, line }) => {
      const cure = `remove the row: ${tablePath} has no ${name} of status ${status}`;
      return { path: documentPath, line, rule: 'error-codes', cure };
    });
  return [...missing, ...stray];
}

function findScenarios(project: Project, codes: readonly Code[]): readonly Finding[] {
  if (!project.exists(scenarioFolder)) return [];
  const measures = codes.map((code) => {
    const path = `${scenarioFolder}/${scenarioOf(code)}.test.ts`;
    const cure = `write ${path}: every code has a scenario`;
    const finding = { path: tablePath, line: code.line, rule: 'scenario', cure };
    return { key: scenarioOf(code), actual: project.exists(path) ? 0 : 1, most: 0, finding };
  });
  return withRatchet(project, 'scenario', measures);
}

function findStrayScenarios(project: Project, codes: readonly Code[]): readonly Finding[] {
  const scenarios = codes.map(scenarioOf);
  return project.files.flatMap(({ path }) => {
    if (!path.startsWith(`${scenarioFolder}/`)) return [];
    const name = path.slice(scenarioFolder.length + 1).replace(/\.test\.ts$/, '');
    if (!/^[345]\d\d-/.test(name) || scenarios.includes(name)) return [];
    const cure = `name it <status>-<code>: ${tablePath} has no such code of this status`;
    return [{ path, line: 1, rule: 'scenario', cure }];
  });
}

function scenarioOf({ name, status }: Code): string {
  return `${status}-${name.toLowerCase().replaceAll('_', '-')}`;
}
