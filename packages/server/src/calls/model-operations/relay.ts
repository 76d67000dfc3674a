import type { CallFields } from '@model-gateway/contract';
import type { CatalogModel } from '../../catalog/catalog.ts';
import type { Wire } from '../../domain/wire.ts';
import { editJson } from '../../lib/json-text.ts';
import type { Delta } from '../../platforms/model/content.ts';
import { CallError } from '../model/call-error.ts';
import {
  type AnsweredAttempt,
  type ModelOperation,
  type OutputPiece,
  type ParsedAnswer,
  wireOfOperation,
} from '../model/operation.ts';
import { notPassedTo, type PassedFields } from './passed-fields.ts';

export interface RelayRequest extends CallFields {
  readonly text: string;
  readonly headersFor: (model: CatalogModel) => Readonly<Record<string, string>>;
  readonly schemaText: string | undefined;
  readonly promptBytes: number;
  /** Requests an hour of input caching. */
  readonly longField: string | undefined;
  readonly passed?: PassedFields | undefined;
}

export interface RelayOptions {
  readonly isStream: boolean;
  readonly isStored: boolean;
}

/** Checks neither the body nor the response. Create one per call. */
export function createRelay(
  name: 'messages' | 'responses',
  { isStream, isStored }: RelayOptions,
): ModelOperation<RelayRequest> {
  const wire = wireOfOperation[name];
  const events: string[] = [];
  return {
    name,
    encode({ text: whole, model, headersFor, passed }, row) {
      const withheld = notPassedTo(row, passed);
      const edits = withheld.map((field) => ({ path: [field], json: undefined }));
      const text = edits.length === 0 ? whole : editJson(whole, edits);
      const relay = { wire, text, model, headers: headersFor(row) };
      return { messages: [], relay };
    },
    read: (answered) => (isStream ? readStream(answered, events) : readWhole(answered)),
    pieceOf(delta) {
      if (isStored && delta.type === 'event') events.push(delta.text);
      return pieceIn(delta);
    },
    schemaText: ({ schemaText }) => schemaText,
    promptBytes: ({ promptBytes }) => promptBytes,
    refusal: (request, row, spoken) => refusalOf(wire, request, row, spoken),
  };
}

function readWhole({ body = '' }: AnsweredAttempt): ParsedAnswer {
  return { kind: 'ok', output: { kind: 'message', body, last: '' } };
}

function readStream({ body = '' }: AnsweredAttempt, events: readonly string[]): ParsedAnswer {
  return { kind: 'ok', output: { kind: 'message', body: events.join('') + body, last: body } };
}

function pieceIn(delta: Delta): OutputPiece | undefined {
  switch (delta.type) {
    case 'event':
      return { text: delta.text, bytes: 0 };
    case 'text':
    case 'reasoning':
      return { text: '', bytes: Buffer.byteLength(delta.text) };
    case 'tool-input':
      return { text: '', bytes: Buffer.byteLength(delta.text + (delta.toolName ?? '')) };
    case 'tool-call':
    case 'own':
      return undefined;
  }
}

function refusalOf(
  wire: Wire,
  { model, longField }: RelayRequest,
  { id, price }: CatalogModel,
  spoken: Wire | undefined,
): CallError | undefined {
  if (spoken !== wire && id !== model) {
    const message = `The alias ${model} includes the model ${id}, which does not support ${wire}; use another model or route.`;
    return new CallError('NOT_IMPLEMENTED', message, { model, param: 'model' });
  }
  if (spoken !== wire) {
    const message = `The model ${model} does not support ${wire}; use another model or route.`;
    return new CallError('INVALID', message, { model, param: 'model' });
  }
  if (longField === undefined || price?.cacheWrite1hInputPicoUsd !== undefined) return undefined;
  const message = `${longField} requests a longer cache lifetime, for which the model ${model} has no price. Remove the field, or ask the operator to set a price of 1h or 12h in cacheWriteUsdPerMillion.`;
  return new CallError('INVALID', message, { model, param: longField });
}
