import { useState } from 'preact/hooks';
import { Badge } from '../parts/badge.tsx';
import { BudgetLegend, UsedBar } from '../parts/budget-bar.tsx';
import { Card } from '../parts/card.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { CheckField, SearchField } from '../parts/fields.tsx';
import { Menu } from '../parts/menu.tsx';
import { Picker } from '../parts/picker.tsx';
import { Segments } from '../parts/segments.tsx';
import { Duration, Id, Name, Usd, When } from '../parts/values.tsx';
import { amounts, longModel, users } from './samples.ts';

export function Controls() {
  return (
    <>
      <Card title="Buttons and badges" span={6}>
        <div class="row">
          <button type="button" class="primary">
            Primary
          </button>
          <button type="button">Default</button>
          <button type="button" class="quiet">
            Quiet
          </button>
          <button type="button" class="danger">
            Danger
          </button>
          <button type="button" disabled>
            Disabled
          </button>
          <CopyButton text="a" what="a text" label="Copy command" />
          <Menu
            label="Actions"
            actions={[
              { icon: 'open', text: 'Open', href: '#' },
              { icon: 'refused', text: 'Disable…', isDangerous: true, onClick: () => undefined },
            ]}
          />
        </div>
        <p class="row gap">
          {(['good', 'held', 'warn', 'bad', 'plain', 'accent'] as const).map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </p>
      </Card>
      <Card title="Fields and pickers" span={6}>
        <Fields />
      </Card>
      <Card title="Budget bars" span={6} aside={<BudgetLegend />}>
        {[
          ['calm', '42', '6'],
          ['nearly used up', '88', '4'],
          ['used up', '99.99', '0.01'],
          ['of nothing', '0', '0'],
        ].map(([label = '', spentUsd = '', heldUsd = '']) => (
          <UsedBar key={label} {...{ label, spentUsd, heldUsd, capUsd: '100' }} />
        ))}
      </Card>
      <Card title="Values" span={6}>
        <dl class="facts">
          <dt>Money, exact on hover and copy</dt>
          <dd>
            {amounts.map((usd) => (
              <div key={usd}>
                <Usd of={usd} />
              </div>
            ))}
          </dd>
          <dt>Time, with its zone</dt>
          <dd>
            <When at="2026-11-22T14:47:08.000Z" />
          </dd>
          <dt>Durations</dt>
          <dd>
            <Duration ms={812} />, <Duration ms={4_200} />, <Duration ms={125_000} />
          </dd>
          <dt>Id</dt>
          <dd>
            <Id of="call_01k9x0000000000000000000aa" />
          </dd>
          <dt>Long name</dt>
          <dd>
            <Name of={longModel} />
          </dd>
        </dl>
      </Card>
    </>
  );
}

function Fields() {
  const [text, setText] = useState('1,200.00');
  const [chosen, choose] = useState<readonly string[]>([]);
  const [isOn, setOn] = useState(true);
  return (
    <>
      <div class="filters">
        <Picker
          label="App"
          options={users.map((value, count) => ({ value, count }))}
          chosen={chosen}
          set={choose}
          isMultiple={true}
          isOpen={true}
        />
        <Picker label="Model" options={[]} chosen={[longModel]} set={() => undefined} />
        <Segments
          label="Range"
          value={isOn ? 'day' : 'month'}
          options={[
            ['day', 'Day'],
            ['month', 'Month'],
          ]}
          set={(value) => setOn(value === 'day')}
        />
      </div>
      <SearchField label="Id, note or contact" value={text} set={setText} />
      <CheckField label="Visible to callers" value={isOn} set={setOn} />
    </>
  );
}
