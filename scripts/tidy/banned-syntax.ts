import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import { nameOf, type PositionedNode, type Source, type SyntaxNode } from './source.ts';

/** Abbreviations of words that are short enough to type. */
const abbreviations = ['req', 'res', 'err', 'cfg', 'ctx', 'msg', 'cb', 'idx', 'tmp', 'opts'];

/** Syntax that hides a mistake from the types, abbreviations, and notes of things left to do. */
export function findBannedSyntax({ sources }: Project): readonly Finding[] {
  return sources.flatMap((source) => {
    const findings: Finding[] = [];
    const add = (line: number, cure: string) =>
      findings.push({ path: source.path, line, rule: 'banned-syntax', cure });
    if (source.syntaxError !== undefined) add(1, `mend the syntax: ${source.syntaxError}`);
    for (const placed of source.nodes) {
      const cure = cureOf(placed, source);
      if (cure !== undefined) add(source.lineOf(placed.node.start), cure);
    }
    for (const comment of source.comments) {
      const note = /\b(TO-?DO|FIX-?ME)\b/.exec(comment.text);
      if (note !== null) add(comment.line, `do it, or open an issue: no ${note[0]}`);
    }
    return findings;
  });
}

function cureOf({ node, parent }: PositionedNode, source: Source): string | undefined {
  if (node.type === 'TSAsExpression') return cureOfAs(node, source);
  const name = nameOf(node);
  if (name !== undefined && abbreviations.includes(name) && isDeclared(node, parent)) {
    return `write the word that "${name}" is short for`;
  }
  return undefined;
}

function cureOfAs(node: SyntaxNode, source: Source): string | undefined {
  const isConst = /\bas\s+const$/.test(source.text.slice(node.start, node.end));
  return isConst ? undefined : 'no `as`: narrow the value, or give it its type where it is made';
}

function isDeclared(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (parent?.id === node) return true;
  return Array.isArray(parent?.params) && parent.params.includes(node);
}
