import { useState } from 'preact/hooks';
import { useMay } from '../../data/session.ts';
import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Name } from '../../parts/values.tsx';
import { OpenedBudget } from '../budget-dialog.tsx';
import type { Attention } from './attention.ts';

const shownMax = 6;

interface AttentionProps {
  readonly of: readonly Attention[];
  /** The checked things that are healthy. */
  readonly healthy: string;
  readonly onChanged: () => void;
}

export function AttentionCard({ of: items, healthy, onChanged }: AttentionProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, shownMax);
  return (
    <Card
      title="Needs attention"
      span={5}
      isFirst
      isFlush
      aside={
        items.length > 0 && (
          <span class="count">
            {items.length}
            <span class="hide"> items</span>
          </span>
        )
      }
      footer={
        <>
          <span>
            <span class="good">
              <Icon of="done" />
            </span>{' '}
            {healthy.charAt(0).toUpperCase() + healthy.slice(1)}
          </span>
          {items.length > shownMax && (
            <button type="button" class="small" onClick={() => setWhole(!isWhole)}>
              {isWhole ? 'Show fewer' : `Show all ${items.length}`}
            </button>
          )}
        </>
      }
    >
      <ul class="list">
        {shown.map((item) => (
          <Item key={`${item.app} ${item.text}`} of={item} onChanged={onChanged} />
        ))}
        {items.length === 0 && (
          <li>
            <span class="mark good">
              <Icon of="done" />
            </span>
            <div>
              <h3>Nothing needs attention</h3>
              <p>No budget is used up or forecast to run out.</p>
            </div>
          </li>
        )}
      </ul>
    </Card>
  );
}

interface ItemProps {
  readonly of: Attention;
  readonly onChanged: () => void;
}

function Item({ of, onChanged }: ItemProps) {
  const { tone, icon, app, text, detail, href, verb } = of;
  const mayOperate = useMay('operate');
  const [isOpen, setOpen] = useState(false);
  const isBudget = of.isBudget === true && mayOperate && app !== undefined;
  return (
    <li>
      <span class={`mark ${tone}`}>
        <Icon of={icon} />
      </span>
      <div>
        <h3>
          <a href={href}>{app === undefined ? text : <Name of={app} />}</a>
          {app !== undefined && text !== '' && ` ${text}`}
        </h3>
        {detail !== '' && <p>{detail}</p>}
      </div>
      {isBudget ? (
        <button
          type="button"
          class="small"
          aria-haspopup="dialog"
          aria-label={`${verb} of ${app}`}
          onClick={() => setOpen(true)}
        >
          {verb}
        </button>
      ) : (
        <a class="button small" href={href} aria-label={`${verb}: ${app ?? text}`}>
          {of.isBudget === true ? 'Review' : verb}
        </a>
      )}
      {isBudget && isOpen && (
        <OpenedBudget app={app} close={() => setOpen(false)} onChanged={onChanged} />
      )}
    </li>
  );
}
