import { fieldsOf } from './lib/fields.ts';
import { invalid, PlatformError } from './lib/platform-error.ts';
import { type Exchange, jsonReply, type Reply } from './lib/wire.ts';
import { defaultProjectId, type Project, type Projects } from './projects.ts';
import { encodeMessagesError } from './surfaces/messages-words.ts';

const root = '/v1/organizations/workspaces';
const pageMax = 1_000;
const nameCharactersMax = 40;

/** Anthropic's workspaces are the projects. Undefined for other paths or methods. */
export function answerWorkspaces(projects: Projects, exchange: Exchange): Reply | undefined {
  const { method, path, requestId } = exchange;
  if (path !== root && !path.startsWith(`${root}/`)) return undefined;
  const id = path.slice(root.length + 1);
  try {
    const value = answered();
    return value === undefined ? undefined : jsonReply(requestId, 200, value);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const reply = jsonReply(requestId, error.parts.status, undefined);
    return { ...reply, body: encodeMessagesError(error.parts, requestId) };
  }

  function answered(): unknown {
    if (id !== '') return method === 'GET' ? encode(projects.get(id)) : undefined;
    if (method === 'GET') return list(projects, new URLSearchParams(exchange.query));
    return method === 'POST' ? create(projects, exchange) : undefined;
  }
}

function create(projects: Projects, { bodyText }: Exchange): unknown {
  const name = fieldsOf(parsed(bodyText), '').requiredText('name');
  if (name.length > nameCharactersMax) {
    throw invalid(`name: String should have at most ${nameCharactersMax} characters`, 'name');
  }
  return encode(projects.create(name));
}

function parsed(bodyText: string): unknown {
  try {
    return JSON.parse(bodyText);
  } catch {
    throw invalid('The request body is not valid JSON.');
  }
}

/** Oldest first; without the default workspace, as at Anthropic. */
function list(projects: Projects, query: URLSearchParams): unknown {
  const limit = Number(query.get('limit') ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > pageMax) {
    throw invalid(`limit: Input should be from 1 to ${pageMax}`, 'limit');
  }
  const includesArchived = query.get('include_archived') === 'true';
  const all = projects.list().filter(({ id }) => id !== defaultProjectId);
  const after = query.get('after_id');
  const index = all.findIndex((project) => workspaceIdOf(project) === after);
  if (after !== null && index === -1) throw invalid(`after_id: '${after}' is unknown`, 'after_id');
  const rest = all.slice(index + 1).filter(({ status }) => includesArchived || status === 'active');
  const data = rest.slice(0, limit).map(encode);
  return {
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: rest.length > data.length,
  };
}

function encode(project: Project) {
  const { name, createdAt, archivedAt } = project;
  return {
    id: workspaceIdOf(project),
    type: 'workspace',
    name,
    created_at: new Date(createdAt).toISOString(),
    archived_at: archivedAt === undefined ? null : new Date(archivedAt).toISOString(),
    display_color: '#6C5BB9',
  };
}

function workspaceIdOf({ id }: Project): string {
  return id.replace(/^proj_/, 'wrkspc_');
}
