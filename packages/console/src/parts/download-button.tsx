import { useState } from 'preact/hooks';
import { openResponse } from '../data/client.ts';
import { failureOf } from '../data/failure.ts';
import { Icon } from './icon.tsx';
import { Alert } from './states.tsx';

interface DownloadProps {
  readonly path: string;
  readonly text: string;
}

export function DownloadButton({ path, text }: DownloadProps) {
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    setFailure(undefined);
    await download(path).catch((error: unknown) => setFailure(failureOf(error).message));
    setBusy(false);
  };
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => void save()}>
        <Icon of="download" />
        {text}
      </button>
      {failure !== undefined && <Alert tone="bad">{failure}</Alert>}
    </>
  );
}

/** A link could not send the header that a session needs. */
async function download(path: string): Promise<void> {
  const response = await openResponse('GET', path, { headers: { accept: '*/*' } });
  const disposition = response.headers.get('content-disposition') ?? '';
  const [, name = ''] = /filename="([^"]+)"/.exec(disposition) ?? [];
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
