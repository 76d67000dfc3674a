import { type OperationName, wireOfOperation } from '../../../calls/model/operation.ts';
import { notPassedTo, type PassedFields } from '../../../calls/model-operations/passed-fields.ts';
import type { Catalog } from '../../../catalog/catalog.ts';
import type { IngressConfig } from '../../../domain/ingress.ts';
import { isRecord, writeJson } from '../../../lib/json-value.ts';
import { invalid } from '../../body/parse.ts';

export interface PassedFieldsParts {
  readonly catalog: Pick<Catalog, 'model' | 'alias'>;
  readonly ingress: Pick<IngressConfig, 'unknownFields'>;
  readonly operation: OperationName;
  readonly isKnown: (name: string) => boolean;
}

/**
 * Every row of an alias must list the field. If unknown fields are ignored, rows without it get the
 * request without it. Throws INVALID with the field.
 */
export function passedIn(body: unknown, parts: PassedFieldsParts): PassedFields | undefined {
  if (!isRecord(body) || typeof body.model !== 'string') return undefined;
  const { catalog, ingress, operation, isKnown } = parts;
  const names = Object.keys(body).filter((name) => !isKnown(name));
  if (names.length === 0) return undefined;
  const wire = wireOfOperation[operation];
  const rows = catalog.alias(body.model, wire)?.models ?? [catalog.model(body.model, wire)];
  const passed: [string, unknown][] = [];
  for (const name of names) {
    const without = rows.find(({ passFields }) => passFields?.has(name) !== true);
    if (rows.every(({ passFields }) => passFields?.has(name) !== true)) continue;
    if (without !== undefined && ingress.unknownFields === 'refuse') {
      const cure = `remove it, or ask the operator to add it to \`passFields\` of ${without.id}`;
      throw invalid(name, `is not forwarded to ${without.id}, a model of this alias; ${cure}`);
    }
    passed.push([name, body[name]]);
  }
  return passed.length === 0 ? undefined : Object.fromEntries(passed);
}

export function withoutPassed(body: unknown, passed: PassedFields | undefined): unknown {
  if (passed === undefined || !isRecord(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !Object.hasOwn(passed, name)));
}

export function withheldFrom(
  passed: PassedFields | undefined,
  model: string,
  { catalog, operation }: Pick<PassedFieldsParts, 'catalog' | 'operation'>,
): readonly string[] {
  if (passed === undefined) return [];
  return notPassedTo(catalog.model(model, wireOfOperation[operation]), passed);
}

/** A template might write a value twice, so the text counts once more. */
export function passedText(passed: PassedFields | undefined): string | undefined {
  return passed === undefined ? undefined : writeJson(passed);
}
