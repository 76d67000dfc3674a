import type { Statement } from './statement.ts';
import { vendors } from './vendors.ts';

export interface ToolLine extends Statement {
  readonly list: 'output' | 'content';
  /** `*_call` is every type with that end. */
  readonly type: string;
  /** The caller's own tools cost nothing. */
  readonly runs: 'caller' | 'platform';
}

const { anthropic, responses } = vendors;
const caller = { list: 'output', runs: 'caller' } as const;
const platform = { list: 'content', runs: 'platform' } as const;

export const toolLines: readonly ToolLine[] = [
  { list: 'output', type: '*_call', runs: 'platform', ...responses },
  { type: 'function_call', ...caller, ...responses },
  { type: 'custom_tool_call', ...caller, ...responses },
  { type: 'local_shell_call', ...caller, ...responses },
  { type: 'computer_call', ...caller, ...responses },
  { type: 'shell_call', ...caller, ...responses },
  { type: 'apply_patch_call', ...caller, ...responses },
  { type: 'server_tool_use', ...platform, ...anthropic },
  { type: 'mcp_tool_use', ...platform, ...anthropic },
];
