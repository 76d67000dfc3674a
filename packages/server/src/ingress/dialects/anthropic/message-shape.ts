import { pastTurns } from '../relay/past-turns.ts';
import type { FieldsShape, Shape } from '../relay/shape.ts';

const elsewhere = 'would be fetched by the platform, so its size and cost are unknown';
const remote = { unbounded: elsewhere } as const;
const priced: Shape = {
  refused: 'changes the price of a call, which no reservation covers',
  isAlways: true,
};
const storedDataText = 'refers to data that is stored on the platform and not part of the request';
const file = { unbounded: storedDataText } as const;
const stored = { refused: storedDataText } as const;

const type = 'any';
const cache_control: Shape = {
  fields: { type, ttl: { lifetime: { short: '5m', long: '1h', areReported: true } }, scope: 'any' },
};
const text: Shape = { fields: { type, text: 'any', cache_control, citations: 'any' } };

const image: Shape = {
  fields: {
    type,
    source: kinds({
      base64: { fields: { type, media_type: 'media-type', data: 'image' } },
      url: remote,
      file,
    }),
    cache_control,
  },
};

/** The platform renders pages, so bytes do not bound the cost. */
const rendered = {
  unbounded: 'is not text, so its size does not limit its cost',
} as const;
const document: Shape = {
  fields: {
    type,
    source: kinds({
      text: { fields: { type, media_type: 'any', data: 'any' } },
      ...{ base64: rendered, content: rendered, url: remote, file },
    }),
    ...{ title: 'any', context: 'any', cache_control, citations: { fields: { enabled: priced } } },
  },
};

/** Replaces a part that cannot be sent: vendors reject empty messages. */
const placeholder = { json: '{"type":"text","text":"[left out]"}' };
const search_result: Shape = {
  fields: {
    ...{ type, source: 'any', title: 'any', cache_control },
    ...{
      content: { list: kinds({ text }), placeholder },
      citations: { fields: { enabled: 'any' } },
    },
  },
};
const searched: Shape = {
  fields: { type, tool_use_id: 'any', content: 'any', cache_control, caller: 'any' },
};
const fetched: Shape = {
  fields: {
    ...{ type, tool_use_id: 'any', cache_control, caller: 'any' },
    content: kinds({
      web_fetch_result: { fields: { type, url: 'any', retrieved_at: 'any', content: document } },
      web_fetch_tool_result_error: { fields: { type, error_code: 'any' } },
    }),
  },
};

const tool_reference: Shape = { fields: { type, tool_name: 'any', cache_control } };
const results: Shape = {
  list: kinds({ text, image, document, search_result, tool_reference }),
  ...{ orText: true, placeholder },
};

const content: Shape = {
  list: kinds({
    ...{ text, image, document, search_result, tool_reference },
    ...{ web_search_tool_result: searched, tool_search_tool_result: searched },
    web_fetch_tool_result: fetched,
    server_tool_use: {
      fields: { type, id: 'any', name: 'any', input: 'any', cache_control, caller: 'any' },
    },
    tool_use: {
      fields: { type, id: 'any', name: 'any', input: 'any', cache_control, caller: 'any' },
    },
    tool_result: {
      fields: { type, tool_use_id: 'any', is_error: 'any', content: results, cache_control },
    },
    thinking: { fields: { type, thinking: 'any', signature: 'any' } },
    redacted_thinking: { fields: { type, data: 'any' } },
    container_upload: stored,
  }),
  ...{ orText: true, placeholder },
};

const message: Shape = {
  fields: {
    ...{ role: { words: ['user', 'assistant', 'system'] }, content, clear_at: 'any' },
    ...{ output_config: { fields: { effort: 'any' } }, id: 'unsent' },
  },
  named: 'role',
};

const custom: Shape = {
  fields: {
    ...{ type, name: 'any', description: 'any', input_schema: 'any', cache_control },
    ...{ strict: 'any', defer_loading: 'any', eager_input_streaming: 'any', input_examples: 'any' },
    allowed_callers: 'any',
  },
  named: 'name',
};

/** The caller runs these tools; the platform adds at most a page of text. */
const described: Shape = {
  fields: {
    ...{ type, name: 'any', cache_control, defer_loading: 'any', max_characters: 'any' },
    ...{ display_width_px: 'any', display_height_px: 'any', display_number: 'any' },
    enable_zoom: 'any',
  },
  tokens: 2_048,
};

const output_format: Shape = { fields: { type: { words: ['json_schema'] }, schema: 'any' } };

/** All accepted fields. From the types of @anthropic-ai/sdk 1.12. */
export const messageShape: FieldsShape = {
  fields: {
    ...{ model: 'any', max_tokens: 'any', stream: 'any', metadata: { fields: { user_id: 'any' } } },
    messages: { list: message, pastOf: pastTurns },
    system: { list: kinds({ text }), orText: true },
    tools: { list: { kindOf: toolOf } },
    ...{ tool_choice: 'any', temperature: 'any', top_p: 'any', top_k: 'any' },
    ...{ stop_sequences: 'any', thinking: 'any', output_format, cache_control },
    output_config: { fields: { effort: 'any', format: output_format, task_budget: 'any' } },
    context_management: {
      fields: {
        edits: {
          list: {
            kindOf: (kind) =>
              /^clear_(tool_uses|thinking)_\d+$/.test(String(kind)) ? 'any' : priced,
          },
        },
      },
    },
    service_tier: { only: ['standard_only', 'auto'] },
    speed: { only: ['standard'] },
    ...{ inference_geo: priced, fallbacks: priced, fallback_credit_token: priced },
    ...{
      compaction: priced,
      container: stored,
      mcp_servers: { refused: elsewhere },
      thread: stored,
    },
  },
};

function toolOf(kind: unknown): Shape | 'server-tool' | undefined {
  if (kind === undefined || kind === null || kind === 'custom') return custom;
  const name = String(kind);
  if (/^(bash|text_editor|computer|memory)_\d{8}$/.test(name)) return described;
  const isServer = /^(web_search|web_fetch|code_execution|tool_search_tool|advisor|mcp)/.test(name);
  return isServer ? 'server-tool' : undefined;
}

function kinds(shapes: Readonly<Record<string, Shape>>): Shape {
  return {
    kindOf: (kind) =>
      typeof kind === 'string' && Object.hasOwn(shapes, kind) ? shapes[kind] : undefined,
  };
}
