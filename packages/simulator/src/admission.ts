import type { BillBook } from './bill.ts';
import { invalid, PlatformError, unknownModel } from './lib/platform-error.ts';
import type { Exchange } from './lib/wire.ts';
import type { ModelRequest } from './model/model-request.ts';
import { findModel, type SimulatorModel } from './model/models.ts';
import type { ModelCall } from './model/outcome.ts';
import { countInputTokens } from './model/usage.ts';
import { defaultProjectId, type Projects } from './projects.ts';
import type { SurfaceWire } from './surfaces/surface.ts';

interface Parts {
  readonly projects: Projects;
  readonly book: BillBook;
}

export interface Admitted {
  readonly call: ModelCall;
  readonly model: SimulatorModel;
  /** The name in the request; the response repeats it. */
  readonly namedProject: string;
}

/** Throws `PlatformError` for a rejected call. */
export type Admission = (wire: SurfaceWire, exchange: Exchange) => Admitted;

export function createAdmission({ projects, book }: Parts): Admission {
  return (wire, { requestId, path, bodyText, bodyBytes, header }) => {
    checkRequired(wire, header);
    const named = header(wire.projectHeader);
    const projectId = payingProject(named);
    const request = wire.decode(bodyText, header);
    if (request.isStored === true) book.noteStored();
    const model = modelFor(wire, path, request.model);
    const inputTokens = countInputTokens(request, bodyBytes);
    checkFits(model, request, inputTokens);
    const requestedTokens = request.maxOutputTokens ?? model.maxOutputTokens;
    const outputTokensMax = Math.min(requestedTokens, model.maxOutputTokens);
    const { surface } = wire;
    const received = { requestId, projectId, surface, request, bodyText };
    const namedProject = named === undefined || named === '' ? projectId : named;
    return { call: { ...received, inputTokens, outputTokensMax }, model, namedProject };
  };

  function payingProject(id: string | undefined): string {
    if (id === undefined || id === '') {
      book.noteMissingProject();
      return defaultProjectId;
    }
    const project = projects.get(id);
    if (project.status === 'active') return project.id;
    throw invalid(`Project '${project.arn}' is archived and takes no new inference.`);
  }

  function modelFor(wire: SurfaceWire, path: string, id: string): SimulatorModel {
    const model = findModel(id);
    if (model === undefined) throw new PlatformError(unknownModel(id));
    if (!model.surfaces.includes(wire.surface)) {
      throw invalid(`The model '${id}' does not support the '${wire.path}' API`);
    }
    const { openaiRoot } = model;
    const isElsewhere = openaiRoot !== undefined && !path.startsWith(`${openaiRoot}/`);
    if (wire.surface === 'messages' || !isElsewhere) return model;
    throw invalid(`model '${id}' isn't supported on this route`);
  }
}

function checkRequired({ requiredHeader }: SurfaceWire, header: Exchange['header']): void {
  if (requiredHeader === undefined || header(requiredHeader) !== undefined) return;
  throw invalid(`${requiredHeader}: header is required`);
}

function checkFits(model: SimulatorModel, request: ModelRequest, inputTokens: number): void {
  const hasImages = request.messages.some(({ imageCount }) => imageCount > 0);
  if (hasImages && !model.images) throw invalid(`The model '${model.id}' takes no images.`);
  if (inputTokens <= model.contextTokens) return;
  const most = `This model's maximum context length is ${model.contextTokens} tokens`;
  const message = `${most}, but the messages resulted in ${inputTokens} tokens.`;
  throw invalid(message, 'messages', 'context_length_exceeded');
}
