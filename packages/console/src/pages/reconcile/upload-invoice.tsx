import type { InvoiceImported, UploadedFile } from '@model-gateway/server/operations/documents';
import { useId, useState } from 'preact/hooks';
import { sendChange } from '../../data/operations.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { ExactUsd } from '../../parts/values.tsx';

const sizeMax = 15_000_000;

export function UploadInvoice({ again }: { readonly again: () => void }) {
  const id = useId();
  const [files, setFiles] = useState<readonly File[]>([]);
  return (
    <ChangeDialog<InvoiceImported>
      label="Upload invoice"
      title="Upload an invoice"
      operation="reconcile import"
      formFields={{ platform: 'Platform' }}
      verb="Import"
      isReady={files.length > 0}
      send={async ({ values: { platform }, common }) => {
        const parts = await Promise.all(files.map(partOf));
        return sendChange('reconcile import', { platform, files: parts }, common);
      }}
      preview={({ result }) => result !== null && <Imported {...result} />}
      done={({ result }) => result !== null && <Imported {...result} />}
      doneVerb="Show comparison"
      onChanged={again}
    >
      <div class="field">
        <label for={id}>Files</label>
        <input
          id={id}
          type="file"
          multiple
          aria-describedby={`${id}-hint`}
          onChange={({ currentTarget }) => setFiles([...(currentTarget.files ?? [])])}
        />
        <small id={`${id}-hint`}>
          Platform cost report: JSON, CSV or gzipped CSV, 15 MB in total
        </small>
      </div>
    </ChangeDialog>
  );
}

function Imported(imported: NonNullable<InvoiceImported['result']>) {
  const { days, lines, totalUsd, isRepeated } = imported;
  return (
    <p>
      {lines} lines of {days.length} days, <ExactUsd of={totalUsd} />
      {isRepeated && '. These files were already imported'}
    </p>
  );
}

/** Compressed files go as bytes, all others as text. */
async function partOf(file: File): Promise<UploadedFile> {
  if (file.size > sizeMax) throw new Error(`${file.name} is larger than 15 MB`);
  if (!file.name.endsWith('.gz')) return { name: file.name, text: await file.text() };
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return { name: file.name, base64: btoa(text) };
}
