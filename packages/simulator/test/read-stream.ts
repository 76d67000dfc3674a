import { createParser } from 'eventsource-parser';
import { at, open } from './open.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** One event of a stream from a third-party parser; `data` is parsed. */
export interface SeenEvent {
  readonly name: string | undefined;
  readonly data: unknown;
}

/** The events in a text of a stream. */
export function eventsIn(text: string): readonly SeenEvent[] {
  const events: SeenEvent[] = [];
  const parser = createParser({
    onEvent({ event, data }) {
      events.push({ name: event, data: data === '[DONE]' ? data : JSON.parse(data) });
    },
    onError(error) {
      throw error;
    },
  });
  // A CR at the end might be half of a CRLF.
  parser.feed(text.endsWith('\r') ? `${text}\n` : text);
  return events;
}

/** The surfaces that get the same prompt: instructions for `sim-told`, or any other text. */
export const surfaces = ['chat', 'responses', 'messages'] as const;
export type SurfaceName = (typeof surfaces)[number];

/** The path and the body of a surface's streaming request. */
export function streamingRequest(
  surface: SurfaceName,
  { model = 'sim-told', instructions, more = {} }: StreamRequest,
) {
  const content = typeof instructions === 'string' ? instructions : JSON.stringify(instructions);
  const messages = [{ role: 'user', content }];
  switch (surface) {
    case 'chat': {
      const body = { model, messages, max_tokens: 500, stream_options: { include_usage: true } };
      return { path: '/v1/chat/completions', body: { ...body, stream: true, ...more } };
    }
    case 'responses': {
      const body = { model, input: messages, max_output_tokens: 500, store: false };
      return { path: '/v1/responses', body: { ...body, stream: true, ...more } };
    }
    case 'messages': {
      const body = { model, messages, max_tokens: 500 };
      return { path: '/v1/messages', body: { ...body, stream: true, ...more } };
    }
  }
}

/** Differences between two requests. */
export interface StreamRequest {
  readonly model?: string;
  readonly instructions: unknown;
  readonly more?: Readonly<Record<string, unknown>>;
}

/** The headers of a paying call, for any surface. */
export function payingHeaders(projectId: string) {
  return {
    'openai-project': projectId,
    'anthropic-workspace-id': projectId,
    'anthropic-version': '2023-06-01',
  };
}

/** A simulator in this process for streaming requests. */
export function openStreams() {
  const opened = open();
  const headers = payingHeaders(opened.projectId);
  return {
    ...opened,
    stream(surface: SurfaceName, request: StreamRequest, signal: AbortSignal | null = null) {
      const { path, body } = streamingRequest(surface, request);
      const init = { method: 'POST', headers, body: JSON.stringify(body), signal };
      return opened.simulator.fetch(new Request(`http://simulator.test${path}`, init));
    },
  };
}

/** Reads to the end while the clock advances. */
export async function textOf(response: Response, clock: VirtualClock): Promise<string> {
  let isOver = false;
  const text = response.text().finally(() => {
    isOver = true;
  });
  text.catch(() => {});
  for (let turn = 0; turn < 10_000 && !isOver; turn++) await clock.advance(100);
  return text;
}

/** The text deltas of a response, on any surface. */
export function deltasOf(events: readonly SeenEvent[]): readonly string[] {
  return events.flatMap(({ name, data }) => {
    const content = at(data, 'choices', 0, 'delta', 'content');
    if (typeof content === 'string' && content !== '') return [content];
    const delta = at(data, 'delta');
    if (name === 'response.output_text.delta') return [String(delta)];
    const text = at(delta, 'text');
    return typeof text === 'string' ? [text] : [];
  });
}

/** The pieces of the first tool call's input. */
export function inputPiecesOf(events: readonly SeenEvent[]): readonly string[] {
  return events.flatMap(({ name, data }) => {
    const inputText = at(data, 'choices', 0, 'delta', 'tool_calls', 0, 'function', 'arguments');
    if (typeof inputText === 'string') return [inputText];
    const delta = at(data, 'delta');
    if (name === 'response.function_call_arguments.delta') return [String(delta)];
    const json = at(delta, 'partial_json');
    return typeof json === 'string' ? [json] : [];
  });
}

/** Every count of input and output in the events, in order; null for a missing one. */
export function countsIn(events: readonly SeenEvent[]): readonly (readonly unknown[])[] {
  return events.flatMap(({ data }) => {
    const candidates = [
      at(data, 'usage'),
      at(data, 'response', 'usage'),
      at(data, 'message', 'usage'),
    ];
    const usage = candidates.find((candidate) => candidate !== undefined && candidate !== null);
    if (usage === undefined) return [];
    const input = at(usage, 'prompt_tokens') ?? at(usage, 'input_tokens') ?? null;
    return [[input, at(usage, 'completion_tokens') ?? at(usage, 'output_tokens') ?? null]];
  });
}
