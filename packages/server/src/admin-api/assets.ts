import { existsSync, readFileSync } from 'node:fs';
import { type ConsoleRequest, type ConsoleResponse, securityHeaders } from './http/http.ts';

export type Assets = (request: ConsoleRequest) => ConsoleResponse;

interface Asset {
  readonly type: string;
  readonly plain: Uint8Array;
  readonly gzip: Uint8Array;
  readonly br: Uint8Array;
}

const index = 'index.html';
const place = '/console/assets/';
const forever = 'private, max-age=31536000, immutable';

const folders = [
  new URL('../../../console/dist/', import.meta.url),
  new URL('./pages/', import.meta.url),
];

/**
 * Reads everything once: later changes of the folder have no effect. Without a build, every page
 * shows the command for it.
 */
export function readAssets(among: readonly URL[] = folders): Assets {
  const folder = among.find((each) => existsSync(new URL('manifest.json', each)));
  const assets = folder === undefined ? new Map<string, Asset>() : readAll(folder);
  return ({ method, url, headers }) => {
    if (method !== 'GET' && method !== 'HEAD') {
      return text(405, 'The console allows only GET for pages', { allow: 'GET, HEAD' });
    }
    const path = url.split('?', 1)[0] ?? '';
    const name = path.startsWith(place) ? path.slice(place.length) : index;
    const asset = assets.get(name);
    if (assets.size === 0) return text(503, unbuilt);
    if (asset === undefined) return text(404, 'File not found');
    return answer(asset, headers['accept-encoding'] ?? '', name !== index);
  };
}

const unbuilt = 'The console is not built. Run "npm run build -w packages/console" and restart';

function readAll(folder: URL): ReadonlyMap<string, Asset> {
  const read = (name: string) => readFileSync(new URL(name, folder));
  const manifest: readonly { readonly name: string; readonly type: string }[] = JSON.parse(
    read('manifest.json').toString(),
  );
  return new Map(
    manifest.map(({ name, type }) => {
      const packed = { gzip: read(`${name}.gz`), br: read(`${name}.br`) };
      return [name, { type, plain: read(name), ...packed }];
    }),
  );
}

function answer(asset: Asset, accepted: string, isHashed: boolean): ConsoleResponse {
  const encoding = encodingOf(accepted);
  return {
    status: 200,
    headers: {
      ...securityHeaders,
      'content-type': asset.type,
      vary: 'accept-encoding',
      ...(isHashed && { 'cache-control': forever }),
      ...(encoding !== 'plain' && { 'content-encoding': encoding === 'gzip' ? 'gzip' : 'br' }),
    },
    body: asset[encoding],
  };
}

/** The smallest accepted encoding; `q=0` excludes an encoding. */
function encodingOf(accepted: string): 'br' | 'gzip' | 'plain' {
  const takes = (name: string) =>
    accepted.split(',').some((part) => {
      const [token = '', ...parameters] = part.split(';').map((piece) => piece.trim());
      return token.toLowerCase() === name && !parameters.some((each) => /^q=0(\.0*)?$/i.test(each));
    });
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : 'plain';
}

function text(
  status: number,
  sentence: string,
  headers: Readonly<Record<string, string>> = {},
): ConsoleResponse {
  const own = { 'content-type': 'text/plain; charset=utf-8', ...headers };
  return { status, headers: { ...securityHeaders, ...own }, body: `${sentence}\n` };
}
