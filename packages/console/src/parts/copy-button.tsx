import { useEffect, useState } from 'preact/hooks';
import { en } from '../text/en.ts';
import { Icon } from './icon.tsx';

interface CopyProps {
  readonly text: string;
  readonly what: string;
  /** Text next to the icon; optional. */
  readonly label?: string;
}

export function CopyButton({ text, what, label }: CopyProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <button
      type="button"
      class={label === undefined ? 'copy quiet icon small' : 'copy'}
      aria-label={isCopied ? en.copied : `${label ?? en.copy} ${what}`}
      onClick={async () => {
        await navigator.clipboard.writeText(text);
        setCopied(true);
      }}
    >
      <Icon of={isCopied ? 'check' : 'copy'} />
      {label}
      <output class="hide">{isCopied && en.copied}</output>
    </button>
  );
}
