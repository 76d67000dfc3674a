import { bodyLimits, type Carry } from '@model-gateway/contract';
import type { Catalog, CatalogModel } from '../../catalog/catalog.ts';
import { type CarriedOutput, carriedFieldsOf } from '../../domain/carry.ts';
import { findUnwritable, writeJson } from '../../lib/json-value.ts';
import {
  type CarryTarget,
  carriedOf,
  droppedFields,
  modelFamilyOf,
} from '../../platforms/model/carry.ts';
import type { ModelRequest } from '../../platforms/model/model-request.ts';
import { type AnsweredAttempt, wireOfOperation } from '../model/operation.ts';

/** Nesting in a request that returns it: body, messages, message. */
const levelOfCarry = 3;

export function carryOf(
  carried: CarriedOutput | undefined,
  row: CatalogModel,
): { readonly carry?: Carry } {
  const { wire, message, calls } = selectCarried(carried, row) ?? {};
  if (message === undefined) return {};
  const family = modelFamilyOf(row.upstreamModel);
  const text = writeJson({ wire, family, message, calls }) ?? '';
  if (text === '' || Buffer.byteLength(text) > bodyLimits.carryBytesMax) return {};
  const carry: Carry = JSON.parse(text);
  return findUnwritable(carry, levelOfCarry) === undefined ? { carry } : {};
}

function selectCarried(carried: CarriedOutput | undefined, { carryFields }: CatalogModel) {
  if (carried === undefined || carryFields === undefined) return carried;
  const { wire, message, calls } = carried;
  const select = (fields: CarriedOutput['message'] | null) =>
    carriedFieldsOf(fields ?? {}, carryFields);
  return carriedOf(wire, select(message), calls.map(select));
}

export function carriedWithText({ carried, content }: AnsweredAttempt): CarriedOutput | undefined {
  const { wire, message = {}, calls = [] } = carried ?? {};
  let reasoning = '';
  for (const part of content) if (part.type === 'reasoning') reasoning += part.text;
  const hasText =
    Object.hasOwn(message, 'reasoning_content') || Object.hasOwn(message, 'reasoning');
  if (reasoning === '' || hasText) return carried;
  return { wire, message: { reasoning_content: reasoning, ...message }, calls };
}

export interface CarryParts {
  readonly catalog: Pick<Catalog, 'model'>;
  readonly portOf: (model: CatalogModel) => CarryTarget['port'] | undefined;
}

/** Paths that no model receives, or not this model. */
export function uncarriedTo(
  id: string,
  messages: ModelRequest['messages'],
  { catalog, portOf }: CarryParts,
): readonly string[] {
  const row = catalog.model(id, wireOfOperation.chat);
  const port = portOf(row);
  return port === undefined ? [] : droppedFields(messages, { row, port });
}
