import type { Wire } from '../../../domain/wire.ts';
import { editJson, type JsonEdit } from '../../../lib/json-text.ts';
import { isRecord } from '../../../lib/json-value.ts';
import type { ModelRequest } from '../../model/model-request.ts';
import type { PricedTerms } from './encoded.ts';
import type { EventJson } from './fold.ts';

/** How a wire sends a request as its caller wrote it, and hands the answer back. */
export interface RelayCodec {
  /** The field of the maximum of tokens. */
  readonly limit: string;
  /** Fields that are always sent so. */
  readonly forced: Readonly<Record<string, boolean>>;
  /** The field of an event in which an answer is that names its model. */
  readonly answerField: string;
  /** Types of events that come before anything of the answer. */
  readonly opening: ReadonlySet<string>;
  /** The last event of a stream whose platform has ended it without one. */
  readonly lastEvent: string;
}

/**
 * The body that is sent, or why none can be. Whatever tier its caller names, which must be one that
 * costs no more, it is sent with the priced terms; a platform that has no name for its tier gets
 * none.
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
    return { problem: 'the model does not speak the protocol of the request' };
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

/** An answer with the name that its caller has for the model. */
export function withModel(text: string, model: string): string {
  return editJson(text, [{ path: ['model'], json: JSON.stringify(model) }]);
}

/** The events of one relayed answer, as they are handed on. */
export class RelayedEvents {
  readonly #codec: RelayCodec;
  readonly #model: string;
  /** What came before the answer itself: it may still be tried again. */
  #opening = '';
  #hasBegun = false;

  constructor(codec: RelayCodec, model: string) {
    this.#codec = codec;
    this.#model = model;
  }

  /** The event with what is to be told before it; undefined for one that begins no answer yet. */
  next(event: EventJson, data: string, name: string): string | undefined {
    const text = this.#textOf(event, data, name);
    if (this.#hasBegun) return text;
    const opening = this.#opening + text;
    this.#hasBegun = typeof event.type !== 'string' || !this.#codec.opening.has(event.type);
    this.#opening = this.#hasBegun ? '' : opening;
    return this.#hasBegun ? opening : undefined;
  }

  /** The last event, which is told when the call is settled; `undefined`: none came. */
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
