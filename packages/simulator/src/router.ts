import { type BillBook, encodeBill } from './bill.ts';
import type { Inference } from './inference.ts';
import { answerInvoices } from './invoices-api.ts';
import {
  openaiErrorBody,
  PlatformError,
  unauthorized,
  unknownModel,
} from './lib/platform-error.ts';
import { type Exchange, jsonHeaders, jsonReply, type Reply } from './lib/wire.ts';
import { findModel, type SimulatorModel, simulatorModels } from './model/models.ts';
import type { Projects } from './projects.ts';
import { answerProjects } from './projects-api.ts';
import { chatSurface } from './surfaces/chat.ts';
import { embeddingsSurface } from './surfaces/embeddings.ts';
import { messagesSurface } from './surfaces/messages.ts';
import { responsesSurface } from './surfaces/responses.ts';
import type { SurfaceWire } from './surfaces/surface.ts';
import { answerWorkspaces } from './workspaces-api.ts';

interface Parts {
  readonly inference: Inference;
  readonly projects: Projects;
  readonly book: BillBook;
  readonly takesBearer: ((bearer: string) => boolean) | undefined;
}

export type Answerer = (exchange: Exchange) => Reply | Promise<Reply>;

const surfaces: ReadonlyMap<string, SurfaceWire> = new Map([
  ['/v1/chat/completions', chatSurface],
  ['/openai/v1/chat/completions', chatSurface],
  ['/v1/embeddings', embeddingsSurface],
  ['/openai/v1/embeddings', embeddingsSurface],
  ['/v1/responses', responsesSurface],
  ['/openai/v1/responses', responsesSurface],
  ['/v1/messages', messagesSurface],
  ['/anthropic/v1/messages', messagesSurface],
]);

const modelsPath = '/v1/models';
const billPath = '/simulator/bill';

/** 2026-01-01. */
const modelsCreatedAtSeconds = 1_767_225_600;

/** Converts the platform's errors to their bodies. */
export function createRouter(parts: Parts): Answerer {
  const { inference, projects, book, takesBearer } = parts;
  return (exchange) => {
    const surface = surfaces.get(exchange.path);
    if (!mayCall(exchange)) return refusal(surface, exchange);
    if (surface !== undefined && exchange.method === 'POST') return inference(surface, exchange);
    try {
      return (
        answerRead(exchange) ??
        answerProjects(projects, exchange) ??
        answerWorkspaces(projects, exchange) ??
        answerInvoices({ days: book.days, projects }, exchange) ??
        nothingHere(exchange)
      );
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      const headers = jsonHeaders(exchange.requestId);
      return { status: error.parts.status, headers, body: openaiErrorBody(error.parts) };
    }
  };

  function mayCall({ path, header }: Exchange): boolean {
    if (takesBearer === undefined || path === billPath) return true;
    const bearer = /^Bearer (\S+)$/.exec(header('authorization') ?? '')?.[1];
    return bearer !== undefined && takesBearer(bearer);
  }

  function answerRead({ method, path, query, requestId }: Exchange): Reply | undefined {
    if (method !== 'GET') return undefined;
    if (path === billPath) {
      const hasCalls = new URLSearchParams(query).get('calls') === '1';
      const bill = hasCalls ? { ...book.sums(), calls: book.calls() } : book.sums();
      return { status: 200, headers: jsonHeaders(requestId), body: encodeBill(bill) };
    }
    if (path === modelsPath) {
      const data = simulatorModels.map(encodeModel);
      return jsonReply(requestId, 200, { object: 'list', data });
    }
    if (!path.startsWith(`${modelsPath}/`)) return undefined;
    const id = path.slice(modelsPath.length + 1);
    const model = findModel(id);
    if (model === undefined) throw new PlatformError(unknownModel(id));
    return jsonReply(requestId, 200, encodeModel(model));
  }
}

function refusal(surface: SurfaceWire | undefined, { requestId }: Exchange): Reply {
  const { encodeError = openaiErrorBody } = surface ?? {};
  const { status } = unauthorized;
  const body = encodeError(unauthorized, requestId);
  return { status, headers: jsonHeaders(requestId), body };
}

/** The platform's response to a wrong path is an empty 404. */
function nothingHere({ requestId }: Exchange): Reply {
  return { status: 404, headers: { 'x-request-id': requestId }, body: '' };
}

function encodeModel({ id }: SimulatorModel) {
  return {
    id,
    object: 'model',
    created: modelsCreatedAtSeconds,
    owned_by: 'simulator',
    status: 'available',
    data_retention: { mode: 'default', source: 'account' },
  };
}
