import { openResponse } from './client.ts';

/** A link could not send the header that a session needs. */
export async function download(path: string): Promise<void> {
  const response = await openResponse('GET', path, { headers: { accept: '*/*' } });
  const disposition = response.headers.get('content-disposition') ?? '';
  const [, name = ''] = /filename="([^"]+)"/.exec(disposition) ?? [];
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
