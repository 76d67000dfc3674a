import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { CheckField } from '../parts/fields.tsx';
import { en } from '../text/en.ts';
import { areKeysOn, setKeysOn } from './theme.tsx';

export function Help({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useState(areKeysOn());
  return (
    <Dialog title={en.help.title} onClose={onClose}>
      <dl class="facts">
        {en.help.rows.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <CheckField
        label={en.help.enable}
        value={isOn}
        set={(next) => {
          setKeysOn(next);
          setOn(next);
        }}
      />
    </Dialog>
  );
}
