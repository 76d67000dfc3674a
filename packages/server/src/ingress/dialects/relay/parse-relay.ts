import { bodyLimits } from '@model-gateway/contract';
import Type from 'typebox';
import type { CallContext } from '../../../calls/model/call.ts';
import type { RequestSize } from '../../../calls/model/candidate.ts';
import { createRelay, type RelayRequest } from '../../../calls/model-operations/relay.ts';
import type { Catalog } from '../../../catalog/catalog.ts';
import type { IngressConfig } from '../../../domain/ingress.ts';
import { editJson } from '../../../lib/json-text.ts';
import { isRecord, writeJson } from '../../../lib/json-value.ts';
import { createParser } from '../../body/parse.ts';
import type { CallHandler, RequestHead } from '../../exchange/dialect.ts';
import { droppedHeaders } from '../compatible/dropped-fields.ts';
import { appliedMaxTokens } from '../compatible/max-tokens.ts';
import { passedIn, withheldFrom } from '../compatible/passed-fields.ts';
import { userIdOf } from '../compatible/user-id.ts';
import { printable } from '../gateway/body/schemas.ts';
import { createSizeOf } from '../gateway/body/size.ts';
import { inspect } from './inspect.ts';
import { withoutRemovedTools } from './removed-tools.ts';
import type { FieldsShape, Inspected } from './shape.ts';

export interface RelayParts {
  readonly catalog: Pick<Catalog, 'model' | 'alias'>;
  readonly ingress: IngressConfig;
}

export interface RelayedProtocol {
  readonly operation: Parameters<typeof createRelay>[0];
  readonly shape: FieldsShape;
  readonly limit: string;
  /** In order of precedence. */
  readonly userFields: readonly string[];
  readonly schemaIn: (body: Readonly<Record<string, unknown>>) => unknown;
  /** Throws INVALID for forbidden values. */
  readonly headersOf: (head: RequestHead, ingress: IngressConfig) => SentHeaders;
}

export interface SentHeaders {
  readonly headersFor: RelayRequest['headersFor'];
  readonly dropped: readonly string[];
}

export function createRelayRoute(
  { catalog, ingress }: RelayParts,
  protocol: RelayedProtocol,
): CallHandler {
  const { operation: name, shape, limit, userFields, schemaIn } = protocol;
  const parse = createParser(Type.Object(fieldsWith(limit, userFields)));
  const sizeOf = createSizeOf();
  const isKnown = (field: string) => Object.hasOwn(shape.fields, field);
  const rows = { catalog, ingress, operation: name, isKnown };
  return { kind: 'call', parse: parseCall };

  function parseCall(
    { text, bytes }: { readonly text: string; readonly bytes: number },
    { app, log, idempotencyKey, adoption }: CallContext,
    head: RequestHead,
  ) {
    const body: Readonly<Record<string, unknown>> = parse(text);
    const model = String(body.model);
    log.model = model;
    const passed = passedIn(body, rows);
    const inspected = inspect(withPassed(shape, passed), body, ingress);
    const { images, imageBytes, longField, addedTokens, isUnbounded } = inspected;
    const edits = withoutRemovedTools(body, inspected.edits);
    const { headersFor, dropped: flags } = protocol.headersOf(head, ingress);
    const dropped = [...inspected.dropped, ...flags];
    const requested = numberIn(body[limit]);
    const limits = { model, operation: name, app, otherwise: ingress.defaultMaxTokens };
    const { maxTokens, headersOf } = appliedMaxTokens(catalog, { ...limits, requested });
    const schemaText = schemaTextOf([body.tools, schemaIn(body), ...inspected.schemas, passed]);
    const hasTools = Array.isArray(body.tools) && body.tools.length > 0;
    const shaped = { text, bodyBytes: bytes, messages: [], maxTokens, schemaText, hasTools };
    const size = sizeOf(shaped);
    const request: RelayRequest = {
      model,
      userId: userIdOf(head, usersIn(body, userFields), app),
      text: edits.length === 0 ? text : editJson(text, edits),
      headersFor,
      schemaText,
      promptBytes: isUnbounded ? Number.POSITIVE_INFINITY : bytes - imageBytes,
      ...{ longField, passed },
    };
    const isStream = body.stream === true;
    const isStored = idempotencyKey !== undefined || adoption !== undefined;
    const operation = createRelay(name, { isStream, isStored });
    return {
      kind: 'call' as const,
      ...{ operation, request, stream: isStream ? { after: 0 } : undefined },
      headersOf: (servedBy: string | undefined) => ({
        ...headersOf(servedBy),
        ...droppedHeaders([...dropped, ...withheldFrom(passed, servedBy ?? model, rows)]),
      }),
      // The text is kept until the answer comes, and read again where an error names a field of it.
      sent: () => sentIn(request.text),
      size: {
        ...{ ...size, images, imageBytes, schemaBytes: size.schemaBytes + addedTokens },
        ...(longField !== undefined && { cachesForLong: lengthOf(inspected) }),
        ...(isUnbounded && { isUnbounded }),
      },
    };
  }
}

/** Passed fields count as bytes. */
function withPassed(shape: FieldsShape, passed: RelayRequest['passed']): FieldsShape {
  if (passed === undefined) return shape;
  const names = Object.keys(passed).map((name) => [name, 'any'] as const);
  return { ...shape, fields: { ...shape.fields, ...Object.fromEntries(names) } };
}

function lengthOf({
  isLongReported,
  isLongDefault,
  hasShort,
}: Inspected): NonNullable<RequestSize['cachesForLong']> {
  if (isLongReported) return 'stated';
  return isLongDefault && !hasShort ? 'all' : 'some';
}

function fieldsWith(limit: string, userFields: readonly string[]) {
  const orNull = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) =>
    Type.Optional(Type.Union([schema, Type.Null()]));
  return {
    model: Type.String({
      minLength: 1,
      maxLength: bodyLimits.modelCharactersMax,
      ...printable,
    }),
    stream: orNull(Type.Boolean()),
    [limit]: orNull(Type.Integer({ minimum: 1, maximum: bodyLimits.maxTokensMax })),
    ...Object.fromEntries(userFields.map((name) => [name, orNull(Type.String())])),
  };
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function sentIn(text: string): Readonly<Record<string, unknown>> {
  const body: unknown = JSON.parse(text);
  return isRecord(body) ? body : {};
}

/** The model may get these a second time. */
function schemaTextOf(schemas: readonly unknown[]): string | undefined {
  const parts = schemas.filter((part) => part !== undefined && part !== null);
  return parts.length === 0 ? undefined : parts.map((part) => writeJson(part) ?? '').join('');
}

function usersIn(body: Readonly<Record<string, unknown>>, names: readonly string[]) {
  const named = names.map((name) => [name, textIn(body[name])] as const);
  const metadata = isRecord(body.metadata) ? body.metadata.user_id : undefined;
  return { fields: Object.fromEntries(named), metadata };
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
