import type { CallRequest, ObjectAnswer } from '@model-gateway/contract';
import { checkRequest } from '../lib/checks.ts';
import { type DescribedSchema, describeSchema, type SchemaIssue } from '../lib/schema.ts';
import { asTyped } from '../lib/typed.ts';
import { readHead } from './answer-head.ts';
import type { Judge } from './call.ts';
import type { Outcome } from './failure.ts';

/** The request of `object`. */
export interface ObjectCallRequest<Schema> extends CallRequest {
  /**
   * The object must fit it: a Standard Schema that can describe itself, or plain JSON Schema,
   * draft-07, or 2020-12 if its `$schema` names it.
   */
  readonly schema: Schema;
  /** The object's name for the model. */
  readonly schemaName?: string | undefined;
  /** The object's description for the model. */
  readonly schemaDescription?: string | undefined;
}

const pathsShownMax = 5;

/** The body of a request for an object, and the judge of its response. */
export function describeObject<T>(owner: string, request: ObjectCallRequest<unknown>) {
  const { schema: callerSchema } = checkRequest(owner, request);
  const schema = describeSchema(`${owner}: schema`, callerSchema);
  const { jsonSchema } = schema;
  const isWhole = Reflect.get(jsonSchema, 'type') === 'object';
  const body = { ...request, schema: isWhole ? jsonSchema : wrap(jsonSchema) };
  return { body, judge: judgeObject<T>(schema, isWhole) };
}

/**
 * The service accepts only objects at the top. A list, an enum or a union becomes the one field of
 * an object, and is unwrapped again. Keywords for the schema's root move with it.
 */
function wrap(schema: object): object {
  const { $schema, ...value } = JSON.parse(JSON.stringify(schema), (name, part) =>
    name === '$ref' && /^#(\/|$)/.test(part) ? `#/properties/value${part.slice(1)}` : part,
  );
  const required = ['value'];
  return { $schema, type: 'object', properties: { value }, required, additionalProperties: false };
}

/** The caller's own schema judges a response after the service, and transforms it. */
function judgeObject<T>(schema: DescribedSchema, isWhole: boolean): Judge<ObjectAnswer<T>> {
  return async (received, headers) => {
    const answer = isWhole ? received : { ...received, object: Object(received.object).value };
    const failed = (message: string, cause: unknown): Outcome<never> => {
      const { requestId, model, object, usage, cost } = answer;
      const failure = {
        ...{ status: 200, code: 'BAD_OUTPUT', message, cause, model, head: readHead(headers) },
        requestId: requestId ?? undefined,
        paidAnswer: { object, usage, cost },
        // A retry would be a new call, and paid for: the caller decides that.
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

/** The path of the mismatch. The schema's message is in the cause: it might quote the model. */
function describe(issues: readonly SchemaIssue[]): string {
  const paths = [...new Set(issues.map(({ path }) => (path === '' ? 'its top level' : path)))];
  const shown = paths.slice(0, pathsShownMax).join(', ');
  const more = paths.length > pathsShownMax ? ` and ${paths.length - pathsShownMax} more` : '';
  return `the object does not match the schema at ${shown}${more}; the call was charged`;
}
