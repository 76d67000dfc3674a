import type { JsonEdit } from '../../../lib/json-text.ts';
import { isRecord } from '../../../lib/json-value.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Platforms reject leftovers of removed tools: choices that name one, their `include` entries, and
 * settings without any tool.
 */
export function withoutRemovedTools(body: Fields, edits: readonly JsonEdit[]): readonly JsonEdit[] {
  const removed = new Set(edits.flatMap(removedTool));
  if (removed.size === 0 || !Array.isArray(body.tools)) return edits;
  const rest = body.tools.filter((_, index) => !removed.has(index));
  const others = edits.filter((edit) => rest.length > 0 || edit.path[0] !== 'tools');
  const settings = ['tools', 'tool_choice', 'parallel_tool_calls', 'max_tool_calls'];
  return [
    ...others,
    ...(rest.length === 0
      ? settings.map((name) => ({ path: [name], json: undefined }))
      : choiceEdits(body.tool_choice, rest.flatMap(withInner))),
    ...listEdits(body.include, ['include'], (entry) => !/^\w+_call(?:_output)?\./.test(`${entry}`)),
  ];
}

function removedTool({ path: [field, index, ...inner], json }: JsonEdit): readonly number[] {
  const isTool = field === 'tools' && typeof index === 'number' && inner.length === 0;
  return isTool && json === undefined ? [index] : [];
}

function withInner(tool: unknown): readonly Fields[] {
  if (!isRecord(tool)) return [];
  return [tool, ...(Array.isArray(tool.tools) ? tool.tools.filter(isRecord) : [])];
}

function choiceEdits(choice: unknown, tools: readonly Fields[]): readonly JsonEdit[] {
  const path = ['tool_choice'];
  if (!isRecord(choice)) return [];
  if (Array.isArray(choice.tools)) {
    return listEdits(choice.tools, ['tool_choice', 'tools'], (one) => isAmong(one, tools), path);
  }
  const isOpen = ['auto', 'any', 'none'].includes(String(choice.type));
  return isOpen || isAmong(choice, tools) ? [] : [{ path, json: undefined }];
}

function isAmong(choice: unknown, tools: readonly Fields[]): boolean {
  if (!isRecord(choice)) return false;
  const { name, type } = choice;
  return tools.some((tool) => (name === undefined ? tool.type === type : tool.name === name));
}

function listEdits(
  list: unknown,
  path: readonly string[],
  isRetained: (item: unknown) => boolean,
  whole = path,
): readonly JsonEdit[] {
  if (!Array.isArray(list)) return [];
  const removed = [...list.keys()].filter((index) => !isRetained(list[index]));
  if (removed.length === 0) return [];
  if (removed.length === list.length) return [{ path: whole, json: undefined }];
  return removed.map((index) => ({ path: [...path, index], json: undefined }));
}
