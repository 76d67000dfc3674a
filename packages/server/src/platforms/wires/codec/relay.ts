import type { Wire } from '../../../domain/wire.ts';
import { editJson, type JsonEdit } from '../../../lib/json-text.ts';
import { isRecord } from '../../../lib/json-value.ts';
import type { ModelRequest } from '../../model/model-request.ts';
import type { PricedTerms } from './encoded.ts';
import type { EventJson } from './fold.ts';

export interface RelayCodec {
  readonly limit: string;
  readonly forced: Readonly<Record<string, boolean>>;
  /** The event field whose object names the model. */
  readonly answerField: string;
  readonly opening: ReadonlySet<string>;
  readonly lastEvent: string;
}

/**
 * Replaces the caller's tier, which must not cost more, with the priced terms. A platform without a
 * name for its tier gets none.
 */
export function relayedBody(
  codec: {
    readonly wire?: Wire | undefined;
    readonly relay?: RelayCodec | undefined;
    readonly terms: PricedTerms;
  },
  upstreamModel: string,
  { relay, maxTokens, fields: constants }: ModelRequest,
  isStream: boolean,
): { readonly text: string } | { readonly problem: string } {
  if (relay === undefined || codec.relay === undefined || relay.wire !== codec.wire) {
    return { problem: 'the model does not support the protocol of the request' };
  }
  const { limit, forced } = codec.relay;
  const { terms } = codec;
  const fields = { ...constants, model: upstreamModel, [limit]: maxTokens, ...forced, ...terms };
  const edits: JsonEdit[] = Object.entries(fields).map(([name, value]) => {
    return { path: [name], json: JSON.stringify(value), isAdded: true };
  });
  if (terms.service_tier === undefined) edits.push({ path: ['service_tier'], json: undefined });
  const stream = { path: ['stream'], json: String(isStream) };
  edits.push(isStream ? { ...stream, isAdded: true } : stream);
  return { text: editJson(relay.text, edits) };
}

export function withModel(text: string, model: string): string {
  return editJson(text, [{ path: ['model'], json: JSON.stringify(model) }]);
}

export class RelayedEvents {
  readonly #codec: RelayCodec;
  readonly #model: string;
  /** Events before content: a retry is still possible. */
  #opening = '';
  #hasBegun = false;

  constructor(codec: RelayCodec, model: string) {
    this.#codec = codec;
    this.#model = model;
  }

  /** Includes earlier delayed events; undefined before the response begins. */
  next(event: EventJson, data: string, name: string): string | undefined {
    const text = this.#textOf(event, data, name);
    if (this.#hasBegun) return text;
    const opening = this.#opening + text;
    this.#hasBegun = typeof event.type !== 'string' || !this.#codec.opening.has(event.type);
    this.#opening = this.#hasBegun ? '' : opening;
    return this.#hasBegun ? opening : undefined;
  }

  /** Sent after settlement. `undefined`: no last event arrived. */
  last(
    event: { readonly json: EventJson; readonly data: string; readonly name: string } | undefined,
  ) {
    const { lastEvent } = this.#codec;
    const text = event === undefined ? lastEvent : this.#textOf(event.json, event.data, event.name);
    return this.#opening + text;
  }

  #textOf(event: EventJson, data: string, name: string): string {
    const { answerField } = this.#codec;
    const path = [answerField, 'model'];
    const named = isRecord(event[answerField])
      ? editJson(data, [{ path, json: JSON.stringify(this.#model) }])
      : data;
    const lines = named.includes('\n') ? named.replaceAll('\n', '\ndata: ') : named;
    return `${name === '' ? '' : `event: ${name}\n`}data: ${lines}\n\n`;
  }
}
