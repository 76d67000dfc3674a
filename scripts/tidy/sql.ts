import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import type { Source, SyntaxNode } from './source.ts';

const startsLikeSql =
  /^`?\s*(select|insert|update|delete|with|create|alter|drop|pragma|begin|savepoint)\b/i;

/** Files that generate SQL from the tables' descriptions: from their names, and no value. */
const makesStatements = /\/store\/((\w+\/)?row-statements?|sums\/[\w-]+)\.ts$/;

const isSqlText =
  /^['"`]\s*(select\s.*\sfrom|insert into|update \w+\s+set|delete from|create table)\s/is;

/** SQL outside the store, and SQL with a value in its text: values must be parameters. */
export function findSql({ sources }: Project): readonly Finding[] {
  return [...sources.flatMap(findOutside), ...findFilledIn(sources)];
}

function findOutside({ path, nodes, text, lineOf }: Source): readonly Finding[] {
  if (!path.startsWith('packages/server/src/') || path.includes('/store/')) return [];
  return nodes.flatMap(({ node }) => {
    const isText = node.type === 'TemplateLiteral' || node.type === 'Literal';
    if (!isText || !isSqlText.test(text.slice(node.start, node.end))) return [];
    const cure = 'put it into packages/server/src/store/queries: SQL belongs only in the store';
    return [{ path, line: lineOf(node.start), rule: 'sql', cure }];
  });
}

function findFilledIn(sources: readonly Source[]): readonly Finding[] {
  return sources.flatMap((source) => {
    if (!/\/src\//.test(source.path) || makesStatements.test(source.path)) return [];
    return source.nodes.flatMap(({ node }) => {
      if (!isFilledIn(node) || !isSql(node, source)) return [];
      const line = source.lineOf(node.start);
      const cure = 'pass the value as $1: SQL is one text, with nothing written into it';
      return [{ path: source.path, line, rule: 'sql', cure }];
    });
  });
}

function isFilledIn(node: SyntaxNode): boolean {
  const { type, expressions } = node;
  return type === 'TemplateLiteral' && Array.isArray(expressions) && expressions.length > 0;
}

function isSql(node: SyntaxNode, { path, text }: Source): boolean {
  const isStatement = /statements\.ts$/.test(path);
  const isStore = path.includes('/store/');
  return isStatement || (isStore && startsLikeSql.test(text.slice(node.start, node.end)));
}
