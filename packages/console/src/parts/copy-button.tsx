import { useEffect, useState } from 'preact/hooks';
import { en } from '../text/en.ts';

interface CopyProps {
  readonly text: string;
  readonly what: string;
  readonly label?: string;
}

export function CopyButton({ text, what, label = en.copy }: CopyProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <button
      type="button"
      class="copy"
      aria-label={`${label} ${what}`}
      onClick={async () => {
        await navigator.clipboard.writeText(text);
        setCopied(true);
      }}
    >
      <span aria-live="polite">{isCopied ? en.copied : label}</span>
    </button>
  );
}
