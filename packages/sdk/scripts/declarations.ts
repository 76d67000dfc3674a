import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'rolldown/utils';

/** A declaration of a module: the texts of its overloads, and the names that they mention. */
interface Declaration {
  readonly texts: string[];
  readonly mentions: Set<string>;
}

/** Every declaration reachable from a module, by name. */
type Declarations = Map<string, Declaration>;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export interface FlattenParts {
  /** The emitted declarations of the module. */
  readonly entry: string;
  /** The file behind a package's name, such as the contract's declarations. */
  readonly packages: Readonly<Record<string, string>>;
  /** Names that another flattened module exports, and its path. */
  readonly shared?: { readonly from: string; readonly names: readonly string[] } | undefined;
}

/**
 * One declaration file with its exports and everything that they mention. The published types then
 * name no unpublished package or file.
 */
export function flatten({ entry, packages, shared }: FlattenParts): string {
  const declarations: Declarations = new Map();
  collect({ path: entry, packages, seen: new Set(), declarations });
  const names = exportsOf(entry).map(({ name }) => name);
  const own = reach(names, declarations, new Set(shared?.names ?? []));
  const imported = [...mentionedBy(own, declarations)].filter(
    (name) => shared?.names.includes(name) === true,
  );
  const importLine =
    imported.length === 0 ? '' : `import type { ${imported.join(', ')} } from '${shared?.from}';\n`;
  const body = own.flatMap((name) => declarations.get(name)?.texts ?? []).join('\n');
  return `${importLine}${body}\nexport { ${names.join(', ')} };\n`;
}

/** A name that a module exports; `isType` when it does not exist at run time. */
export interface ExportedName {
  readonly name: string;
  readonly isType: boolean;
  /** The source module, as the declarations name it; `.` for the entry itself. */
  readonly from: string;
}

/** The exports of a module's declarations, in their order. */
export function exportsOf(path: string): readonly ExportedName[] {
  return parse(path).body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration' || !Array.isArray(node.specifiers)) return [];
    const isType = node.exportKind === 'type';
    const from = isNode(node.source) ? String(node.source.value) : '.';
    const declared = isNode(node.declaration) ? node.declaration : undefined;
    const isInterface = declared?.type === 'TSInterfaceDeclaration';
    return [
      ...(declared === undefined ? [] : namesOf(declared)).map((name) => ({
        name,
        isType: isInterface || declared?.type === 'TSTypeAliasDeclaration',
        from,
      })),
      ...node.specifiers.map((specifier: Node) => ({
        name: nameOf(specifier.exported),
        isType: isType || specifier.exportKind === 'type',
        from,
      })),
    ];
  });
}

function collect(parts: {
  readonly path: string;
  readonly packages: FlattenParts['packages'];
  readonly seen: Set<string>;
  readonly declarations: Declarations;
}): void {
  const { path, packages, seen, declarations } = parts;
  if (seen.has(path)) return;
  seen.add(path);
  const { body, text } = parse(path);
  const local = new Set<string>();
  let end = 0;
  for (const node of body) {
    const comment = text.slice(end, node.start).trim();
    end = node.end;
    if (isNode(node.source)) {
      const from = String(node.source.value);
      const target = from.startsWith('.')
        ? join(dirname(path), from.replace(/\.(ts|js)$/, '.d.ts'))
        : packages[from];
      if (target === undefined) throw new Error(`${path} needs ${from}, which is not published`);
      collect({ ...parts, path: target });
      continue;
    }
    const inner = isNode(node.declaration) ? node.declaration : node;
    for (const name of namesOf(inner)) {
      if (declarations.has(name) && !local.has(name)) {
        throw new Error(`${path}: another module declares ${name} as well; rename one`);
      }
      local.add(name);
      const declaration = declarations.get(name) ?? { texts: [], mentions: new Set() };
      const code = text
        .slice(inner.start, inner.end)
        .replace(/^(?!declare )(?=function|const|class)/, 'declare ');
      declaration.texts.push(comment === '' ? code : `${comment}\n${code}`);
      mention(inner, declaration.mentions);
      declarations.set(name, declaration);
    }
  }
}

function reach(
  names: readonly string[],
  declarations: Declarations,
  shared: ReadonlySet<string>,
): readonly string[] {
  const reached = new Set<string>();
  const open = [...names].reverse();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const declaration = declarations.get(name);
    if (declaration === undefined || reached.has(name) || shared.has(name)) continue;
    reached.add(name);
    open.push(...declaration.mentions);
  }
  return [...reached];
}

function mentionedBy(names: readonly string[], declarations: Declarations): ReadonlySet<string> {
  return new Set(names.flatMap((name) => [...(declarations.get(name)?.mentions ?? [])]));
}

/** Names in a declaration that might refer to another: all but property names. */
function mention(value: unknown, mentions: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) mention(item, mentions);
    return;
  }
  if (!isNode(value)) return;
  if (value.type === 'Identifier') mentions.add(nameOf(value));
  for (const [key, child] of Object.entries(value)) {
    if (key === 'key' && value.computed !== true) continue;
    if (typeof child === 'object') mention(child, mentions);
  }
}

function namesOf(node: Node): readonly string[] {
  if (Array.isArray(node.declarations)) {
    return node.declarations.map((declarator: Node) => nameOf(declarator.id));
  }
  return isNode(node.id) ? [nameOf(node.id)] : [];
}

function nameOf(value: unknown): string {
  return isNode(value) ? String(value.name) : '';
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function parse(path: string): { readonly body: readonly Node[]; readonly text: string } {
  const text = readFileSync(path, 'utf8');
  const { program, errors } = parseSync(path, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  const body: unknown = program.body;
  return { body: Array.isArray(body) ? body : [], text };
}
