import { createUsageReader } from '../../../src/platforms/evidence/read-usage.ts';
import { usageLines } from '../../../src/platforms/evidence/usage-tree.ts';
import { type CountLine, countLines } from '../../../src/platforms/statements/counts.ts';
import { type Cases, doubtsIn, nested, testRemoval } from './removal.ts';

type Json = Readonly<Record<string, unknown>>;

const chat = { prompt_tokens: 100, completion_tokens: 20 };
const messages = { input_tokens: 100, output_tokens: 20 };
const converse = { inputTokens: 100, outputTokens: 20 };
const gemini = { promptTokenCount: 100, candidatesTokenCount: 20 };

/** Input, cached input, written, written for an hour, output, reasoning, and the doubts. */
function counts(...read: readonly (number | undefined)[]) {
  const [input, cached, written, hour, output = 20, reasoning] = read;
  return [input, cached, written, hour, output, reasoning];
}
const none = undefined;

const inChat = (path: string): [Json, unknown] => [
  { ...chat, ...nested(path, 80) },
  counts(100, 80),
];
const writtenInChat = (path: string): [Json, unknown] => [
  { ...chat, ...nested(path, 80) },
  counts(100, none, 80),
];
const keptInChat = (path: string, hour: number | undefined): [Json, unknown] => [
  { ...chat, ...nested(path, 80), prompt_tokens_details: nestedDetails(path) },
  counts(100, none, 80, hour),
];

/** With the other lifetime at 0, so none is unknown. */
function nestedDetails(path: string): unknown {
  const [, ...rest] = path.split('.');
  const name = rest.at(-1) ?? '';
  const other = name.includes('5m') ? name.replace('5m', '1h') : name.replace('1h', '5m');
  return nested(rest.slice(0, -1).join('.'), { [name]: 80, [other]: 0 });
}

const cases: Cases<Json> = {
  prompt_tokens: [chat, counts(100)],
  input_tokens: [messages, counts(100)],
  inputTokens: [converse, counts(100)],
  promptTokenCount: [gemini, counts(100)],
  prompt_token_count: [{ prompt_token_count: 100, candidates_token_count: 20 }, counts(100)],
  'billed_units.input_tokens': [
    { billed_units: { input_tokens: 100, output_tokens: 20 } },
    counts(100),
  ],
  'tokens.input_tokens': [{ tokens: { input_tokens: 100, output_tokens: 20 } }, counts(100)],
  toolUsePromptTokenCount: [{ ...gemini, toolUsePromptTokenCount: 7 }, counts(107)],
  tool_use_prompt_token_count: [
    { prompt_token_count: 100, candidates_token_count: 20, tool_use_prompt_token_count: 7 },
    counts(107),
  ],

  'prompt_tokens_details.cached_tokens': inChat('prompt_tokens_details.cached_tokens'),
  'input_tokens_details.cached_tokens': [
    { ...messages, input_tokens_details: { cached_tokens: 80 } },
    counts(100, 80),
  ],
  prompt_cache_hit_tokens: inChat('prompt_cache_hit_tokens'),
  cached_tokens: inChat('cached_tokens'),
  cache_read_input_tokens: [{ ...messages, cache_read_input_tokens: 80 }, counts(180, 80)],
  'prompt_tokens_details.cache_read_input_tokens': inChat(
    'prompt_tokens_details.cache_read_input_tokens',
  ),
  'prompt_tokens_details.cached_read_tokens': inChat('prompt_tokens_details.cached_read_tokens'),
  'prompt_tokens_details.cache_read_tokens': inChat('prompt_tokens_details.cache_read_tokens'),
  'input_tokens_details.cached_read_tokens': inChat('input_tokens_details.cached_read_tokens'),
  cached_read_tokens: inChat('cached_read_tokens'),
  cacheReadInputTokens: [{ ...converse, cacheReadInputTokens: 80 }, counts(180, 80)],
  cacheReadInputTokenCount: [{ ...converse, cacheReadInputTokenCount: 80 }, counts(180, 80)],
  cachedContentTokenCount: [{ ...gemini, cachedContentTokenCount: 80 }, counts(100, 80)],
  cached_content_token_count: inChat('cached_content_token_count'),
  prompt_cache_miss_tokens: [
    { ...chat, prompt_cache_hit_tokens: 80, prompt_cache_miss_tokens: 30 },
    [...counts(110, 80), 'contradicting-counts usage.prompt_cache_miss_tokens'],
  ],

  'prompt_tokens_details.cache_write_tokens': writtenInChat(
    'prompt_tokens_details.cache_write_tokens',
  ),
  'input_tokens_details.cache_write_tokens': writtenInChat(
    'input_tokens_details.cache_write_tokens',
  ),
  cache_creation_input_tokens: [
    { ...messages, cache_creation_input_tokens: 80 },
    [...counts(180, none, 80), 'cache-lifetime usage.cache_creation'],
  ],
  'prompt_tokens_details.cache_creation_tokens': [
    { ...chat, prompt_tokens_details: { cache_creation_tokens: 80 } },
    [...counts(100, none, 80), 'cache-lifetime usage.cache_creation'],
  ],
  'prompt_tokens_details.cache_creation_input_tokens': writtenInChat(
    'prompt_tokens_details.cache_creation_input_tokens',
  ),
  'input_tokens_details.cache_creation_input_tokens': writtenInChat(
    'input_tokens_details.cache_creation_input_tokens',
  ),
  'input_tokens_details.cache_creation_tokens': writtenInChat(
    'input_tokens_details.cache_creation_tokens',
  ),
  'prompt_tokens_details.cached_creation_tokens': writtenInChat(
    'prompt_tokens_details.cached_creation_tokens',
  ),
  'input_tokens_details.cached_creation_tokens': writtenInChat(
    'input_tokens_details.cached_creation_tokens',
  ),
  'prompt_tokens_details.cached_write_tokens': writtenInChat(
    'prompt_tokens_details.cached_write_tokens',
  ),
  'input_tokens_details.cached_write_tokens': writtenInChat(
    'input_tokens_details.cached_write_tokens',
  ),
  cached_write_tokens: writtenInChat('cached_write_tokens'),
  cacheWriteInputTokens: [{ ...converse, cacheWriteInputTokens: 80 }, counts(180, none, 80)],
  cacheWriteInputTokenCount: [
    { ...converse, cacheWriteInputTokenCount: 80 },
    counts(180, none, 80),
  ],
  'cache_creation.ephemeral_5m_input_tokens': [
    {
      ...messages,
      cache_creation: { ephemeral_5m_input_tokens: 80, ephemeral_1h_input_tokens: 0 },
    },
    counts(180, none, 80),
  ],
  'cache_creation.ephemeral_1h_input_tokens': [
    {
      ...messages,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 80 },
    },
    counts(180, none, 80, 80),
  ],
  'prompt_tokens_details.cache_creation.ephemeral_5m_input_tokens': keptInChat(
    'prompt_tokens_details.cache_creation.ephemeral_5m_input_tokens',
    none,
  ),
  'prompt_tokens_details.cache_creation.ephemeral_1h_input_tokens': keptInChat(
    'prompt_tokens_details.cache_creation.ephemeral_1h_input_tokens',
    80,
  ),
  'prompt_tokens_details.cache_creation_token_details.ephemeral_5m_input_tokens': keptInChat(
    'prompt_tokens_details.cache_creation_token_details.ephemeral_5m_input_tokens',
    none,
  ),
  'prompt_tokens_details.cache_creation_token_details.ephemeral_1h_input_tokens': keptInChat(
    'prompt_tokens_details.cache_creation_token_details.ephemeral_1h_input_tokens',
    80,
  ),
  claude_cache_creation_5_m_tokens: [
    { ...chat, claude_cache_creation_5_m_tokens: 80, claude_cache_creation_1_h_tokens: 0 },
    counts(100, none, 80),
  ],
  claude_cache_creation_1_h_tokens: [
    { ...chat, claude_cache_creation_5_m_tokens: 0, claude_cache_creation_1_h_tokens: 80 },
    counts(100, none, 80, 80),
  ],

  completion_tokens: [chat, counts(100)],
  output_tokens: [messages, counts(100)],
  outputTokens: [converse, counts(100)],
  candidatesTokenCount: [gemini, counts(100)],
  candidates_token_count: [{ prompt_token_count: 100, candidates_token_count: 20 }, counts(100)],
  responseTokenCount: [{ promptTokenCount: 100, responseTokenCount: 20 }, counts(100)],
  'billed_units.output_tokens': [
    { billed_units: { input_tokens: 100, output_tokens: 20 } },
    counts(100),
  ],
  'tokens.output_tokens': [{ tokens: { input_tokens: 100, output_tokens: 20 } }, counts(100)],

  'completion_tokens_details.reasoning_tokens': [
    { ...chat, completion_tokens_details: { reasoning_tokens: 5 } },
    counts(100, none, none, none, 20, 5),
  ],
  'output_tokens_details.reasoning_tokens': [
    { ...messages, output_tokens_details: { reasoning_tokens: 5 } },
    counts(100, none, none, none, 20, 5),
  ],
  'output_tokens_details.thinking_tokens': [
    { ...messages, output_tokens_details: { thinking_tokens: 5 } },
    counts(100, none, none, none, 20, 5),
  ],
  reasoning_tokens: [
    { ...chat, total_tokens: 120, reasoning_tokens: 5 },
    counts(100, none, none, none, 20, 5),
  ],
  thoughtsTokenCount: [{ ...gemini, thoughtsTokenCount: 5 }, counts(100, none, none, none, 25, 5)],
  thoughts_token_count: [
    { prompt_token_count: 100, candidates_token_count: 20, thoughts_token_count: 5 },
    counts(100, none, none, none, 25, 5),
  ],

  total_tokens: [
    { ...chat, total_tokens: 150 },
    [...counts(100, none, none, none, 50), 'unexplained-total usage.total_tokens'],
  ],
  totalTokens: [
    { ...converse, totalTokens: 150 },
    [...counts(100, none, none, none, 50), 'unexplained-total usage.total_tokens'],
  ],
  totalTokenCount: [
    { ...gemini, thoughtsTokenCount: 30, totalTokenCount: 150 },
    counts(100, none, none, none, 50, 30),
  ],
  total_token_count: [
    { prompt_token_count: 100, candidates_token_count: 20, total_token_count: 150 },
    [...counts(100, none, none, none, 50), 'unexplained-total usage.total_tokens'],
  ],
};

testRemoval<CountLine, Json>({
  lines: countLines,
  nameOf: ({ path }) => path,
  cases,
  read(counts, usage) {
    const read = createUsageReader({ ...usageLines, counts }).readUsage({ usage });
    return [
      ...[read.inputTokens, read.cachedInputTokens, read.cacheWriteInputTokens],
      ...[read.cacheWrite1hInputTokens, read.outputTokens, read.reasoningTokens],
      ...doubtsIn(read),
    ];
  },
});
