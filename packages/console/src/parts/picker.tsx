import { useId, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { placeByButton } from './place-by-button.ts';

export interface Option {
  readonly value: string;
  readonly text?: string;
  /** How often it occurs, right of the text. */
  readonly count?: number;
}

interface PickerProps {
  readonly label: string;
  /** The button's text without a choice. */
  readonly none?: string;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly set: (chosen: readonly string[]) => void;
  readonly isMultiple?: boolean;
  /** Any text is valid, not only the options. */
  readonly isOpen?: boolean;
}

/** A button with the chosen option, and a searchable list. */
export function Picker(props: PickerProps) {
  const { label, none = 'all', options, chosen } = props;
  const id = useId();
  const [text, setText] = useState('');
  const [isShown, show] = useState(false);
  const names = chosen.map((value) => options.find((one) => one.value === value)?.text ?? value);
  const shown = names.length > 1 ? `${names.length} selected` : (names[0] ?? none);
  return (
    <>
      <button
        type="button"
        class={chosen.length === 0 ? 'picker' : 'picker set'}
        popovertarget={id}
        title={names.join(', ') || undefined}
      >
        <span>{label}</span>
        <b>{shown}</b>
        <Icon of="down" />
      </button>
      <div
        class="menu list"
        id={id}
        popover="auto"
        onBeforeToggle={({ newState }) => show(newState === 'open')}
        onToggle={(event) => {
          setText('');
          placeByButton(event);
        }}
      >
        <input
          type="search"
          aria-label={`Search ${label}`}
          placeholder="Search"
          autocomplete="off"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        {isShown && <Choices {...props} text={text} />}
      </div>
    </>
  );
}

const shownMax = 100;

function Choices(props: PickerProps & { readonly text: string }) {
  const { label, options, chosen, set, isMultiple = false, isOpen = false, text } = props;
  const searchText = text.trim().toLowerCase();
  const fits = ({ value, text: name = value }: Option) => name.toLowerCase().includes(searchText);
  const matches = options.filter(fits).slice(0, shownMax);
  const own = isOpen && searchText !== '' && !options.some(({ value }) => value === text.trim());
  const choose = (value: string) => {
    if (!isMultiple) return set(chosen[0] === value ? [] : [value]);
    set(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
  };
  return (
    <fieldset aria-label={label}>
      {[...matches, ...(own ? [{ value: text.trim() }] : [])].map((option) => (
        <Choice
          key={option.value}
          option={option}
          isChosen={chosen.includes(option.value)}
          choose={() => choose(option.value)}
        />
      ))}
      {matches.length === 0 && !own && <p class="note">No matches</p>}
      {chosen.length > 0 && (
        <button type="button" onClick={() => set([])}>
          Clear
        </button>
      )}
    </fieldset>
  );
}

interface ChoiceProps {
  readonly option: Option;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

function Choice({ option: { value, text = value, count }, isChosen, choose }: ChoiceProps) {
  return (
    <button type="button" aria-pressed={isChosen} title={text} onClick={choose}>
      {isChosen && <Icon of="check" />}
      <span class="cut">{text}</span>
      {count !== undefined && <span class="note">{count.toLocaleString('en')}</span>}
    </button>
  );
}
