import { CopyButton } from './copy-button.tsx';

/** Shown once, in a dialog that stays until the reader has stored it. */
export function ShownSecret({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div class="secret">
      <span>{label}:</span> <code>{text}</code>
      <CopyButton text={text} what={label} />
    </div>
  );
}
