import type { ModelsCheck } from '@model-gateway/server/operations/documents';
import { useRead } from '../data/read.ts';
import { Shown } from '../parts/shown.tsx';

/** The same lists as `models check` prints. */
export function ModelsChecked() {
  return (
    <Shown of={useRead<ModelsCheck>('/models/check')}>
      {({
        unpriced,
        withoutSource,
        retired = [],
        retiring = [],
        stale = [],
        mismatched = [],
        withoutTier = [],
      }) => (
        <>
          {unpriced.length > 0 && <Unpriced models={unpriced} />}
          <Found title="Retired models, which their vendor does not serve" of={retired.map(gone)} />
          <Found title="Models that their vendor ends within 30 days" of={retiring.map(ended)} />
          <Found title="Prices that were read more than 180 days ago" of={stale.map(old)} />
          <Found
            title="Prices of the file that differ from the prices that ship"
            of={mismatched.map(differing)}
          />
          <Found
            title="Models that are called in the standard tier, without a price in that of their platform"
            of={withoutTier.map(standard)}
          />
          {withoutSource.length > 0 && (
            <p>{withoutSource.length} prices do not say where they were read.</p>
          )}
        </>
      )}
    </Shown>
  );
}

function Unpriced({ models }: { readonly models: ModelsCheck['unpriced'] }) {
  return (
    <section class="problem">
      <h2>Problem: {models.length} models without a price can be called</h2>
      <ul>
        {models.map(({ id, platform, apps }) => (
          <li key={id}>
            {id} on {platform}: {apps.join(', ')}
          </li>
        ))}
      </ul>
      <p>
        <code>model-gateway models import</code> proposes prices as lines of the file.
      </p>
    </section>
  );
}

function Found({ title, of }: { readonly title: string; readonly of: readonly string[] }) {
  if (of.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {of.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}

type Listed<Name extends keyof ModelsCheck> = NonNullable<ModelsCheck[Name]>[number];

function gone({ id, platform, retires }: Listed<'retired'>): string {
  return `${id} on ${platform}: since ${retires}`;
}

function ended({ id, platform, retires }: Listed<'retiring'>): string {
  return `${id} on ${platform}: ends on ${retires}`;
}

function old({ id, platform, readOn }: Listed<'stale'>): string {
  return `${id} on ${platform}: read on ${readOn}`;
}

function differing({ id, platform, price, shipped }: Listed<'mismatched'>): string {
  const rates = rateNames.flatMap(([key, name]) => {
    const [own = 'none', other = 'none'] = [price[key], shipped.price[key]];
    return own === other ? [] : [`${name} ${own} (shipped: ${other})`];
  });
  return `${id} on ${platform}: ${rates.join(', ') || 'other steps of input'}`;
}

function standard({ id, platform, tier }: Listed<'withoutTier'>): string {
  return `${id} on ${platform}: no price in the tier ${tier}`;
}

const rateNames = [
  ['inputUsdPerMillion', 'input'],
  ['cachedInputUsdPerMillion', 'cached'],
  ['cacheWriteInputUsdPerMillion', 'cache write'],
  ['cacheWrite1hInputUsdPerMillion', 'cache write for an hour'],
  ['outputUsdPerMillion', 'output'],
  ['imageInputUsdPerMillion', 'image input'],
  ['audioInputUsdPerMillion', 'audio input'],
  ['reasoningUsdPerMillion', 'reasoning'],
  ['imageOutputUsdPerMillion', 'image output'],
  ['audioOutputUsdPerMillion', 'audio output'],
] as const;
