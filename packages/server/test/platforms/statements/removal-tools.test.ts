import { createToolReader } from '../../../src/platforms/evidence/evidence.ts';
import { type ToolLine, toolLines } from '../../../src/platforms/statements/tools.ts';
import { type Cases, testRemoval } from './removal.ts';

const callers = (type: string): [[string, 'output'], unknown] => [[type, 'output'], undefined];

const cases: Cases<[string, 'output' | 'content']> = {
  'output *_call': [
    ['web_search_call', 'output'],
    { reason: 'server-tool', name: 'output.web_search_call', tool: 'web_search' },
  ],
  'output function_call': callers('function_call'),
  'output custom_tool_call': callers('custom_tool_call'),
  'output local_shell_call': callers('local_shell_call'),
  'output computer_call': callers('computer_call'),
  'output shell_call': callers('shell_call'),
  'output apply_patch_call': callers('apply_patch_call'),
  'content server_tool_use': [
    ['server_tool_use', 'content'],
    { reason: 'server-tool', name: 'content.server_tool_use' },
  ],
  'content mcp_tool_use': [
    ['mcp_tool_use', 'content'],
    { reason: 'server-tool', name: 'content.mcp_tool_use' },
  ],
};

testRemoval<ToolLine, [string, 'output' | 'content']>({
  lines: toolLines,
  nameOf: ({ list, type }) => `${list} ${type}`,
  cases,
  read: (lines, [type, list]) => createToolReader(lines)({ type }, list),
});
