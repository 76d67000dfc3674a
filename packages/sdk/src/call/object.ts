import type { CallRequest, ObjectAnswer } from '@model-gateway/contract';
import { checkRequest } from '../lib/checks.ts';
import { type DescribedSchema, describeSchema, type SchemaIssue } from '../lib/schema.ts';
import { asTyped } from '../lib/typed.ts';
import { readHead } from './answer-head.ts';
import type { Judge } from './call.ts';
import type { Outcome } from './failure.ts';

/** What `object` takes. */
export interface ObjectCallRequest<Schema> extends CallRequest {
  /**
   * What the object must fit: a Standard Schema that can describe itself, or
   * plain JSON Schema, draft-07, or 2020-12 when its `$schema` says so.
   */
  readonly schema: Schema;
  /** What the model is told that the object is called. */
  readonly schemaName?: string | undefined;
  /** What the model is told about the object. */
  readonly schemaDescription?: string | undefined;
}

const pathsShownMax = 5;

/** The body of a request for an object, and what judges its answer. */
export function describeObject<T>(owner: string, request: ObjectCallRequest<unknown>) {
  const { schema: callerSchema } = checkRequest(owner, request);
  const schema = describeSchema(`${owner}: schema`, callerSchema);
  const { jsonSchema } = schema;
  const isWhole = Reflect.get(jsonSchema, 'type') === 'object';
  const body = { ...request, schema: isWhole ? jsonSchema : wrap(jsonSchema) };
  return { body, judge: judgeObject<T>(schema, isWhole) };
}

/**
 * The service takes objects alone at the top: a list, an enum or a union goes as the one field of
 * one, and is taken out of it again. What the schema says of its own top has moved with it.
 */
function wrap(schema: object): object {
  const { $schema, ...value } = JSON.parse(JSON.stringify(schema), (name, part) =>
    name === '$ref' && /^#(\/|$)/.test(part) ? `#/properties/value${part.slice(1)}` : part,
  );
  const required = ['value'];
  return { $schema, type: 'object', properties: { value }, required, additionalProperties: false };
}

/** Lets the caller's own schema judge an answer, once more after the service, and transform it. */
function judgeObject<T>(schema: DescribedSchema, isWhole: boolean): Judge<ObjectAnswer<T>> {
  return async (received, headers) => {
    const answer = isWhole ? received : { ...received, object: Object(received.object).value };
    const failed = (message: string, cause: unknown): Outcome<never> => {
      const { requestId, model, object, usage, cost } = answer;
      const failure = {
        ...{ status: 200, code: 'BAD_OUTPUT', message, cause, model, head: readHead(headers) },
        requestId: requestId ?? undefined,
        paidAnswer: { object, usage, cost },
        // A retry would be a new call, and paid for: that is the caller's to decide.
        refusesRetry: true,
      };
      return { kind: 'failed', failure };
    };
    try {
      const validity = await schema.validate(answer.object);
      if (validity.kind === 'invalid') return failed(describe(validity.issues), validity.issues);
      const object = asTyped<T>(validity.value);
      return { kind: 'answered', answer: { ...answer, object }, headers };
    } catch (error) {
      return failed('the schema threw; see cause', error);
    }
  };
}

/** Where it does not fit. What a schema says of it is in the cause: it may quote the model. */
function describe(issues: readonly SchemaIssue[]): string {
  const paths = [...new Set(issues.map(({ path }) => (path === '' ? 'its top level' : path)))];
  const shown = paths.slice(0, pathsShownMax).join(', ');
  const more = paths.length > pathsShownMax ? ` and ${paths.length - pathsShownMax} more` : '';
  return `the object does not match the schema at ${shown}${more}; the call was charged`;
}
