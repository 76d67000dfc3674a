import { useState } from 'preact/hooks';
import { store, stored } from '../data/storage.ts';
import { en } from '../en.ts';
import { ChoiceField } from '../parts/fields.tsx';

/** What a person chose, which the browser stores. */
const themeKey = 'theme';
const keysKey = 'keys';

/** Puts the chosen theme in force; the system's where none was chosen. */
export function applyTheme(): void {
  const theme = stored(themeKey);
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** Chooses the theme. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(stored(themeKey) ?? 'system');
  return (
    <ChoiceField
      label={en.theme.label}
      value={theme}
      options={themes.map((option) => [option, en.theme[option]] as const)}
      set={(next) => {
        store(themeKey, next);
        setTheme(next);
        applyTheme();
      }}
    />
  );
}

const themes = ['system', 'light', 'dark'] as const;

/** Whether single keys are shortcuts, unless it was said that they are not. */
export function areKeysOn(): boolean {
  return stored(keysKey) !== 'off';
}

/** Says whether they are. */
export function setKeysOn(isOn: boolean): void {
  store(keysKey, isOn ? 'on' : 'off');
}
