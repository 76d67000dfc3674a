import { useState } from 'preact/hooks';
import { download } from '../data/download.ts';
import { failureOf } from '../data/failure.ts';

interface DownloadProps {
  /** Below the API's address. */
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
        {text}
      </button>
      {failure !== undefined && (
        <span role="alert" class="failure">
          {failure}
        </span>
      )}
    </>
  );
}
