import Type, { type TSchema } from 'typebox';
import { changed, confirm, dryRun } from '../operations/change-shapes.ts';
import {
  type Address,
  fieldsOf,
  inputSchema,
  type Operation,
  reasonField,
} from '../operations/operation.ts';
import { decodeInput, InputError } from '../operations/read-input.ts';
import { pageOf } from '../operations/shapes.ts';
import { type AnyRoute, type Asked, route } from './route.ts';
import type { RouteApps } from './route-apps.ts';
import { answerChange, invalid, requireConfirmed } from './routes/change.ts';

/** The routes of operations: described, checked and answered. */
export async function routesOf(operations: readonly Operation[]): Promise<readonly AnyRoute[]> {
  const routes = operations.map(async (operation) => {
    const answer = answerOf(operation, await operation.result());
    return operation.http.map((address) => routeOf(operation, address, answer));
  });
  return (await Promise.all(routes)).flat();
}

function routeOf(operation: Operation, address: Address, answer: TSchema): AnyRoute {
  const { about, kind, right, status } = operation;
  const { method, path } = partsOf(address);
  const fields = fieldsOf(operation, address);
  const described = {
    ...{ method, path: `/admin/v1${path}`, action: right, apps: appsOf(operation, address) },
    ...{ summary: about.charAt(0).toUpperCase() + about.slice(1) },
    answer,
  };
  if (kind === 'read') {
    const query = Object.keys(fields).length === 0 ? {} : { query: inputSchema(fields) };
    return route({
      ...{ ...described, ...query },
      async handle(asked) {
        const result = await operation.run(asked, valuesOf(operation, asked, asked.query));
        return { body: Array.isArray(result) ? { items: result, after: null } : Object(result) };
      },
    });
  }
  return route({
    ...described,
    ...(status === undefined ? {} : { status }),
    body: inputSchema(
      { ...fields, reason: reasonField },
      { dryRun, ...(operation.danger && { confirm }) },
    ),
    handle: (asked) => change(operation, asked),
  });
}

async function change(operation: Operation, asked: Asked) {
  const body: { readonly dryRun?: boolean; readonly confirm?: string } = Object(asked.body);
  const values = valuesOf(operation, asked, body);
  const { danger, plan } = operation;
  if (danger !== undefined && body.dryRun !== true) {
    requireConfirmed(body.confirm, danger.subject(values));
  }
  const answer = await answerChange(asked, body, {
    make: (admin) => operation.run({ ...asked, admin }, values),
    ...(plan && { plan: (admin) => plan.call(operation, { ...asked, admin }, values) }),
  });
  if (answer.dryRun) return { body: answer, status: 200 };
  return { body: operation.isBare === true ? Object(answer.result) : answer };
}

/** Path, query and body, which the dispatcher has checked. Throws INVALID. */
function valuesOf({ input }: Operation, { parameters }: Asked, sent: unknown) {
  try {
    return decodeInput(input, { ...Object(sent), ...parameters });
  } catch (error) {
    if (error instanceof InputError) throw invalid(error.field, error.message);
    throw error;
  }
}

function partsOf(address: Address): { readonly method: AnyRoute['method']; readonly path: string } {
  const [word = '', path = ''] = address.split(' ');
  const method = methods.find((each) => each === word);
  if (method === undefined) throw new Error(`${word} is not a method`);
  return { method, path };
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

function appsOf({ apps }: Operation, address: Address): RouteApps {
  return address.includes('/:app') ? { named: 'path' } : apps;
}

function answerOf({ kind, isBare }: Operation, result: TSchema): TSchema {
  if (kind === 'read') return Type.IsArray(result) ? pageOf(result.items) : result;
  return isBare === true ? Type.Union([result, changed(result)]) : changed(result);
}
