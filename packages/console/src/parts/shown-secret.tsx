import { CopyButton } from './copy-button.tsx';

export function ShownSecret({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <p>
      {label}: <code class="secret">{text}</code> <CopyButton text={text} what={label} />
    </p>
  );
}
