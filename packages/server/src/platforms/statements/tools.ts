import type { Statement } from './statement.ts';
import { vendors } from './vendors.ts';

/** A kind of item in a response that is a call of a tool. */
export interface ToolLine extends Statement {
  /** The list that has it. */
  readonly list: 'output' | 'content';
  /** Its `type`; `*_call` is every type with that end. */
  readonly type: string;
  /** Who runs the tool: a call that the caller runs costs nothing. */
  readonly runs: 'caller' | 'platform';
}

const { anthropic, responses } = vendors;
const caller = { list: 'output', runs: 'caller' } as const;
const platform = { list: 'content', runs: 'platform' } as const;

/** Every such kind; each has a case in the tests. */
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
