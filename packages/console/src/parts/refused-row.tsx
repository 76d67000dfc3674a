import type { Refusal } from '@model-gateway/server/operations/documents';
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';
import { Count, When } from './values.tsx';

interface RefusedProps {
  readonly of: Omit<Refusal, 'at'>;
  /** The target of its count. */
  readonly href: string;
  readonly where?: ComponentChildren;
}

/** Why requests of an app were rejected, with the sentence that the last caller received. */
export function RefusedRow({ of, href, where }: RefusedProps) {
  const { app, code, count, lastAt, lastMessage, lastRequestId } = of;
  const { text, icon } = reasonOf(code);
  return (
    <li>
      <span class="mark bad">
        <Icon of={icon} />
      </span>
      <div>
        <h3>
          <span title={code}>{text}</span> {where}
        </h3>
        <p class="clamp" title={lastMessage}>
          {lastMessage}
        </p>
      </div>
      <div class="end" title={lastRequestId === null ? undefined : `Last request ${lastRequestId}`}>
        <a
          class="go"
          href={href}
          aria-label={`${count.toLocaleString('en')} requests: ${text} in ${app}`}
        >
          <b>
            <Count of={count} />
          </b>
        </a>
        <p>
          last <When at={lastAt} isTime />
        </p>
      </div>
    </li>
  );
}

interface Reason {
  readonly text: string;
  readonly icon: IconName;
}

/** `FORBIDDEN:no-header` becomes `Key rejected: no header`. */
function reasonOf(code: string): Reason {
  const [name = '', detail] = code.split(':');
  const { text, icon } = reasons[name] ?? { text: wordsOf(name), icon: 'refused' };
  return { text: detail === undefined ? text : `${text}: ${wordsOf(detail).toLowerCase()}`, icon };
}

const reasons: Readonly<Record<string, Reason>> = {
  BUDGET_EXCEEDED: { text: 'Budget used up', icon: 'refused' },
  INSUFFICIENT_CREDITS: { text: 'Credits used up', icon: 'pie' },
  MODEL_NOT_ALLOWED: { text: 'Model not allowed', icon: 'close' },
  MODEL_NOT_PRICED: { text: 'Model has no price', icon: 'model' },
  TOO_MANY_REQUESTS: { text: 'Rate limit exceeded', icon: 'warning' },
  FORBIDDEN: { text: 'Key rejected', icon: 'key' },
  UNAUTHORIZED: { text: 'Key rejected', icon: 'key' },
  DISABLED: { text: 'App disabled', icon: 'refused' },
  INVALID: { text: 'Invalid request', icon: 'warning' },
};

/** `USER_REQUIRED` becomes `User required`. */
function wordsOf(code: string): string {
  const text = code.replaceAll(/[-_]/g, ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
