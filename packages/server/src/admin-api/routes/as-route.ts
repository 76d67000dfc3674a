import Type, { type TSchema } from 'typebox';
import type { Files, OperatingParts } from '../../operations/context/parts.ts';
import type { Fields } from '../../operations/description/field.ts';
import {
  type Address,
  fieldsOf,
  inputSchema,
  type Operating,
  type Operation,
  reasonField,
} from '../../operations/description/operation.ts';
import { decodeInput, InputError } from '../../operations/description/read-input.ts';
import { changed, confirm, dryRun, pageOf } from '../../operations/documents/shapes.ts';
import { uploadRoute } from './as-upload.ts';
import { answerChange, invalid, requireConfirmed } from './change.ts';
import { type Answer, type AnyRoute, type RouteContext, route } from './route.ts';
import type { RouteApps } from './route-apps.ts';

export async function routesOf(operations: readonly Operation[]): Promise<readonly AnyRoute[]> {
  const routes = operations
    .filter(({ http }) => http.length > 0)
    .map(async (operation) => {
      const answer = answerOf(operation, await (operation.sends?.schema ?? operation.result)());
      return operation.http.map((address) => routeOf(operation, address, answer));
    });
  return (await Promise.all(routes)).flat();
}

function routeOf(operation: Operation, address: Address, answer: TSchema): AnyRoute {
  const { about, kind, right, status, isFile } = operation;
  const { method, path } = partsOf(address);
  const fields = fieldsOf(operation, address);
  const described = {
    ...{ method, path: `/admin/v1${path}`, action: right, apps: appsOf(operation, address) },
    ...{ summary: about.charAt(0).toUpperCase() + about.slice(1) },
    ...{ answer, ...(status !== undefined && { status }) },
    ...(operation.replacedBy !== undefined && { replacedBy: operation.replacedBy }),
    ...(isFile === true && { answerType: 'text/csv' }),
  };
  if (kind === 'change') {
    const more = { dryRun, ...(operation.danger && { confirm }) };
    if (operation.upload !== undefined) {
      const { queryFields, ...reading } = uploadRoute(operation.upload, fields, (context, files) =>
        change(operation, context, files),
      );
      const readQuery = readerOf(queryFields);
      return route({ ...described, ...reading, query: inputSchema(queryFields), readQuery });
    }
    const body = inputSchema({ ...fields, reason: reasonField }, more);
    return route({ ...described, body, handle: (context) => change(operation, context) });
  }
  const input = inputSchema(fields);
  const isQuery = method === 'GET' || method === 'DELETE';
  const query = isQuery && Object.keys(fields).length > 0 && { query: input };
  return route({
    ...{ ...described, ...query, ...(!isQuery && { body: input }) },
    readQuery: readerOf(fields),
    async handle(context) {
      const values = valuesOf(operation, context, isQuery ? context.query : context.body);
      return answer200(operation, await operation.run(operatingOf(context), values));
    },
  });
}

function readerOf(fields: Fields): NonNullable<AnyRoute['readQuery']> {
  const known = new Map(Object.entries(fields));
  return (texts, nowMs) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        name,
        known.get(name)?.fromText(text, nowMs) ?? text,
      ]),
    );
}

function answer200({ isFile, etag }: Operation, result: unknown): Answer {
  const { csv, name } = Object(result);
  if (isFile === true) return { csv, name };
  const tag = etag && { etag: etag(result) };
  return { body: Array.isArray(result) ? { items: result, after: null } : Object(result), ...tag };
}

async function change(operation: Operation, context: RouteContext, files?: Files): Promise<Answer> {
  const body: { readonly dryRun?: boolean; readonly confirm?: string } = Object(context.body);
  const values = valuesOf(operation, context, body);
  const operating = { ...operatingOf(context), ...(files && { files }) };
  const { danger, plan, etag, sends } = operation;
  if (danger !== undefined && body.dryRun !== true) {
    const subject = await danger.subject(values, operating);
    if (subject !== undefined) requireConfirmed(body.confirm, subject);
  }
  const outcome = await answerChange(context, body, {
    run: (admin) => operation.run({ ...operating, admin }, values),
    ...(plan && { plan: (admin) => plan.call(operation, { ...operating, admin }, values) }),
  });
  const { result } = outcome;
  const tag = etag && result !== null && { etag: etag(result) };
  const answer = { ...outcome, result: sends && result !== null ? sends.of(result) : result };
  context.reads.overview.invalidate();
  if (answer.dryRun) return { body: answer, status: 200, ...tag };
  return { body: operation.isBare === true ? Object(answer.result) : answer, ...tag };
}

function operatingOf(context: RouteContext): Operating<keyof OperatingParts> {
  const { admin, session, apps, config, catalog, platforms, reads, jobs, uploads, request } =
    context;
  return {
    ...{ admin, session, apps, catalog, reads, jobs, served: config, progress: () => {} },
    ...{ fileApps: config.apps, plans: config.plans, budgets: config.budgets },
    platformFacts: config.platforms,
    platformNames: config.platforms.map(({ name }) => name),
    store: config.store,
    ...{ hooks: config.notify, notify: config.notify, ifMatch: context.ifMatch },
    login: { url: config.console.url, listen: config.admin },
    withPlatforms: (work) => work(platforms),
    withBillingPlatforms: (work) => work(platforms),
    ...{ withCheckedPlatforms: notHere, unboundApps: notHere },
    configFiles: { check: notHere, compare: notHere },
    files: { names: [], read: notHere },
    withInvoices: (work) => uploads.run(request.disconnected, ({ read }) => work(read)),
  };
}

/** Only a command or an upload has this part. */
function notHere(): Promise<never> {
  throw new Error('the request has no such part');
}

/** The dispatcher has already checked the parts. Throws INVALID. */
function valuesOf({ input, check }: Operation, { parameters }: RouteContext, sent: unknown) {
  try {
    const values = decodeInput(input, { ...Object(sent), ...parameters });
    check?.(values);
    return values;
  } catch (error) {
    if (error instanceof InputError) throw invalid(error.field, error.message);
    throw error;
  }
}

function partsOf(address: Address): { readonly method: AnyRoute['method']; readonly path: string } {
  const [verb = '', path = ''] = address.split(' ');
  const method = methods.find((each) => each === verb);
  if (method === undefined) throw new Error(`${verb} is not a method`);
  return { method, path };
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

function appsOf({ apps }: Operation, address: Address): RouteApps {
  return address.includes('/:app') ? { named: 'path' } : apps;
}

function answerOf({ kind, isBare, isFile }: Operation, result: TSchema): TSchema {
  if (isFile === true) return Type.String({ description: 'RFC 4180' });
  if (kind === 'read') return Type.IsArray(result) ? pageOf(result.items) : result;
  return isBare === true ? Type.Union([result, changed(result)]) : changed(result);
}
