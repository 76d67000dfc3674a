import { type Fields, fieldsOf, missingField, wrongType } from './lib/fields.ts';
import { invalid } from './lib/platform-error.ts';
import { type Exchange, isRecord, jsonReply, type Reply } from './lib/wire.ts';
import type { Project, ProjectChange, Projects } from './projects.ts';

const root = '/v1/organization/projects';
const pageMax = 100;
const retentionModes = ['default', 'none', 'provider_data_share', 'inherit'];

/** Undefined for other paths or methods. Throws `PlatformError`. */
export function answerProjects(projects: Projects, exchange: Exchange): Reply | undefined {
  const { method, path, requestId } = exchange;
  if (path !== root && !path.startsWith(`${root}/`)) return undefined;
  const [id, action, ...rest] = path.slice(root.length + 1).split('/');
  if (rest.length > 0 || (action !== undefined && action !== 'archive')) return undefined;
  const value = answered();
  return value === undefined ? undefined : jsonReply(requestId, 200, value);

  function answered(): unknown {
    if (id === undefined || id === '') {
      if (method === 'GET') return list(projects, new URLSearchParams(exchange.query));
      return method === 'POST' ? create(projects, bodyOf(exchange)) : undefined;
    }
    if (action === 'archive') {
      return method === 'POST' ? encode(projects.archive(id)) : undefined;
    }
    if (method === 'GET') return encode(projects.get(id));
    return method === 'POST' ? update(projects, id, bodyOf(exchange)) : undefined;
  }
}

function create(projects: Projects, body: Fields): unknown {
  const name = body.requiredText('name');
  return encode(projects.create(name, { tags: tagsIn(body, 'tags'), ...retentionIn(body) }));
}

function update(projects: Projects, id: string, body: Fields): unknown {
  const { tags } = projects.get(id);
  const name = body.text('name');
  const removed = new Set(body.list('remove_tag_keys') ?? []);
  const remainingTags = Object.entries({ ...tags, ...tagsIn(body, 'add_tags') });
  const change: ProjectChange = {
    ...(name === undefined ? {} : { name }),
    tags: Object.fromEntries(remainingTags.filter(([key]) => !removed.has(key))),
    ...retentionIn(body),
  };
  return encode(projects.update(id, change));
}

/** Archived projects only with `include_archived=true`, as at OpenAI. */
function list(projects: Projects, query: URLSearchParams): unknown {
  const limit = Number(query.get('limit') ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > pageMax) {
    throw invalid(`Invalid 'limit': expected 1 to ${pageMax}.`, 'limit');
  }
  const includesArchived = query.get('include_archived') === 'true';
  const all = projects.list();
  const after = query.get('after');
  const index = all.findIndex(({ id }) => id === after);
  if (after !== null && index === -1) throw invalid(`Invalid 'after': '${after}'.`, 'after');
  const rest = all.slice(index + 1).filter(({ status }) => includesArchived || status === 'active');
  const page = rest.slice(0, limit);
  return {
    object: 'list',
    data: page.map(encode),
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
    has_more: rest.length > page.length,
  };
}

function encode(project: Project) {
  const { id, arn, name, status, tags, createdAt, archivedAt } = project;
  return {
    id,
    arn,
    name,
    object: 'organization.project',
    status,
    created_at: seconds(createdAt),
    archived_at: archivedAt === undefined ? null : seconds(archivedAt),
    tags,
    data_retention: { mode: project.dataRetentionMode },
  };
}

function seconds(epochMs: number): number {
  return Math.floor(epochMs / 1_000);
}

function bodyOf({ bodyText }: Exchange): Fields {
  try {
    return fieldsOf(JSON.parse(bodyText), '');
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid('The body is not JSON.');
    throw error;
  }
}

function tagsIn(body: Fields, key: string): Readonly<Record<string, string>> {
  const tags = body.value(key);
  if (tags === undefined) return {};
  if (!isRecord(tags)) throw wrongType(key, 'an object', tags);
  const entries = Object.entries(tags).map(([name, value]): [string, string] => {
    if (typeof value !== 'string') throw wrongType(`${key}.${name}`, 'a string', value);
    return [name, value];
  });
  return Object.fromEntries(entries);
}

function retentionIn(body: Fields): ProjectChange {
  const retention = body.fields('data_retention');
  if (retention === undefined) return {};
  const mode = retention.text('mode');
  if (mode === undefined) throw missingField('data_retention.mode');
  if (!retentionModes.includes(mode)) {
    throw invalid(`Invalid 'data_retention.mode': '${mode}'.`, 'data_retention.mode');
  }
  return { dataRetentionMode: mode };
}
