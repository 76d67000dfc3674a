import { useSession } from '../data/session.ts';
import { en } from '../text/en.ts';

export function Brand() {
  const company = useSession()?.company;
  return (
    <a class="brand" href="/console/">
      <svg viewBox="0 0 28 28" aria-hidden="true">
        <rect width="28" height="28" rx="7" fill="#3451d1" />
        <path d="M7 21.5V13a7 7 0 0 1 14 0v8.5M14 21.5v-7.2" class="gate" />
      </svg>
      <span>
        {en.name}
        {company !== undefined && <small>{company}</small>}
      </span>
    </a>
  );
}
